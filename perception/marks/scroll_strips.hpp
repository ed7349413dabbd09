// Scroll bars that are drawn but not told of: web engines have no objects for them, and count the strip they take as
// part of what scrolls. What lies under a scroll bar cannot be seen or clicked.
#pragma once

#include "perception/model/geometry.hpp"
#include "perception/model/image.hpp"

namespace deskmark {

/// Pixels that the border and scroll bars take at the edges of a box, 0 where there is nothing.
struct ScrollStrips {
  int left = 0;
  int top = 0;
  int right = 0;
  int bottom = 0;
};

/// `box` in pixels of the picture; what is outside the picture has no strips. A strip is known by its thumb: a long bar
/// of one colour, with the same margin on both sides, on a track that is all one colour. A border is a thin line of one
/// colour along the whole edge.
[[nodiscard]] ScrollStrips find_scroll_strips(const Image& image, const PictureRect& box);

}  // namespace deskmark
