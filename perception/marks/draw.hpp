// Drawing primitives of the overlay. Everything is clipped to the image.
#pragma once

#include <cstdint>

#include "perception/model/image.hpp"

namespace deskmark {

/// Mixes `rgb` over the pixel, alpha 0..255.
void blend(Image& image, int x, int y, std::uint32_t rgb, int alpha);
void fill_rect(Image& image, const PictureRect& area, std::uint32_t rgb);

/// Calls visit(x, y) for every pixel of the straight line from `a` to `b`, both ends included.
template <class Visit>
void visit_line(PicturePoint a, PicturePoint b, Visit&& visit) {
  const int dx = b.x - a.x;
  const int dy = b.y - a.y;
  const int steps = std::max({dx < 0 ? -dx : dx, dy < 0 ? -dy : dy, 1});
  for (int i = 0; i <= steps; ++i) {
    // Rounded to nearest, symmetric for both directions.
    const auto at = [i, steps](int from, int by) {
      return from + (2 * by * i + (by < 0 ? -steps : steps)) / (2 * steps);
    };
    visit(at(a.x, dx), at(a.y, dy));
  }
}

/// Share, 0..1, of the segment from `a` to `b` that lies in `r` (closed at all sides, so that touching counts a
/// little).
[[nodiscard]] double share_inside(PicturePoint a, PicturePoint b, const PictureRect& r);

}  // namespace deskmark
