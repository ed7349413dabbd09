// GTK 4 stacks and notebooks keep the places of pages they do not show: which page is drawn has to be found out.
#pragma once

#include <vector>

#include "perception/marks/tree.hpp"

namespace deskmark {

/// Per node, true for the root of a page that lies under another page of its stack. The shown page is the one whose tab
/// is selected, else the one that holds the focus, else the last.
[[nodiscard]] std::vector<bool> hidden_pages(const Tree& tree);

}  // namespace deskmark
