// What of each node can be seen in the picture: clipped by its scroll areas and windows, not covered by what lies
// above.
#pragma once

#include <vector>

#include "perception/marks/tree.hpp"

namespace deskmark {

struct Sight {
  int surface = -1;      ///< index in Observation::surfaces of the window it is drawn on, -1: not in the picture
  bool shown = false;    ///< neither it nor an ancestor is hidden by its states
  bool enabled = false;  ///< not greyed out
  DeviceRect extents;    ///< as reported, empty when there are none that make sense
  DeviceRect clipped;    ///< `extents` inside everything that clips it
  DeviceRect visible;    ///< the largest uncovered rectangle of `clipped`; empty when (nearly) all of it is covered
};

/// One Sight per node. A rectangle counts as visible when at least a quarter of what is not clipped is uncovered.
[[nodiscard]] std::vector<Sight> look(const Tree& tree);

/// What is left of `rect` beside `cover`: the largest of the strips above, below, left and right of it.
[[nodiscard]] DeviceRect uncovered(const DeviceRect& rect, const DeviceRect& cover);
/// So little of `whole` is left that it cannot be said to be visible: less than a quarter, or a sliver.
[[nodiscard]] bool hardly_any(const DeviceRect& left, const DeviceRect& whole);

/// `r` when its numbers can be a place on a screen, else empty: toolkits report INT_MIN and the like for what is not
/// mapped.
[[nodiscard]] DeviceRect sane(const DeviceRect& r);

}  // namespace deskmark
