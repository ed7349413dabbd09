// Windows and pixels of an X11 display.
#pragma once

#include <memory>
#include <string>

#include "perception/sources.hpp"

namespace deskmark {

/// Opens `display` (empty: $DISPLAY). Fails with display_unavailable (naming the display tried) or wayland_session.
Reading<std::unique_ptr<ScreenSource>> open_x11(const std::string& display);

}  // namespace deskmark
