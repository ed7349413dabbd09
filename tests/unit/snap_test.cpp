// Where a control is drawn, found in the pixels around what its toolkit reports.
#include "perception/marks/snap.hpp"

#include <doctest/doctest.h>

#include "perception/marks/draw.hpp"
#include "tests/unit/scene_builder.hpp"

namespace deskmark::testing {
namespace {

constexpr std::uint32_t kBar = 0xe0e0e0;

/// A framed button of `box`: border, then lighter fill.
void draw_button(Image& image, const PictureRect& box) {
  fill_rect(image, box, 0xa0a0a0);
  fill_rect(image, box.inflated(-1), 0xf6f6f6);
}

/// Ends like half circles.
void draw_pill(Image& image, const PictureRect& box, std::uint32_t colour) {
  const int radius = box.h / 2;
  for (int y = 0; y < box.h; ++y) {
    int inset = 0;
    const int dy = 2 * y + 1 - box.h;
    while ((2 * (radius - inset)) * (2 * (radius - inset)) + dy * dy > box.h * box.h + box.h) ++inset;
    fill_rect(image, {box.x + inset, box.y + y, box.w - 2 * inset, 1}, colour);
  }
}

}  // namespace

TEST_CASE("the margin around a button in a bar is taken off, whatever line ends the bar") {
  Image image{200, 80, kBar};
  fill_rect(image, {0, 50, 200, 1}, 0x808080);
  draw_button(image, {20, 10, 40, 34});
  CHECK(without_margin(image, {20, 4, 40, 46}) == PictureRect{20, 10, 40, 34});
  CHECK(without_margin(image, {20, 10, 40, 34}) == PictureRect{20, 10, 40, 34});
}

TEST_CASE("an icon on a flat button is no frame") {
  Image image{200, 80, kBar};
  fill_rect(image, {30, 20, 10, 10}, 0x303030);
  CHECK(without_margin(image, {25, 15, 20, 20}) == PictureRect{25, 15, 20, 20});
  CHECK(without_margin(image, {100, 15, 20, 20}) == PictureRect{100, 15, 20, 20});
}

TEST_CASE("a pill is followed to its round ends") {
  Image image{300, 100, 0xfafafa};
  draw_pill(image, {50, 20, 170, 44}, 0x3584e4);
  const PictureRect content{82, 30, 106, 24};
  CHECK(snapped(image, content, content.inflated(17)) == content);
  CHECK(filled(image, content, {0, 0, 300, 100}) == PictureRect{50, 20, 170, 44});
  CHECK(filled(image, {120, 75, 40, 10}, {0, 0, 300, 100}) == PictureRect{120, 75, 40, 10});
}

TEST_CASE("a button of GTK 4 of which nothing is drawn has no mark") {
  SceneBuilder b{Toolkit::Gtk4};
  const int seen = b.add(0, Role::PushButton, "", {40, 40, 24, 24}, {State::Focusable}, {"click"});
  b.add(0, Role::PushButton, "", {140, 40, 24, 24}, {State::Focusable}, {"click"});
  auto image = std::make_shared<Image>(800, 600, kBar);
  fill_rect(*image, {44, 44, 16, 16}, 0x202020);
  b.seen.pixels = image;
  const Scene s = b.scene();
  REQUIRE(s.marks.size() == 1);
  CHECK(s.marks[0].node == seen);
}

}  // namespace deskmark::testing
