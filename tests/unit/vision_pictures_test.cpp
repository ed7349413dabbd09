// Crops of real programs: what has to be found in them.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "perception/marks/picture_file.hpp"
#include "perception/vision/regions.hpp"

using namespace deskmark;

namespace {

struct Expected {
  RegionKind kind;
  PictureRect bounds;
};

void check(const std::string& file, const std::vector<Expected>& expected, int at_most) {
  CAPTURE(file);
  const LoadedPicture loaded = load_picture(std::string{DESKMARK_SOURCE_ROOT} + "/tests/unit/data/" + file);
  REQUIRE_MESSAGE(loaded.ok(), loaded.error);
  const std::vector<Region> regions = find_regions(loaded.image);
  int acting = 0;
  for (const Region& r : regions) acting += interactable(r.kind);
  CHECK(acting <= at_most);
  for (const Expected& e : expected) {
    CAPTURE(region_kind_name(e.kind));
    CAPTURE(e.bounds.x);
    CAPTURE(e.bounds.y);
    CHECK(std::any_of(regions.begin(), regions.end(),
                      [&](const Region& r) { return r.kind == e.kind && iou(r.bounds, e.bounds) > 0.8; }));
  }
}

}  // namespace

TEST_CASE("GTK 3, dark: combo boxes with an entry, a field with a button in it, linked buttons") {
  check("gtk3_dark.png",
        {{RegionKind::ComboBox, {5, 6, 350, 34}},
         {RegionKind::ComboBox, {5, 50, 350, 34}},
         {RegionKind::Field, {5, 94, 350, 34}},
         {RegionKind::Icon, {328, 102, 20, 20}},
         {RegionKind::Field, {5, 138, 350, 34}},
         {RegionKind::Field, {5, 182, 315, 34}},
         {RegionKind::Button, {319, 182, 36, 34}},
         {RegionKind::ComboBox, {122, 226, 117, 24}}},
        10);
}

TEST_CASE("Qt 5: a form") {
  check("qt5_form.png",
        {{RegionKind::Field, {93, 11, 347, 26}},
         {RegionKind::Field, {93, 43, 347, 26}},
         {RegionKind::ComboBox, {93, 75, 347, 26}},
         {RegionKind::Slider, {90, 137, 353, 21}},
         {RegionKind::CheckBox, {20, 169, 115, 14}},
         {RegionKind::CheckBox, {20, 199, 129, 15}},
         {RegionKind::RadioButton, {32, 262, 53, 14}},
         {RegionKind::RadioButton, {32, 292, 63, 15}}},
        11);
}

TEST_CASE("a web form: fields, boxes and discs without their text, a range") {
  check("web_form.png",
        {{RegionKind::Field, {16, 17, 318, 24}},
         {RegionKind::Field, {16, 68, 318, 24}},
         {RegionKind::CheckBox, {20, 158, 13, 13}},
         {RegionKind::CheckBox, {142, 158, 13, 13}},
         {RegionKind::RadioButton, {21, 192, 13, 13}},
         {RegionKind::Slider, {70, 221, 133, 24}}},
        12);
}
