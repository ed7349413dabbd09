// Windows and pixels of an X11 display.
#pragma once

#include <memory>
#include <string>

#include "perception/sources.hpp"

namespace deskmark {

/// Opens `display` (empty: $DISPLAY). Fails with display_unavailable (naming the display tried) or wayland_session: no
/// display was named in a Wayland session, or the one named belongs to one (XWayland).
/// From then on all top-level windows of the display are drawn into pixmaps of their own (XComposite), so that covered
/// windows can be grabbed. A server that dies later makes calls fail with display_unavailable; the next call connects
/// anew. A server that hangs costs each call its deadline (timeout).
Reading<std::unique_ptr<ScreenSource>> open_x11(const std::string& display);

}  // namespace deskmark
