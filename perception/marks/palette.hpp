// Colours of the marks: few, far apart, visible on light and dark, and neighbours never alike.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perception/model/image.hpp"

namespace deskmark {

/// Contrast ratio of two 0xRRGGBB colours, 1..21 (WCAG 2.1, relative luminance).
[[nodiscard]] double contrast(std::uint32_t a, std::uint32_t b);
/// How different two 0xRRGGBB colours look: distance in CIE L*a*b*, 0 = equal, about 100 = black and white.
[[nodiscard]] double colour_distance(std::uint32_t a, std::uint32_t b);

/// The colours in use. Each keeps a contrast of at least 2.9 against black and 4 against white.
[[nodiscard]] std::span<const std::uint32_t> palette();

/// One colour per rectangle (pixels of `picture`), by greedy graph colouring: as different as can be from the marks
/// near it and from the pixels it is drawn on. Depends on the arguments alone.
[[nodiscard]] std::vector<std::uint32_t> mark_colours(const Image& picture, std::span<const PictureRect> marks);

}  // namespace deskmark
