// Rectangles of controls corrected by what the pixels show.
#pragma once

#include "perception/marks/controls.hpp"

namespace deskmark {

/// Snaps GTK 4 content boxes to the drawn edge and takes overlay scroll bars that are not drawn out of the running.
/// Does nothing without pixels.
void place_on_pixels(const Tree& tree, const std::vector<Sight>& sights, Controls& controls);

}  // namespace deskmark
