#include "perception/marks/draw.hpp"

#include <algorithm>
#include <utility>

namespace deskmark {

void blend(Image& image, int x, int y, std::uint32_t rgb, int alpha) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height || alpha <= 0) return;
  std::uint8_t* pixel = image.row(y) + static_cast<std::size_t>(x) * 4;
  for (int i = 0; i < 3; ++i) {
    const int over = static_cast<int>((rgb >> (8 * i)) & 0xff);
    pixel[i] = static_cast<std::uint8_t>((over * alpha + pixel[i] * (255 - alpha) + 127) / 255);
  }
}

void fill_rect(Image& image, const PictureRect& area, std::uint32_t rgb) {
  const PictureRect r = intersect(area, PictureRect{0, 0, image.width, image.height});
  for (int y = r.y; y < r.bottom(); ++y) {
    for (int x = r.x; x < r.right(); ++x) image.set_rgb(x, y, rgb);
  }
}

double share_inside(PicturePoint a, PicturePoint b, const PictureRect& r) {
  // Liang-Barsky: the segment is cut at each of the four sides.
  double from = 0;
  double to = 1;
  const auto cut = [&](int delta, int low, int high) {
    if (delta == 0) return low <= 0 && high >= 0;
    double t0 = static_cast<double>(low) / delta;
    double t1 = static_cast<double>(high) / delta;
    if (t0 > t1) std::swap(t0, t1);
    from = std::max(from, t0);
    to = std::min(to, t1);
    return from <= to;
  };
  if (r.empty() || !cut(b.x - a.x, r.x - a.x, r.right() - 1 - a.x)) return 0;
  if (!cut(b.y - a.y, r.y - a.y, r.bottom() - 1 - a.y)) return 0;
  return std::max(to - from, 1e-6);
}

}  // namespace deskmark
