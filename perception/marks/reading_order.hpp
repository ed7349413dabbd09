// The order in which a person reads: lines from top to bottom, each from left to right.
#pragma once

#include <vector>

#include "perception/model/geometry.hpp"

namespace deskmark {

/// Indices of `rects` in reading order. Rectangles share a line when the upper part of each overlaps the line by half,
/// so small vertical offsets do not break a line and something tall starts in the line of its top. Ties keep the given
/// order.
[[nodiscard]] std::vector<int> reading_order(const std::vector<DeviceRect>& rects);

}  // namespace deskmark
