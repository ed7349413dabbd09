// The lines of the outline (`tree` of an ax reply) before a budget cuts them: what is visible, in the order of the
// tree.
#pragma once

#include <string>
#include <vector>

#include "perception/marks/label.hpp"
#include "perception/model/scene.hpp"

namespace deskmark {

/// `number` holds each control's mark, 0 for controls that have none (disabled, behind a menu or dialog).
[[nodiscard]] std::vector<OutlineLine> outline_lines(const Tree& tree, const std::vector<Sight>& sights,
                                                     const Controls& controls, const Wordings& wordings,
                                                     const std::vector<int>& number);

}  // namespace deskmark
