#include <doctest/doctest.h>

#include <cmath>

#include "input/x11/hand.hpp"
#include "input/x11/script.hpp"

using namespace deskmark;
using namespace deskmark::x11_input;

TEST_CASE("pasting: newline and tab stay keys, the rest is cut there") {
  const auto pieces = pieces_for_pasting("äb\r\n漢\t\n");
  REQUIRE(pieces);
  REQUIRE(pieces->size() == 5);
  CHECK((*pieces)[0].text == "äb");
  CHECK((*pieces)[0].length == 2);
  CHECK((*pieces)[1].key == XK_Return);
  CHECK((*pieces)[2].text == "漢");
  CHECK((*pieces)[3].key == XK_Tab);
  CHECK((*pieces)[4].key == XK_Return);
  CHECK((*pieces)[4].text.empty());
}

TEST_CASE("pasting: control characters have no way") {
  CHECK_FALSE(pieces_for_pasting("a\x07"));
  CHECK_FALSE(pieces_for_pasting("\x1b[0m"));
  CHECK_FALSE(pieces_for_pasting("\x7f"));
  CHECK(pieces_for_pasting("")->empty());
}

TEST_CASE("a pointer's way: even steps that end at the target") {
  const auto points = way({0, 0}, {120, 0}, Pacing{});
  REQUIRE(points.size() == 12);
  CHECK(points.front() == DevicePoint{10, 0});
  CHECK(points.back() == DevicePoint{120, 0});
}

TEST_CASE("a pointer's way like a person's: eased, not straight, and exact at the end") {
  Pacing pacing;
  pacing.human_like = true;
  pacing.motion_steps = 40;
  const auto points = way({100, 100}, {900, 500}, pacing);
  REQUIRE(points.size() == 40);
  CHECK(points.back() == DevicePoint{900, 500});
  const auto length = [&](std::size_t i) {
    return std::hypot(points[i + 1].x - points[i].x, points[i + 1].y - points[i].y);
  };
  CHECK(length(0) * 2 < length(19));
  CHECK(length(37) * 2 < length(19));
  bool aside = false;
  for (const DevicePoint p : points) aside = aside || std::abs((p.x - 100) * 400 - (p.y - 100) * 800) > 2 * 894;
  CHECK(aside);
}
