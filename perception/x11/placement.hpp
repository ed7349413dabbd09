// Where windows lie at this moment, freshly asked: a list read a while ago is no proof.
#pragma once

#include <vector>

#include "perception/x11/connection.hpp"

namespace deskmark::x11 {

struct Place {
  enum class State : std::uint8_t { Gone, Unmapped, Shown };
  State state = State::Gone;
  xcb_window_t client = 0;
  DeviceRect surface;             ///< the client's window
  DeviceRect bounds;              ///< without its client-side shadow
  xcb_window_t top = 0;           ///< the child of the root that holds it
  DeviceRect outer;               ///< of `top`, border included; its pixmap begins here
  std::uint8_t depth = 0;         ///< of `top`
  xcb_visualid_t visual = 0;      ///< of `top`
  std::vector<DeviceRect> shape;  ///< where a shaped window is; empty: everywhere in `bounds`
};

/// Parallel to `windows`. A handful of round trips.
[[nodiscard]] std::vector<Place> locate(Connection& connection, const std::vector<Window>& windows,
                                        const Deadline& deadline);

/// Asks again where windows lie without waiting for the answer, so that the answer tells whether what was asked in
/// between still belongs to the places known.
class PlaceCheck {
 public:
  PlaceCheck(Connection& connection, const std::vector<Place>& places);
  /// True when every shown place is where and what it was.
  [[nodiscard]] bool unchanged(const Deadline& deadline);

 private:
  struct Asked {
    unsigned int client = 0;
    unsigned int position = 0;
    unsigned int top = 0;
  };
  Connection& connection_;
  const std::vector<Place>& places_;
  std::vector<Asked> asked_;
};

}  // namespace deskmark::x11
