#include "perception/marks/scroll_strips.hpp"

#include <doctest/doctest.h>

namespace deskmark {
namespace {

void fill(Image& image, PictureRect r, std::uint32_t rgb) {
  for (int y = r.y; y < r.bottom(); ++y) {
    for (int x = r.x; x < r.right(); ++x) image.set_rgb(x, y, rgb);
  }
}

/// 300 x 200 white, with words here and there, and a border of one grey pixel.
Image box() {
  Image image(300, 200, 0xffffff);
  fill(image, {0, 0, 300, 1}, 0x999999);
  fill(image, {0, 199, 300, 1}, 0x999999);
  fill(image, {0, 0, 1, 200}, 0x999999);
  fill(image, {299, 0, 1, 200}, 0x999999);
  for (int line = 0; line < 8; ++line) fill(image, {10, 12 + 22 * line, 80 + 20 * line, 9}, 0x222222);
  return image;
}

const PictureRect kAll{0, 0, 300, 200};

}  // namespace

TEST_CASE("scroll bars at the right, at the bottom and at the left are found with their width") {
  for (const int scale : {1, 2}) {
    const int width = 15 * scale;
    Image right = box();
    fill(right, {299 - width, 1, width, 198}, 0xfcfcfc);
    fill(right, {299 - width + 3 * scale, 40, 9 * scale, 60}, 0x8b8b8b);
    CHECK(find_scroll_strips(right, kAll).right == width + 1);
    CHECK(find_scroll_strips(right, kAll).left == 1);
    Image left = box();
    fill(left, {1, 1, width, 198}, 0xf0f0f0);
    fill(left, {1 + 3 * scale, 40, 9 * scale, 60}, 0x8b8b8b);
    CHECK(find_scroll_strips(left, kAll).left == width + 1);
    Image bottom = box();
    fill(bottom, {1, 199 - width, 298, width}, 0x202020);
    fill(bottom, {30, 199 - width + 3 * scale, 90, 9 * scale}, 0x707070);
    CHECK(find_scroll_strips(bottom, kAll).bottom == width + 1);
  }
}

TEST_CASE("content at the edge is no scroll bar") {
  Image plain = box();
  CHECK(find_scroll_strips(plain, kAll).right == 1);
  CHECK(find_scroll_strips(plain, kAll).bottom == 1);
  CHECK(find_scroll_strips(plain, kAll).top == 1);
  Image button = box();  // a square button near the edge
  fill(button, {270, 90, 24, 24}, 0x3366cc);
  CHECK(find_scroll_strips(button, kAll).right == 1);
  Image rows = box();  // a selected row
  fill(rows, {1, 150, 298, 20}, 0xb9b9b9);
  CHECK(find_scroll_strips(rows, kAll).bottom == 1);
}

TEST_CASE("a box that reaches out of the picture has strips only where its edge is in it") {
  Image image = box();
  CHECK(find_scroll_strips(image, {100, 0, 400, 200}).right == 0);
  CHECK(find_scroll_strips(image, {400, 0, 40, 200}).right == 0);
  CHECK(find_scroll_strips(Image(), kAll).right == 0);
}

}  // namespace deskmark
