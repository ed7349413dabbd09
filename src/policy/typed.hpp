// What one client typed into a window lately: a blocked text does not pass in pieces. Kept in memory only, never
// written or logged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "schema/request.hpp"

namespace deskmark {

class TypedTails {
 public:
  static constexpr std::size_t kKept = 512;    ///< bytes per window
  static constexpr std::size_t kWindows = 64;  ///< the ones typed into last

  /// blocked_text or blocked_key_combo when `request`, sent to `window` after what was typed there, would be.
  [[nodiscard]] std::optional<Failure> check(const Request& request, std::uint32_t window) const;
  /// `request` was sent, at least in part.
  void sent(const Request& request, std::uint32_t window);

 private:
  struct Tail {
    std::string text;
    bool moved = false;  ///< the caret may be elsewhere: what comes may stand before it
    std::uint64_t used = 0;
  };
  std::map<std::uint32_t, Tail> tails_;
  std::uint64_t uses_ = 0;
};

}  // namespace deskmark
