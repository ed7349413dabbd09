// A native window as the window system tells it. Nothing here is specific to X11 but the width of the id.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "perception/model/geometry.hpp"

namespace deskmark {

enum class WindowType : std::uint8_t {
  Normal,
  Dialog,
  Utility,
  Splash,
  Toolbar,  // what a person calls a window
  Menu,
  DropdownMenu,
  PopupMenu,
  Combo,
  Tooltip,  // popups, belong to an owner
  Notification,
  Dock,
  Desktop,
  Dnd,
  Unknown,
};
[[nodiscard]] std::string_view window_type_name(WindowType type);

struct Window {
  std::uint32_t id = 0;     ///< the client's own window, not the window manager's frame
  std::uint32_t owner = 0;  ///< transient-for, or the window a popup belongs to; 0: none
  DeviceRect bounds;        ///< client area on the screen, without decorations and without shadow
  DeviceRect surface;       ///< the whole native window, client-side shadow included (bounds when it has none)
  std::string title;
  std::string wm_class;     ///< class part of WM_CLASS
  std::string wm_instance;  ///< instance part of WM_CLASS
  std::optional<int> pid;   ///< by _NET_WM_PID checked against XRes; absent when neither tells
  std::string process;      ///< base name of the executable of `pid`, empty when unknown
  std::string desktop_id;   ///< _GTK_APPLICATION_ID or the .desktop name where known
  WindowType type = WindowType::Normal;
  int z = 0;  ///< stacking, distinct, higher is nearer to the viewer
  bool override_redirect = false;
  bool modal = false;
  bool minimized = false;
  bool focused = false;     ///< it is the active window (_NET_ACTIVE_WINDOW, else input focus)
  bool off_screen = false;  ///< no pixel of it lies on the screen or it is on another workspace
};

}  // namespace deskmark
