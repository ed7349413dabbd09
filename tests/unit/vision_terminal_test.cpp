#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "perception/vision/regions.hpp"
#include "tests/unit/canvas.hpp"

using namespace deskmark;
using namespace deskmark::testing;

namespace {

const std::vector<std::string> kSession = {"user@host:~$ ls -l /usr",          "total 96",
                                           "drwxr-xr-x 2 root root 40960 bin", "drwxr-xr-x 2 root root  4096 games",
                                           "drwxr-xr-x 9 root root 12288 lib", "user@host:~$ make install"};

/// Each glyph in the middle of its cell.
void fixed_width(Canvas& c, const std::string& line, int x, int y, int advance) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == ' ') continue;
    int base = 0;
    const std::string glyph(1, line[i]);
    const int w = cv::getTextSize(glyph, cv::FONT_HERSHEY_SIMPLEX, 0.42, 1, &base).width;
    c.text(glyph, x + static_cast<int>(i) * advance + (advance - w) / 2, y);
  }
}

std::vector<Region> acting(const Image& image) {
  std::vector<Region> out;
  for (const Region& r : find_parts(image).regions) {
    if (interactable(r.kind)) out.push_back(r);
  }
  return out;
}

}  // namespace

TEST_CASE("a window of lines in a fixed-width font is one terminal") {
  for (const Theme& theme : {kLight, kDark, kContrast}) {
    for (const std::size_t lines : {std::size_t{3}, kSession.size()}) {
      CAPTURE(theme.window);
      CAPTURE(lines);
      Canvas c{480, 300, theme};
      for (std::size_t i = 0; i < lines; ++i) fixed_width(c, kSession[i], 4, 12 + static_cast<int>(i) * 18, 10);
      const std::vector<Region> found = acting(c.image);
      REQUIRE(found.size() == 1);
      CHECK(found[0].kind == RegionKind::Terminal);
      CHECK(found[0].bounds == PictureRect{0, 0, 480, 300});
      CHECK(found[0].text.size() >= lines);
    }
  }
}

TEST_CASE("a terminal that shows nothing but its cursor") {
  Canvas c{480, 300, kDark};
  c.box(2, 2, 9, 18, kDark.ink, kDark.ink);
  const std::vector<Region> found = acting(c.image);
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == RegionKind::Terminal);
}

TEST_CASE("texts in a proportional font, and forms, are no terminal") {
  Canvas text{480, 300, kLight};
  for (std::size_t i = 0; i < kSession.size(); ++i) text.text(kSession[i], 4, 12 + static_cast<int>(i) * 18);
  Canvas form{480, 300, kLight};
  form.text("First name", 20, 40);
  form.box(120, 24, 240, 30, kLight.face, kLight.line);
  form.button("Cancel", 180, 200, 90, 32);
  form.button("Accept", 290, 200, 90, 32);
  for (const Canvas* c : {&text, &form}) {
    for (const Region& r : find_parts(c->image).regions) CHECK(r.kind != RegionKind::Terminal);
  }
}
