#include "perception/marks/overlay.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>

#include "perception/marks/palette.hpp"
#include "tests/unit/overlay_scenes.hpp"

namespace deskmark {
namespace {

using test::Drawing;
using test::Theme;

/// Labels that reach into the box around a text by more than a pixel each way.
int in_text_boxes(const Drawing& drawing, const Overlay& overlay) {
  int found = 0;
  for (const PlacedLabel& label : overlay.labels) {
    for (const PictureRect& text : drawing.texts()) {
      const PictureRect both = intersect(label.box, text);
      found += both.w > 1 && both.h > 1 ? 1 : 0;
    }
  }
  return found;
}

/// The promises every overlay keeps, whatever the scene.
void check_promises(const Drawing& drawing, const Overlay& overlay) {
  const Scene& scene = drawing.scene();
  const cv::Mat ink = drawing.ink();
  const PictureRect whole{0, 0, scene.width, scene.height};
  REQUIRE(overlay.picture.width == scene.width);
  REQUIRE(overlay.picture.height == scene.height);
  REQUIRE(overlay.labels.size() == scene.marks.size());
  int left_off = 0;
  int overlaps = 0;
  int outside = 0;
  int covered = 0;
  int astray = 0;
  for (std::size_t i = 0; i < overlay.labels.size(); ++i) {
    const PlacedLabel& label = overlay.labels[i];
    CHECK(label.index == scene.marks[i].index);
    if (label.box.empty()) {
      ++left_off;
      continue;
    }
    outside += whole.contains(label.box) ? 0 : 1;
    covered += cv::countNonZero(ink(cv::Rect{label.box.x, label.box.y, label.box.w, label.box.h}));
    const bool touches = !intersect(label.box.inflated(1), scene.marks[i].bounds).empty();
    astray += touches || label.leader ? 0 : 1;
    for (std::size_t j = i + 1; j < overlay.labels.size(); ++j) {
      overlaps += intersect(label.box, overlay.labels[j].box).empty() ? 0 : 1;
    }
  }
  CHECK(left_off == overlay.left_off);
  CHECK(overlaps == 0);
  CHECK(outside == 0);
  CHECK(covered == 0);
  CHECK(astray == 0);
}

int leaders(const Overlay& overlay) {
  return static_cast<int>(
      std::count_if(overlay.labels.begin(), overlay.labels.end(), [](const PlacedLabel& l) { return l.leader; }));
}

struct Case {
  std::string name;
  std::function<Drawing(Theme)> draw;
};
const Case kCases[] = {
    {"calculator", test::calculator},
    {"tool bars", test::toolbar},
    {"12-pixel icons", [](Theme t) { return test::tiny_icons(t, 0); }},
    {"12-pixel icons, three digits", [](Theme t) { return test::tiny_icons(t, 200); }},
    {"dense list", [](Theme t) { return test::dense_list(t, 24); }},
    {"spreadsheet", test::spreadsheet},
    {"document", test::document},
    {"dialog", test::dialog},
};

}  // namespace

TEST_CASE("labels never overlap, never cover content, stay in the picture and belong to a mark; none is left off") {
  for (const Case& c : kCases) {
    for (const Theme& theme : {test::kLight, test::kDark}) {
      INFO(c.name << (theme.back == test::kDark.back ? ", dark" : ", light"));
      const Drawing drawing = c.draw(theme);
      const Overlay overlay = draw_marks(drawing.pixels(), drawing.scene());
      check_promises(drawing, overlay);
      CHECK(overlay.left_off == 0);
      // Links amid paragraphs have no room but between the lines.
      if (c.name != "document") CHECK(in_text_boxes(drawing, overlay) == 0);
    }
  }
}

TEST_CASE("the same holds in a reduced picture, whose numbers are drawn after reducing") {
  for (const Case& c : kCases) {
    INFO(c.name);
    Drawing drawing = c.draw(test::kLight);
    drawing.reduce_to(drawing.scene().width * 7 / 10);
    const Overlay overlay = draw_marks(drawing.pixels(), drawing.scene());
    check_promises(drawing, overlay);
    if (c.name != "document") CHECK(in_text_boxes(drawing, overlay) == 0);
    // Full size digits, not shrunk ones: the smallest label is 9x11.
    for (const PlacedLabel& label : overlay.labels) CHECK((label.box.empty() || label.box.h >= 11));
  }
}

TEST_CASE("the same scene gives the same bytes") {
  for (const Case& c : kCases) {
    INFO(c.name);
    const Drawing drawing = c.draw(test::kLight);
    const Overlay first = draw_marks(drawing.pixels(), drawing.scene());
    const Overlay second = draw_marks(drawing.pixels(), drawing.scene());
    CHECK(first.picture.bgrx == second.picture.bgrx);
  }
}

TEST_CASE("where icons are narrower than numbers, labels are staggered with leader lines") {
  const Drawing drawing = test::tiny_icons(test::kLight, 200);
  const Overlay overlay = draw_marks(drawing.pixels(), drawing.scene());
  CHECK(leaders(overlay) > 10);
  const Drawing roomy = test::dialog(test::kLight);
  CHECK(leaders(draw_marks(roomy.pixels(), roomy.scene())) == 0);
}

TEST_CASE("a label without any room is left off and counted, the others stay") {
  // A picture that is nothing but content.
  Drawing drawing{60, 30, test::kLight};
  for (int y = 0; y < 30; y += 3) drawing.text(0, y, "WMWMWMWMW");
  drawing.mark({5, 5, 20, 20});
  drawing.mark({30, 5, 20, 20});
  drawing.mark({0, 0, 60, 30});
  const Overlay overlay = draw_marks(drawing.pixels(), drawing.scene());
  check_promises(drawing, overlay);
  CHECK(overlay.left_off == 3);
}

TEST_CASE("every mark is outlined at its bounds") {
  const Drawing drawing = test::dialog(test::kLight);
  const Overlay overlay = draw_marks(drawing.pixels(), drawing.scene());
  for (const Mark& mark : drawing.scene().marks) {
    // Along the left side, one pixel in or out, outside labels, the picture has changed.
    int changed = 0;
    for (int y = mark.bounds.y; y < mark.bounds.bottom(); ++y) {
      for (const int x : {mark.bounds.x - 1, mark.bounds.x}) {
        changed += overlay.picture.rgb(x, y) != drawing.pixels().rgb(x, y) ? 1 : 0;
      }
    }
    CHECK(changed >= mark.bounds.h);
  }
}

TEST_CASE("outlines stand out from light and dark") {
  for (const Theme& theme : {test::kLight, test::kDark}) {
    Drawing drawing{200, 100, theme};
    for (int i = 0; i < 8; ++i) drawing.mark({10 + i * 22, 40, 20, 20});
    const Overlay overlay = draw_marks(drawing.pixels(), drawing.scene());
    for (const Mark& mark : drawing.scene().marks) {
      // The strongest of line and halo along a column through the middle of the top side.
      double best = 1;
      for (int y = mark.bounds.y - 1; y <= mark.bounds.y; ++y) {
        best = std::max(best, contrast(overlay.picture.rgb(mark.bounds.right() - 3, y), theme.back));
      }
      CHECK(best >= 2.2);
    }
  }
}

TEST_CASE("marks outside, empty or partly outside the picture are harmless") {
  Drawing drawing{100, 80, test::kLight};
  drawing.mark({-50, -50, 20, 20});
  drawing.mark({90, 70, 500, 500});
  drawing.mark({10, 10, 0, 0});
  drawing.mark({-20, 20, 60, 20});
  constexpr int kMost = std::numeric_limits<int>::max();
  drawing.mark({kMost, kMost, kMost, kMost});
  drawing.mark({std::numeric_limits<int>::min(), 10, kMost, kMost});
  const Overlay overlay = draw_marks(drawing.pixels(), drawing.scene());
  CHECK(overlay.left_off == 4);
  CHECK(overlay.labels[0].box.empty());
  CHECK(overlay.labels[2].box.empty());
  CHECK_FALSE(overlay.labels[1].box.empty());
  CHECK_FALSE(overlay.labels[3].box.empty());

  const Overlay nothing = draw_marks({}, drawing.scene());
  CHECK(nothing.picture.empty());
  CHECK(nothing.left_off == 6);
}

TEST_CASE("without marks the picture is delivered as it is") {
  const Drawing drawing = test::dialog(test::kDark);
  Scene scene = drawing.scene();
  scene.marks.clear();
  const Overlay overlay = draw_marks(drawing.pixels(), scene);
  CHECK(overlay.picture.bgrx == drawing.pixels().bgrx);
}

}  // namespace deskmark
