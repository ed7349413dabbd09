// The states of a control that tell a reader something, as canonical English words. docs/marks.md lists them.
#pragma once

#include <string>
#include <vector>

#include "perception/marks/controls.hpp"

namespace deskmark {

[[nodiscard]] std::vector<std::string> state_words(const Tree& tree, const Control& control);

}  // namespace deskmark
