// The overlay's parts: detail map, palette, digits.
#include <doctest/doctest.h>

#include <algorithm>

#include "perception/marks/detail_map.hpp"
#include "perception/marks/glyphs.hpp"
#include "perception/marks/palette.hpp"
#include "perception/marks/rect_grid.hpp"
#include "tests/unit/overlay_scenes.hpp"

namespace deskmark {

TEST_CASE("text in a mark is content, its frame is not, text outside is detail only") {
  test::Drawing drawing{300, 100, test::kLight};
  drawing.text(200, 50, "outside");
  const PictureRect button{20, 20, 120, 40};
  drawing.button(button, "Press");
  const PictureRect marks[] = {button};
  const DetailMap map{drawing.pixels(), marks};
  CHECK(map.content({50, 30, 60, 20}) > 40);
  CHECK(map.content({20, 20, 120, 5}) == 0);
  CHECK(map.content({20, 20, 8, 8}) == 0);
  CHECK(map.detail({20, 20, 120, 5}) > 100);
  CHECK(map.content({200, 35, 90, 20}) == 0);
  CHECK(map.detail({200, 35, 90, 20}) > 40);
  CHECK(map.detail({0, 70, 300, 30}) == 0);
  CHECK(map.detail({-10, -10, 15, 15}) == 0);
}

TEST_CASE("tight bounds around text do not make its outer pixels a frame") {
  test::Drawing drawing{200, 60, test::kLight};
  drawing.text(20, 40, "Hamburg", 0.6);
  const PictureRect marks[] = {{20, 26, 86, 18}};
  const DetailMap map{drawing.pixels(), marks};
  CHECK(map.content({20, 26, 5, 18}) > 5);
}

TEST_CASE("counts agree with counting pixel by pixel, whatever the width") {
  for (const int width : {1, 15, 16, 17, 31, 33, 70}) {
    Image image{width, 9, 0x808080};
    for (int i = 0; i < width * 9; i += 5)
      image.set_rgb(i % width, i / width, 0x808090 + static_cast<std::uint32_t>(i % 3));
    const DetailMap map{image, {}};
    const auto far = [](std::uint32_t a, std::uint32_t b) {
      return std::abs(static_cast<int>(a & 0xff) - static_cast<int>(b & 0xff)) > 14;
    };
    int all = 0;
    for (int y = 0; y < 9; ++y) {
      for (int x = 0; x < width; ++x) {
        const bool edge = (x + 1 < width && far(image.rgb(x, y), image.rgb(x + 1, y))) ||
                          (y + 1 < 9 && far(image.rgb(x, y), image.rgb(x, y + 1)));
        all += edge ? 1 : 0;
        CHECK(map.detail({x, y, 1, 1}) == (edge ? 1 : 0));
      }
    }
    CHECK(map.detail({0, 0, width, 9}) == all);
  }
}

TEST_CASE("palette colours stand out from white and black and from each other") {
  for (std::size_t i = 0; i < palette().size(); ++i) {
    CHECK(contrast(palette()[i], 0xffffff) >= 4);
    CHECK(contrast(palette()[i], 0x000000) >= 2.5);
    for (std::size_t j = 0; j < i; ++j) CHECK(colour_distance(palette()[i], palette()[j]) >= 25);
  }
  CHECK(contrast(0xffffff, 0x000000) == doctest::Approx(21));
  CHECK(colour_distance(0x123456, 0x123456) == doctest::Approx(0));
}

TEST_CASE("neighbours have clearly different colours") {
  const Image image{800, 600, 0xffffff};
  std::vector<PictureRect> marks;
  for (int row = 0; row < 12; ++row) {
    for (int column = 0; column < 16; ++column) marks.push_back({column * 40, row * 30, 38, 28});
  }
  const auto colours = mark_colours(image, marks);
  double nearest = 1000;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!intersect(marks[i].inflated(4), marks[j]).empty()) {
        nearest = std::min(nearest, colour_distance(colours[i], colours[j]));
      }
    }
  }
  CHECK(nearest >= 35);
}

TEST_CASE("a mark on a coloured surface takes another colour") {
  for (const std::uint32_t surface : palette()) {
    const Image image{100, 100, surface};
    const PictureRect marks[] = {{20, 20, 40, 20}};
    CHECK(colour_distance(mark_colours(image, marks)[0], surface) >= 50);
  }
}

TEST_CASE("a label is as large as label_size says and clipped at the edges") {
  for (const DigitSize size : {DigitSize::Small, DigitSize::Medium, DigitSize::Large, DigitSize::Huge}) {
    const LabelSize box = label_size(128, size);
    Image image{120, 60, 0x9090a0};
    draw_label(image, 10, 10, 128, size, 0xd50000);
    for (int y = 0; y < 60; ++y) {
      for (int x = 0; x < 120; ++x) {
        const bool inside = PictureRect{10, 10, box.w, box.h}.contains(PicturePoint{x, y});
        CHECK((image.rgb(x, y) != 0x9090a0 || !inside));
        if (!inside) CHECK(image.rgb(x, y) == 0x9090a0);
      }
    }
    draw_label(image, -20, -5, 999, size, 0x12862a);
    draw_label(image, 110, 55, 999, size, 0x12862a);
  }
}

TEST_CASE("the grid finds what a search through all finds") {
  RectGrid grid{500, 400};
  std::vector<PictureRect> rects;
  for (int i = 0; i < 60; ++i) rects.push_back({(i * 83) % 500 - 20, (i * 47) % 400 - 10, 5 + i * 3, 4 + (i * 7) % 90});
  for (std::size_t i = 0; i < rects.size(); ++i) grid.insert(i, rects[i]);
  for (int i = 0; i < 50; ++i) {
    const PictureRect area{(i * 37) % 480, (i * 61) % 390, 1 + i * 2, 30};
    std::vector<std::size_t> found;
    grid.visit(area, [&](std::size_t id, const PictureRect&) { found.push_back(id); });
    std::sort(found.begin(), found.end());
    std::vector<std::size_t> expected;
    for (std::size_t r = 0; r < rects.size(); ++r) {
      if (!intersect(rects[r], area).empty()) expected.push_back(r);
    }
    CHECK(found == expected);
  }
}

}  // namespace deskmark
