// What two pictures of a window differ in, for programs whose tree tells nothing. Pure.
#pragma once

#include <vector>

#include "perception/model/observation.hpp"

namespace deskmark {

struct PixelChange {
  int pixels = 0;           ///< that differ and count
  DeviceRect box;           ///< around them, in the place of `after`
  bool comparable = false;  ///< both looks have pixels of one size
  /// More than a caret or a single dot.
  [[nodiscard]] bool telling() const { return pixels >= 12 && box.w > 3 && box.h > 1; }
};

/// Pixels that differ between `before` and `after`, but neither where `earlier` and `before` differ already (it changes
/// by itself) nor inside `except` (device pixels of `after`).
[[nodiscard]] PixelChange pixel_change(const Observation* earlier, const Observation& before, const Observation& after,
                                       const std::vector<DeviceRect>& except);

}  // namespace deskmark
