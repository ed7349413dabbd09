// Pointer and keyboard of an X11 display.
#pragma once

#include <memory>
#include <string>

#include "input/sink.hpp"
#include "perception/sources.hpp"

namespace deskmark {

/// Opens `display` (empty: $DISPLAY) for input; fails with display_unavailable. A server that dies later makes calls
/// answer display_unavailable; the next call connects anew.
/// Nothing is added to the display before the first background input: then a second pointer and keyboard (XI2 masters
/// named "deskmark pointer" and "deskmark keyboard") are made, or those of a killed process are taken over. They are
/// removed when the sink is destroyed.
Reading<std::unique_ptr<InputSink>> open_x11_input(const std::string& display);

}  // namespace deskmark
