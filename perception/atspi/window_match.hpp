// Joins native windows to toplevel accessibles. The tree carries no window id, so they are matched by what both sides
// know: size, place, title, kind and who is active. Pure.
#pragma once

#include <string>
#include <vector>

#include "perception/atspi/toolkit_rules.hpp"

namespace deskmark::atspi {

/// A child of an application's root: a window as its toolkit describes it.
struct Toplevel {
  ObjectRef ref;
  Toolkit toolkit = Toolkit::Unknown;
  Role role = Role::Unknown;
  StateSet states;
  std::string name;
  RawRect extents;
  int child_count = 0;
};

struct Match {
  int window = -1;    ///< index of the native window
  int toplevel = -1;  ///< index of the toplevel accessible
  double scale = 1;   ///< device pixels per logical pixel
};

/// At most one toplevel per window and one window per toplevel; the best pairs first, doubtful ones left out. With
/// `strict` (another program's windows, no pid to go by) title and size must both agree.
[[nodiscard]] std::vector<Match> match_windows(const std::vector<Window>& windows,
                                               const std::vector<Toplevel>& toplevels, bool strict);

/// A menu, list or tooltip window that belongs to no toplevel of its own.
[[nodiscard]] bool is_popup(const Window& window);

/// Popup whose content starts at a node with this device rectangle: menus and lists hang in the tree below what opened
/// them. `parent` is the role above the node. -1: stays on the window it is on.
[[nodiscard]] int popup_under(const std::vector<Window>& windows, const DeviceRect& rect, Role role, Role parent);

}  // namespace deskmark::atspi
