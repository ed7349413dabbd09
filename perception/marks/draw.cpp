#include "perception/marks/draw.hpp"

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

}  // namespace deskmark
