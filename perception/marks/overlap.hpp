// Widgets drawn over one another without a container that floats: a button laid over another in the same overlay.
#pragma once

#include "perception/marks/controls.hpp"

namespace deskmark {

/// Cuts what later siblings cover out of each control's rectangle; a control that is (nearly) covered is dropped. Rows
/// and their cells, parts of one control, and pages of the web (drawn in an order of their own) are left alone.
void uncover_controls(const Tree& tree, const std::vector<Sight>& sights, Controls& controls);

}  // namespace deskmark
