// What the walk takes for granted about roles: which containers cut their children off, which have none, which never
// change their name.
#pragma once

#include "perception/model/accessible.hpp"
#include "perception/model/window.hpp"

namespace deskmark::atspi {

[[nodiscard]] bool web(Toolkit toolkit);

/// Children are not drawn outside it. (Web lists and tables are left out: style sheets place children anywhere.)
[[nodiscard]] bool clips(Toolkit toolkit, Role role, Role parent);

/// Roles a GTK 4 popover comes with.
[[nodiscard]] bool may_be_popover(Role role);

/// Never has children, in any toolkit.
[[nodiscard]] bool always_leaf(Role role);

/// Only arranges others; its name, if any, was there from the start.
[[nodiscard]] bool layout(Role role);

/// Holds a text that changes under its name.
[[nodiscard]] bool texts(Role role);

/// Where a window's content is drawn, device pixels.
[[nodiscard]] DeviceRect surface_of(const Window& window);

}  // namespace deskmark::atspi
