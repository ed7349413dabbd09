// GTK 4 tells nothing apart that a stack hides: once shown, a page keeps its extents and its states when another takes
// its place (measured with 4.8: all pages SENSITIVE, VISIBLE and full size). What it does answer rightly is which
// object lies at a point.
#pragma once

#include <vector>

#include "perception/atspi/caller.hpp"
#include "perception/model/accessible.hpp"

namespace deskmark::atspi {

/// One question: the object at `at` (window coordinates, logical pixels) ought to be within the subtree of `node`.
struct PickProbe {
  int node = -1;
  int x = 0;
  int y = 0;
  ObjectRef hit;  ///< the answer; null: none
};

/// Where siblings lie over one another, points that tell which of them is there. `scale`: device pixels per logical
/// one.
[[nodiscard]] std::vector<PickProbe> pick_probes(const std::vector<Accessible>& nodes, int root, double scale);

/// Sends them; answered when the caller has run out of calls.
void ask_probes(Caller& caller, const ObjectRef& root, std::vector<PickProbe>& probes);

/// Per node of `nodes`: true when the answers say that it is not there: its own points were all found taken by others.
[[nodiscard]] std::vector<bool> hidden_by_picks(const std::vector<Accessible>& nodes,
                                                const std::vector<PickProbe>& probes);

/// `nodes` without the marked ones and what is below them; `roots` and parents follow.
void remove_subtrees(std::vector<Accessible>& nodes, std::vector<int>& roots, const std::vector<bool>& gone);

}  // namespace deskmark::atspi
