// Links in running text that go over more than one line: their rectangle is that of the whole paragraph part, and its
// middle may be beside the link. They are placed where their longest line is.
#pragma once

#include <functional>
#include <vector>

#include "perception/atspi/caller.hpp"
#include "perception/atspi/wire.hpp"
#include "perception/model/accessible.hpp"

namespace deskmark::atspi {

/// Indices of links that may go over several lines.
[[nodiscard]] std::vector<int> wrapped_links(const std::vector<Accessible>& nodes, int document);

/// Asks for the lines of each; when the caller has run out of calls `lines` has their rectangles in the program's
/// coordinates, in the order of `links`.
void ask_lines(Caller& caller, const std::vector<Accessible>& nodes, const std::vector<int>& links,
               std::vector<std::vector<RawRect>>& lines);

}  // namespace deskmark::atspi
