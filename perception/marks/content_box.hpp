// GTK 4 (4.8) reports the content box of a widget: without padding and border. Where no border is drawn to snap to, the
// layout tells how much is missing: boxes tile their parent, and what is inside one is padded alike on opposite sides.
#pragma once

#include "perception/marks/controls.hpp"

namespace deskmark {

/// Device pixels per logical pixel, told by the sizes of GTK 4's nodes: all of them are multiples of it.
[[nodiscard]] int gtk4_scale(const Tree& tree);

/// What the theme usually adds on each side, border included, logical pixels.
struct Padding {
  int x = 0;
  int y = 0;
};
[[nodiscard]] Padding usual_padding(const Tree& tree, const Control& control);

/// Where the widget of `control` may be drawn at most: its content box grown by what its kind pads with, never beyond
/// its parent or `room` (what neighbours leave).
[[nodiscard]] DeviceRect border_box(const Tree& tree, const Control& control, const DeviceRect& room, int scale);

}  // namespace deskmark
