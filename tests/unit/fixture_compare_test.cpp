#include <doctest/doctest.h>

#include <algorithm>

#include "perception/fixture/compare.hpp"
#include "perception/fixture/match.hpp"
#include "perception/fixture/page.hpp"
#include "tests/unit/scene_builder.hpp"

namespace deskmark::testing {
namespace {

Mark mark(const std::string& role, const std::string& label, PictureRect bounds) {
  Mark m;
  m.role_word = role;
  m.label = label;
  m.bounds = bounds;
  return m;
}

/// A row of tabs, a form below, two nameless icons and a list whose rows all offer the same.
std::vector<Mark> interface() {
  std::vector<Mark> marks;
  const char* tabs[] = {"General", "Network", "Privacy", "About"};
  for (int i = 0; i < 4; ++i) marks.push_back(mark("page tab", tabs[i], {10 + 90 * i, 5, 84, 28}));
  marks.push_back(mark("push button", "Save", {20, 60, 80, 30}));
  marks.push_back(mark("push button", "Cancel", {120, 60, 80, 30}));
  marks.push_back(mark("check box", "Remember me", {20, 100, 120, 20}));
  marks.push_back(mark("icon", "", {300, 60, 24, 24}));
  marks.push_back(mark("icon", "", {330, 60, 24, 24}));
  for (int i = 0; i < 6; ++i) marks.push_back(mark("push button", "Open", {400, 150 + 30 * i, 60, 24}));
  return marks;
}

std::vector<Difference> differences(const std::vector<Mark>& before, std::vector<Mark> after, Tolerances t = {}) {
  Expected expected;
  expected.tolerances = t;
  expected.marks = before;
  // Numbers as perceive gives them: what comes or goes renumbers the rest.
  for (std::size_t i = 0; i < after.size(); ++i) after[i].index = static_cast<int>(i) + 1;
  for (std::size_t i = 0; i < expected.marks.size(); ++i) expected.marks[i].index = static_cast<int>(i) + 1;
  Scene now;
  now.marks = std::move(after);
  return compare(expected, now, "");
}

std::size_t at(const std::vector<Mark>& marks, const std::string& label) {
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks[i].label == label) return i;
  }
  FAIL("no " << label);
  return 0;
}

}  // namespace

TEST_CASE("nothing changed, in any order") {
  const auto marks = interface();
  CHECK(differences(marks, marks).empty());
  auto turned = marks;
  std::reverse(turned.begin(), turned.end());
  CHECK(differences(marks, turned).empty());
}

TEST_CASE("one pixel of one button is just that") {
  const auto before = interface();
  for (std::size_t i = 0; i < before.size(); ++i) {
    CAPTURE(i);
    auto after = before;
    after[i].bounds.x += 1;
    const auto d = differences(before, after);
    REQUIRE(d.size() == 1);
    CHECK(d[0].changes == std::vector{Change::Moved});
    CHECK(d[0].by == PicturePoint{1, 0});
    CHECK(d[0].before->bounds == before[i].bounds);
    CHECK(d[0].followed.empty());
    CHECK(differences(before, after, {1, 0, {}}).empty());
  }
}

TEST_CASE("a renamed element is renamed") {
  const auto before = interface();
  for (const char* name : {"Save", "Network", "Remember me"}) {
    for (const char* other : {"Store", "Cancel", "", "Übernehmen"}) {
      CAPTURE(name);
      CAPTURE(other);
      auto after = before;
      after[at(before, name)].label = other;
      const auto d = differences(before, after);
      REQUIRE(d.size() == 1);
      CHECK(d[0].changes == std::vector{Change::Renamed});
      CHECK(d[0].before->label == name);
      CHECK(d[0].after->label == other);
    }
  }
}

TEST_CASE("an element that went is missing, and nothing else") {
  const auto before = interface();
  for (std::size_t i = 0; i < before.size(); ++i) {
    CAPTURE(i);
    auto after = before;
    after.erase(after.begin() + static_cast<std::ptrdiff_t>(i));
    const auto d = differences(before, after);
    REQUIRE(d.size() == 1);
    CHECK(d[0].changes == std::vector{Change::Missing});
    CHECK(d[0].before->bounds == before[i].bounds);
    const auto back = differences(after, before);
    REQUIRE(back.size() == 1);
    CHECK(back[0].changes == std::vector{Change::New});
  }
}

TEST_CASE("a removed tab whose neighbours close the gap is one difference") {
  const auto before = interface();
  auto after = before;
  const std::size_t gone = at(before, "Network");
  after.erase(after.begin() + static_cast<std::ptrdiff_t>(gone));
  for (Mark& m : after) {
    if (m.role_word == "page tab" && m.bounds.x > before[gone].bounds.x) m.bounds.x -= 90;
  }
  const auto d = differences(before, after);
  REQUIRE(d.size() == 1);
  CHECK(d[0].changes == std::vector{Change::Missing});
  CHECK(d[0].before->label == "Network");
  CHECK(d[0].followed.size() == 2);
  CHECK(explain(d[0]).find("Privacy") != std::string::npos);
  const auto back = differences(after, before);
  REQUIRE(back.size() == 1);
  CHECK(back[0].changes == std::vector{Change::New});
  CHECK(back[0].followed.size() == 2);
}

TEST_CASE("each kind of change is told apart") {
  const auto before = interface();
  const std::size_t i = at(before, "Save");
  const auto change = [&](auto&& edit) {
    auto after = before;
    edit(after[i]);
    const auto d = differences(before, after);
    REQUIRE(d.size() == 1);
    REQUIRE(d[0].changes.size() == 1);
    return std::pair{d[0].changes[0], explain(d[0])};
  };
  using P = std::pair<Change, std::string>;
  const std::string save = "push button \"Save\" at 20,60: ";
  CHECK(change([](Mark& m) { m.role_word = "toggle button"; }) ==
        P{Change::RoleChanged, save + "role changed to toggle button"});
  CHECK(change([](Mark& m) { m.bounds.w = 90; }) == P{Change::Resized, save + "resized from 80x30 to 90x30"});
  CHECK(change([](Mark& m) { m.value = "50"; }) == P{Change::ValueChanged, save + "value changed from none to \"50\""});
  CHECK(change([](Mark& m) { m.states = {"focused"}; }) == P{Change::StateChanged, save + "states changed: +focused"});
  CHECK(change([](Mark& m) { m.actions = {"click"}; }) == P{Change::ActionsChanged, save + "actions changed: +click"});
  CHECK(change([](Mark& m) { m.source = Source::Vision; }) ==
        P{Change::SourceChanged, save + "seen by vision instead of ax"});
  CHECK(change([](Mark& m) { m.bounds.x += 500; }) == P{Change::Moved, save + "moved by 500,0 px"});
  CHECK(change([](Mark& m) { m.label = "Store"; }) == P{Change::Renamed, save + "renamed to \"Store\""});
}

TEST_CASE("a shifted page is one difference that says what moved") {
  const auto before = interface();
  auto after = before;
  for (Mark& m : after) m.bounds.y += 7;
  const auto d = differences(before, after);
  REQUIRE(d.size() == 1);
  CHECK(d[0].by == PicturePoint{0, 7});
  CHECK(d[0].followed.size() == before.size() - 1);
}

TEST_CASE("tolerances of labels and pictures") {
  auto before = interface();
  auto after = before;
  after[at(before, "Remember me")].label = "Rernember me";
  CHECK(differences(before, after).size() == 1);
  CHECK(differences(before, after, {0, 0.2, {}}).empty());

  Image a{100, 100, 0xffffff};
  Image b = a;
  CHECK(differing_share(a, b) == 0);
  for (int x = 0; x < 100; ++x) b.set_rgb(x, 0, 0xf8f8f8);
  CHECK(differing_share(a, b) == 0);  // no eye sees that
  for (int x = 0; x < 100; ++x) b.set_rgb(x, 0, 0);
  CHECK(differing_share(a, b) == doctest::Approx(0.01));
  CHECK(differing_share(a, Image{100, 99}) == 1);
  CHECK_FALSE(compare_pixels({0, 0, {}}, 1).has_value());
  CHECK_FALSE(compare_pixels({0, 0, 0.01}, 0.01).has_value());
  CHECK(explain(*compare_pixels({0, 0, 0.001}, 0.01)) == "picture: changed: 1.0 % of the pixels differ, 0.1 % may");
}

TEST_CASE("another size of the picture is said") {
  Expected expected;
  expected.width = 100;
  expected.height = 50;
  expected.picture = "0";
  Scene now;
  now.width = 100;
  now.height = 60;
  auto d = compare(expected, now, "1");
  REQUIRE(d.size() == 1);
  CHECK(explain(d[0]) == "picture: resized from 100x50 to 100x60");
  expected.tolerances.pixels = 0;
  CHECK(compare(expected, now, "1").size() == 2);
}

TEST_CASE("expected marks come back from their file") {
  SceneBuilder b;
  b.button(0, "Save <&>", {10, 20, 80, 30});
  const int box = b.add(0, Role::CheckBox, "Box", {10, 60, 90, 20}, {State::Checked, State::Checkable}, {"toggle"});
  b.node(box).value = ValueRange{1, 0, 1, 0};
  const Scene scene = b.scene();
  REQUIRE(scene.marks.size() == 2);
  Expected expected = expected_of(scene, "abc");
  expected.tolerances = {2, 0.1, 0.05};
  FixtureError error;
  const Expected back = expected_from_json(expected_to_json(expected), error);
  REQUIRE_FALSE(static_cast<bool>(error));
  CHECK(expected_to_json(back) == expected_to_json(expected));
  CHECK(back.tolerances.pixels == 0.05);
  CHECK(compare(back, scene, "abc").empty());
}

TEST_CASE("the page escapes what interfaces say and holds both pictures") {
  CheckedFixture f;
  f.name = "<script>alert(1)</script>";
  f.width = 100;
  f.height = 50;
  f.expected_png = {1, 2, 3, 4};
  f.actual_png = {0xff};
  Difference d;
  d.changes = {Change::Renamed};
  d.before = mark("push button", "a", {1, 2, 3, 4});
  d.after = mark("push button", "\"><img src=x onerror=alert(1)>", {1, 2, 3, 4});
  f.differences = {d};
  const std::string page = check_page({f});
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find("<img src=x") == std::string::npos);
  CHECK(page.find("data:image/png;base64,AQIDBA==") != std::string::npos);
  CHECK(page.find("data:image/png;base64,/w==") != std::string::npos);
  CHECK(page.find("http://") == std::string::npos);
  CHECK(page.find("1 difference<") != std::string::npos);
}

TEST_CASE("likeness of texts") {
  CHECK(likeness("", "") == 1);
  CHECK(likeness("Save", "Save") == 1);
  CHECK(likeness("Save", "") == 0);
  CHECK(likeness("Save", "Safe") == doctest::Approx(0.75));
}

}  // namespace deskmark::testing
