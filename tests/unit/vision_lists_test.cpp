#include "tests/unit/canvas.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "perception/vision/regions.hpp"

using namespace deskmark;
using namespace deskmark::testing;

namespace {

std::vector<PictureRect> of_kind(const PictureParts& parts, RegionKind kind) {
  std::vector<PictureRect> out;
  for (const Region& r : parts.regions) {
    if (r.kind == kind) out.push_back(r.bounds);
  }
  return out;
}

bool has(const std::vector<PictureRect>& rects, const PictureRect& r) {
  return std::any_of(rects.begin(), rects.end(), [&](const PictureRect& o) { return iou(o, r) > 0.85; });
}

/// Lines of text on a surface, from their boxes' positions.
std::vector<PictureRect> lines(const PictureParts& parts) {
  std::vector<PictureRect> out;
  for (const TextRegion& t : parts.text) out.push_back(t.bounds);
  return out;
}

}  // namespace

TEST_CASE("a list cut in two by its selected row is rows all the same") {
  for (const Theme& theme : {kLight, kDark}) {
    Canvas c{420, 320, theme};
    c.box(20, 20, 300, 7 * 26 + 2, theme.face, theme.line);
    const char* names[] = {"Inbox", "Drafts", "Sent", "Archive", "Spam", "Trash", "Later"};
    for (int i = 0; i < 7; ++i) {
      if (i == 2) cv::rectangle(c.mat(), cv::Rect(21, 21 + i * 26, 298, 26), Canvas::colour(0x3584e4), cv::FILLED);
      c.text(names[i], 30, 34 + i * 26);
    }
    const auto rows = of_kind(find_parts(c.image), RegionKind::ListRow);
    for (int i = 0; i < 7; ++i) {
      CAPTURE(i);
      CHECK(has(rows, {21, 21 + i * 26, 298, 26}));
    }
    CHECK(rows.size() == 7);
  }
}

TEST_CASE("buttons higher than a line, and keys with hardly anything on them") {
  Canvas c{520, 320, kLight};
  c.button("Cover", 20, 20, 140, 90);
  for (int i = 0; i < 4; ++i) c.button(i == 2 ? "" : std::to_string(i), 20 + 90 * i, 140, 80, 44);
  c.image.set_rgb(240, 162, kLight.ink);
  const auto buttons = of_kind(find_parts(c.image), RegionKind::Button);
  CHECK(has(buttons, {20, 20, 140, 90}));
  for (int i = 0; i < 4; ++i) CHECK(has(buttons, {20 + 90 * i, 140, 80, 44}));
}

TEST_CASE("a large panel with text in a corner is no button") {
  Canvas c{520, 320, kLight};
  c.box(20, 20, 200, 120, kLight.face, kLight.line);
  c.text("Note", 28, 34);
  CHECK(of_kind(find_parts(c.image), RegionKind::Button).empty());
}

TEST_CASE("what is checked in a column of check boxes is a check box") {
  Canvas c{420, 260, kLight};
  c.box(20, 20, 300, 200, kLight.face, kLight.line);
  for (int i = 0; i < 6; ++i) {
    const int y = 30 + i * 28;
    if (i % 2 == 0) {
      c.box(34, y, 16, 16, kLight.face, kLight.line);
    } else {
      cv::rectangle(c.mat(), cv::Rect(34, y, 16, 16), Canvas::colour(0x3584e4), cv::FILLED);
      cv::line(c.mat(), {37, y + 8}, {41, y + 12}, Canvas::colour(0xffffff), 2);
      cv::line(c.mat(), {41, y + 12}, {47, y + 4}, Canvas::colour(0xffffff), 2);
    }
    c.text("Apples", 90, y + 8);
  }
  const PictureParts parts = find_parts(c.image);
  int checked = 0;
  for (const Region& r : parts.regions) checked += r.kind == RegionKind::CheckBox && r.checked;
  CHECK(of_kind(parts, RegionKind::CheckBox).size() == 6);
  CHECK(checked == 3);
}

TEST_CASE("captions side by side are two lines of text, words of one caption one") {
  Canvas c{420, 120, kLight};
  const int w = c.text("Right side", 20, 30);
  const int v = c.text("Wireless", 20 + w + 16, 30);
  auto found = lines(find_parts(c.image));
  REQUIRE(found.size() == 2);
  std::sort(found.begin(), found.end(), [](const PictureRect& p, const PictureRect& q) { return p.x < q.x; });
  CHECK(found[0].right() <= 20 + w);
  CHECK(found[1].x >= 20 + w + 16);
  CHECK(found[1].w <= v);
}

TEST_CASE("a colon between spaces and digits stays in its line") {
  Canvas c{420, 120, kLight};
  c.text("13:11:02: ready", 20, 30);
  CHECK(lines(find_parts(c.image)).size() == 1);
}

TEST_CASE("icons set close in a row are as many, and no line of text") {
  Canvas c{420, 120, kLight};
  for (int i = 0; i < 6; ++i) {
    const int x = 40 + 16 * i;
    cv::line(c.mat(), {x, 44}, {x + 10, 54}, Canvas::colour(kLight.ink), 1);
    cv::line(c.mat(), {x, 54}, {x + 10, 44}, Canvas::colour(kLight.ink), 1);
  }
  const PictureParts parts = find_parts(c.image);
  const auto icons = of_kind(parts, RegionKind::Icon);
  CHECK(icons.size() == 6);
  for (int i = 1; i < 5; ++i) CHECK(has(icons, {37 + 16 * i, 41, 16, 16}));
}
