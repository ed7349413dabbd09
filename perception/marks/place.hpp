// Rectangles of controls brought to what is drawn, where a toolkit reports something smaller or larger.
#pragma once

#include "perception/marks/controls.hpp"

namespace deskmark {

/// Grows GTK 3 icons by the padding they react in; with pixels, snaps GTK 4 content boxes to the drawn edge and cuts
/// collapsed expanders to their header. Never grows into a neighbour.
void place_as_drawn(const Tree& tree, const std::vector<Sight>& sights, Controls& controls);

}  // namespace deskmark
