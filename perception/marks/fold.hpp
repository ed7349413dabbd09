// One mark for one control: parts that are the same control as the one around them are folded into it.
#pragma once

#include "perception/marks/controls.hpp"

namespace deskmark {

/// Drops what is part of another control, narrows composite controls to the place that is their own (the arrow of an
/// editable combo box, the title of a checkable group), and fills Controls::owner.
void fold_controls(const Tree& tree, const std::vector<Sight>& sights, Controls& controls);

}  // namespace deskmark
