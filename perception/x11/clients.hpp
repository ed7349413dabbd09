// Which windows are the programs' own: looks through the window manager's frames.
#pragma once

#include <cstdint>
#include <vector>

#include "perception/x11/root.hpp"

namespace deskmark::x11 {

/// A child of the root as it lies in the stack.
struct TopWindow {
  xcb_window_t id = 0;
  DeviceRect outer;  ///< border included, device pixels
  int border = 0;
  std::uint8_t depth = 0;
  xcb_visualid_t visual = 0;
  bool viewable = false;
  bool drawable = false;  ///< InputOutput
  bool override_redirect = false;
};

/// A program's window and the child of the root that holds it (itself when nothing frames it).
struct Client {
  xcb_window_t id = 0;
  TopWindow top;
  int order = 0;         ///< index of `top` in the stack, 0 = bottom
  bool managed = false;  ///< in the window manager's list or marked with WM_STATE
};

struct ClientSearch {
  std::vector<TopWindow> tops;  ///< bottom to top; those that vanished meanwhile left out
  std::vector<Client> clients;  ///< bottom to top
};

/// Finds the client windows under `root.tops`: those a window manager lists or marks, wherever in its frames they sit,
/// and the mapped windows nobody manages. Windows with nothing to see (InputOnly, up to one pixel) are left out.
[[nodiscard]] ClientSearch find_clients(Connection& connection, const RootState& root, const Deadline& deadline);

}  // namespace deskmark::x11
