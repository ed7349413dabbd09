// Buttons that are there for the toolkit and that nobody can see.
#pragma once

#include "perception/marks/tree.hpp"

namespace deskmark {

/// A button of GTK 4 of which nothing is drawn: no icon, no words, no border. GTK 4 tells of no widget whether it is
/// transparent or on the hidden side of a leaflet. False without pixels. `place`: what is visible of it, device pixels.
[[nodiscard]] bool is_undrawn(const Tree& tree, int node, const DeviceRect& place);

}  // namespace deskmark
