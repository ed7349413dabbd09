// The root window's side of the desktop: stacking, outputs, the window manager's lists, the processes of clients.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "perception/x11/connection.hpp"

namespace deskmark::x11 {

struct RootState {
  DeviceRect screen;                     ///< the root window
  std::vector<DeviceRect> outputs;       ///< RandR monitors; the screen when there are none
  std::vector<xcb_window_t> tops;        ///< children of the root, bottom to top
  bool window_manager = false;           ///< an EWMH window manager runs
  std::vector<xcb_window_t> listed;      ///< its clients (_NET_CLIENT_LIST_STACKING and _NET_CLIENT_LIST), each once
  xcb_window_t active = 0;               ///< _NET_ACTIVE_WINDOW
  std::optional<std::uint32_t> desktop;  ///< current workspace
  xcb_window_t focus = 0;                ///< X input focus; 0: none or the root
  std::unordered_map<std::uint32_t, int> pids;  ///< X client (Connection::maker) -> local process, by XRes
};

/// Two round trips. Incomplete when connection.fault() says so afterwards.
[[nodiscard]] RootState read_root(Connection& connection, const Deadline& deadline);

}  // namespace deskmark::x11
