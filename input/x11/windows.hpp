// What the input edge must know of windows: what lies where, who is active, how they are stacked. Private to x11/.
#pragma once

#include <optional>
#include <vector>

#include "perception/deadline.hpp"
#include "perception/model/geometry.hpp"
#include "input/x11/link.hpp"

namespace deskmark::x11_input {

/// Windows from `window` up to, not including, the root; empty when it does not exist.
[[nodiscard]] std::vector<XID> ancestry(Link& link, XID window);
[[nodiscard]] bool viewable(Link& link, XID window);
/// Place and size in device pixels on the screen.
[[nodiscard]] std::optional<DeviceRect> place_of(Link& link, XID window);
/// The child of the root that gets a pointer event at `at`, by stacking and input shape; kNone: bare root.
[[nodiscard]] XID top_at(Link& link, DevicePoint at);
/// A pointer at `at` is in `window` or in a child of it: nothing else lies over it there.
[[nodiscard]] bool gets_pointer_at(Link& link, XID window, DevicePoint at);
/// A device pixel where no window is, else the bottom right corner of the screen.
[[nodiscard]] DevicePoint free_place(Link& link);
/// An EWMH window manager runs.
[[nodiscard]] bool managed(Link& link);
/// WM_PROTOCOLS of `window` has `name`.
[[nodiscard]] bool speaks(Link& link, XID window, const char* name);
/// The window belongs to a Qt program (its process maps Qt's XCB plug-in; of this machine only).
[[nodiscard]] bool is_qt(Link& link, XID window);
/// The window belongs to a program that listens to the newest master keyboard only: Chromium and what is built on it
/// (ui/events/devices/x11/touch_factory_x11.cc keeps the last one listed). While the agent's exists, it is deaf to the
/// user's.
[[nodiscard]] bool hears_newest_keyboard(Link& link, XID window);
/// The program behind `window` runs others in pseudo terminals of its own: keys go on to them. Nothing when its process
/// is not known (of this machine only). `pid`: of the window, where something else than its property tells it.
[[nodiscard]] std::optional<bool> is_terminal(Link& link, XID window, std::optional<int> pid);
/// The window the user's keys go to: _NET_ACTIVE_WINDOW, else the focus.
[[nodiscard]] XID users_window(Link& link);
/// Waits for an answer to a _NET_WM_PING, which a program gives after all events sent to it before; false without
/// one.
bool ping(Link& link, XID window, const Deadline& deadline);

/// Waits until the process behind `window` sleeps and uses no time, a sign that it has read what was sent; for programs
/// that answer no ping. False when its process is not known, or it is busy until `most`.
bool falls_idle(Link& link, XID window, const Deadline& most);

/// Who has what: restored after an action that may not change it.
struct Front {
  XID active = kNone;  ///< _NET_ACTIVE_WINDOW
  XID focus = kNone;   ///< core input focus
  int revert = 0;
  std::vector<XID> stack;  ///< managed windows (without a manager children of the root), bottom to top
  DevicePoint pointer;     ///< core pointer
  friend bool operator==(const Front&, const Front&) = default;
};
[[nodiscard]] Front look_at_front(Link& link);
/// Puts active window, focus and stacking back to `before` where they differ now; bounded.
void restore_front(Link& link, const Front& before, const Deadline& deadline);
/// Waits until the window manager has taken note of everything so far; bounded by `most`.
void manager_catches_up(Link& link, const Deadline& most);
/// Tells a window manager that may take the agent's focus for the user's who really has it: the focus itself never
/// moved, so that asking for it again would change nothing.
void remind_manager(Link& link, const Front& before);
/// The stacking alone.
void restore_stacking(Link& link, const Front& before, const Deadline& deadline);
/// Activates and raises; true when the window is the active one (or holds the focus).
bool bring_forward(Link& link, XID window, const Deadline& deadline);

}  // namespace deskmark::x11_input
