// Boxes around what is to be read: words and icons, found as runs of detail that hang together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perception/model/geometry.hpp"

namespace deskmark {

/// Bounding boxes of the components of `plane` (width x height bytes), of the bytes that equal `ink`. Pixels of one row
/// less than a label's narrowest width apart hang together, so that a line of text is one box; boxes higher than a line
/// of text or an icon are left out, as are single pixels.
[[nodiscard]] std::vector<PictureRect> ink_boxes(std::span<const std::uint8_t> plane, std::uint8_t ink, int width,
                                                 int height);

}  // namespace deskmark
