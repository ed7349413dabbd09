#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "perception/vision/regions.hpp"
#include "perception/vision/units.hpp"
#include "tests/unit/canvas.hpp"

using namespace deskmark;
using namespace deskmark::testing;

namespace {

const Region* at(const PictureParts& parts, const PictureRect& r) {
  const Region* best = nullptr;
  for (const Region& region : parts.regions) {
    if (iou(region.bounds, r) > 0.8 && (best == nullptr || iou(region.bounds, r) > iou(best->bounds, r)))
      best = &region;
  }
  return best;
}

int count(const PictureParts& parts, bool acting) {
  return static_cast<int>(std::count_if(parts.regions.begin(), parts.regions.end(),
                                        [&](const Region& r) { return interactable(r.kind) == acting; }));
}

}  // namespace

TEST_CASE("a dialog's widgets are found in light, dark and high-contrast themes") {
  for (const Theme& theme : {kLight, kDark, kContrast}) {
    CAPTURE(theme.window);
    Canvas c{420, 260, theme};
    c.text("First name", 20, 40);
    c.box(120, 24, 240, 30, theme.face, theme.line);
    c.text("Ada Lovelace", 130, 39);
    c.box(120, 80, 16, 16, theme.face, theme.line);
    const int w = c.text("Remember me", 144, 88);
    c.button("Cancel", 180, 200, 90, 32);
    c.button("Accept", 290, 200, 90, 32);
    const PictureParts parts = find_parts(c.image);
    const Region* field = at(parts, {120, 24, 240, 30});
    REQUIRE(field != nullptr);
    CHECK(field->kind == RegionKind::Field);
    CHECK(field->text.size() == 1);
    const Region* check = at(parts, {120, 80, 24 + w, 16});
    REQUIRE(check != nullptr);
    CHECK(check->kind == RegionKind::CheckBox);
    CHECK(iou(check->indicator, PictureRect{120, 80, 16, 16}) > 0.9);
    for (const int x : {180, 290}) {
      const Region* button = at(parts, {x, 200, 90, 32});
      REQUIRE(button != nullptr);
      CHECK(button->kind == RegionKind::Button);
      CHECK(button->bounds == PictureRect{x, 200, 90, 32});
    }
    CHECK(count(parts, true) == 4);
  }
}

TEST_CASE("separators, shadows and photographs are no widgets") {
  Canvas c{400, 300, kLight};
  cv::Mat m = c.mat();
  cv::line(m, {20, 50}, {380, 50}, Canvas::colour(0xc0c0c0), 1);
  cv::line(m, {200, 60}, {200, 280}, Canvas::colour(0xd0d0d0), 2);
  for (int i = 0; i < 12; ++i) {  // a soft shadow below a panel
    const auto level = static_cast<std::uint32_t>(0xf6 - (12 - i) * 3);
    cv::line(m, {20, 100 + i}, {180, 100 + i}, Canvas::colour(level << 16 | level << 8 | level), 1);
  }
  std::uint32_t noise = 12345;
  for (int y = 120; y < 280; ++y) {
    for (int x = 220; x < 380; ++x) {
      noise = noise * 1664525U + 1013904223U;
      c.image.set_rgb(x, y, (noise >> 8) & 0xffffff);
    }
  }
  CHECK(count(find_parts(c.image), true) == 0);
}

TEST_CASE("regions come in preorder with parents before what they hold") {
  Canvas c{400, 200, kLight};
  c.box(20, 20, 360, 160, 0xe8e8e8, 0x909090);
  c.button("One", 40, 40, 80, 30);
  c.button("Two", 140, 40, 80, 30);
  const auto regions = find_regions(c.image);
  REQUIRE(regions.size() >= 3);
  for (std::size_t i = 0; i < regions.size(); ++i) {
    CHECK(regions[i].parent < static_cast<int>(i));
    if (regions[i].parent >= 0)
      CHECK(regions[static_cast<std::size_t>(regions[i].parent)].bounds.contains(regions[i].bounds));
  }
}

TEST_CASE("text lines: one region per line, polarity told") {
  for (const Theme& theme : {kLight, kDark}) {
    Canvas c{300, 100, theme};
    c.text("The quick brown fox", 10, 30);
    c.text("jumps over it", 10, 60);
    const auto text = find_text_regions(c.image);
    REQUIRE(text.size() == 2);
    CHECK(text[0].light_on_dark == (theme.window == kDark.window));
    CHECK(text[0].bounds.w > 100);
    CHECK(text[0].paper == theme.window);
  }
}

TEST_CASE("letters that look like boxes and rings are the captions of their keys") {
  Canvas c{260, 120, kLight};
  c.button("", 20, 20, 42, 28);
  c.box(36, 28, 10, 13, kLight.face, kLight.ink);  // D
  c.button("", 80, 20, 42, 28);
  cv::Mat m = c.mat();
  cv::circle(m, {101, 34}, 6, Canvas::colour(kLight.ink), 1, cv::LINE_AA);  // O
  c.button("Seven", 140, 20, 60, 28);
  const PictureParts parts = find_parts(c.image);
  CHECK(count(parts, true) == 3);
  for (const int x : {20, 80}) {
    const Region* key = at(parts, {x, 20, 42, 28});
    REQUIRE(key != nullptr);
    CHECK(key->kind == RegionKind::Button);
  }
}

TEST_CASE("lines closer than any font's are a drawing") {
  CHECK(vision::too_close_to_read({131, 126, 136, 141, 146}, 8));       // the lines on the icon of a text file
  CHECK_FALSE(vision::too_close_to_read({20, 33, 46, 59}, 8));          // a list in a small font
  CHECK_FALSE(vision::too_close_to_read({20, 26}, 8));                  // too few to tell
  CHECK_FALSE(vision::too_close_to_read({20, 21, 21, 34, 47, 60}, 8));  // two pieces of one line
}

TEST_CASE("degenerate pictures give nothing and do no harm") {
  CHECK(find_parts(Image{}).regions.empty());
  for (const auto& [w, h] : {std::pair{1, 1}, {1, 500}, {500, 1}, {3, 3}, {7, 2}}) {
    CHECK(count(find_parts(Image{w, h, 0x808080}), true) == 0);
  }
}
