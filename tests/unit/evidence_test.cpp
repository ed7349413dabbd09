#include <doctest/doctest.h>

#include "input/evidence.hpp"
#include "input/pixel_change.hpp"
#include "tests/unit/scene_builder.hpp"

namespace deskmark {
namespace {

using testing::SceneBuilder;

/// A window with a button, a check box, an entry, a display and a clock.
struct Desk {
  SceneBuilder look;
  int button, check, entry, display, clock, list, row;
  std::vector<Window> windows;
  Desk() {
    button = look.button(0, "Add", {10, 10, 80, 30});
    check = look.add(0, Role::CheckBox, "Agree", {10, 50, 80, 30});
    entry = look.entry(0, "Name", "", {10, 90, 200, 30});
    display = look.label(0, "0", {10, 130, 80, 30});
    clock = look.label(0, "12:00:01", {10, 170, 80, 30});
    list = look.add(0, Role::List, "", {10, 210, 80, 90});
    row = look.add(list, Role::ListItem, "Oslo", {10, 210, 80, 30});
    windows.push_back(look.seen.target);
  }
  [[nodiscard]] Seen seen() const { return {look.seen, windows}; }
};

Judgement judged(Promise promise, const Desk& before, const Desk& after, int object, const std::string& text = "",
                 const Desk* earlier = nullptr, Action action = Action::Click) {
  Wanted wanted;
  wanted.promise = promise;
  wanted.action = action;
  wanted.object = before.look.seen.nodes[static_cast<std::size_t>(object)].ref;
  wanted.text = text;
  return judge(wanted, earlier ? earlier->look.seen : before.look.seen, before.seen(), after.seen());
}

}  // namespace

TEST_CASE("nothing changed: nothing is confirmed") {
  const Desk before;
  const Desk after;
  CHECK(judged(Promise::None, before, after, before.button).evidence.empty());
  for (const Promise p : {Promise::Toggles, Promise::Checks, Promise::Selects, Promise::Expands, Promise::Focuses})
    CHECK_FALSE(judged(p, before, after, before.check).kept);
}

TEST_CASE("a toggle is kept only by its own state") {
  const Desk before;
  Desk after;
  after.look.node(after.check).states.set(State::Checked);
  CHECK(judged(Promise::Toggles, before, after, before.check).kept);
  CHECK_FALSE(judged(Promise::Toggles, before, after, before.button).kept);
}

TEST_CASE("a button that writes to a display is confirmed by it; a clock is not evidence") {
  const Desk before;
  Desk after;
  after.look.node(after.clock).name = "12:00:02";
  CHECK(judged(Promise::None, before, after, before.button).evidence.empty());
  after.look.node(after.display).name = "Sum";
  CHECK_FALSE(judged(Promise::None, before, after, before.button).evidence.empty());
}

TEST_CASE("a number that goes on has to rest before it counts") {
  Desk before;
  Desk after;
  before.look.node(before.display).name = "Ticks: 7";
  after.look.node(after.display).name = "Ticks: 8";
  const Judgement ticking = judged(Promise::None, before, after, before.button);
  CHECK(ticking.evidence.empty());
  CHECK(ticking.ticking.size() == 1);
  // Digits put behind others are what a calculator shows.
  before.look.node(before.display).name = "7";
  after.look.node(after.display).name = "78";
  CHECK_FALSE(judged(Promise::None, before, after, before.button).evidence.empty());
}

TEST_CASE("what changed before anything was sent changes by itself") {
  Desk earlier;
  Desk before;
  Desk after;
  earlier.look.node(earlier.display).name = "spring";
  before.look.node(before.display).name = "summer";
  after.look.node(after.display).name = "autumn";
  CHECK(judged(Promise::None, before, after, before.button, "", &earlier).evidence.empty());
}

TEST_CASE("the focus that a click moves is no effect of a button; keys may move it") {
  const Desk before;
  Desk after;
  after.look.node(after.entry).states.set(State::Focused);
  CHECK(judged(Promise::None, before, after, before.button).evidence.empty());
  CHECK_FALSE(judged(Promise::None, before, after, before.button, "", nullptr, Action::Key).evidence.empty());
}

TEST_CASE("windows of the program are evidence, others are not") {
  const Desk before;
  Desk after;
  Window other;
  other.id = 99;
  other.pid = 4711;
  after.windows.push_back(other);
  CHECK(judged(Promise::None, before, after, before.button).evidence.empty());
  after.windows.back().owner = 1;
  CHECK_FALSE(judged(Promise::None, before, after, before.button).evidence.empty());
  after.windows.back().type = WindowType::Tooltip;
  CHECK(judged(Promise::None, before, after, before.button).evidence.empty());
}

TEST_CASE("a list shows its choice by selection, itself or by the row around a label") {
  const Desk before;
  Desk after;
  CHECK_FALSE(judged(Promise::Selects, before, after, before.list, "Oslo").kept);
  after.look.node(after.row).states.set(State::Selected);
  CHECK(judged(Promise::Selects, before, after, before.list, "Oslo").kept);
  CHECK(judged(Promise::Selects, before, after, before.list, "oslo").kept);
  CHECK_FALSE(judged(Promise::Selects, before, after, before.list, "Rome").kept);
}

TEST_CASE("a text that is no longer read does not count as set") {
  const Desk before;
  Desk after;
  CHECK_FALSE(judged(Promise::TextBecomes, before, after, before.entry, "abc").kept);
  after.look.node(after.entry).text = "abc";
  after.look.node(after.entry).text_length = 3;
  CHECK(judged(Promise::TextBecomes, before, after, before.entry, "abc").kept);
  CHECK_FALSE(judged(Promise::TextBecomes, before, after, before.entry, "abd").kept);
}

TEST_CASE("pixels: a caret is not telling, restless places and the control itself are left out") {
  SceneBuilder before;
  SceneBuilder after;
  before.paint(0xffffff);
  after.paint(0xffffff);
  CHECK(pixel_change(nullptr, before.seen, after.seen, {}).pixels == 0);
  after.paint({100, 100, 2, 16}, 0x000000);
  CHECK_FALSE(pixel_change(nullptr, before.seen, after.seen, {}).telling());
  after.paint({200, 100, 40, 16}, 0x000000);
  const PixelChange change = pixel_change(nullptr, before.seen, after.seen, {});
  CHECK(change.telling());
  CHECK_FALSE(pixel_change(nullptr, before.seen, after.seen, {DeviceRect{200, 150, 200, 16}}).telling());
  SceneBuilder earlier;
  earlier.paint(0xffffff);
  earlier.paint({200, 100, 40, 16}, 0xff0000);
  CHECK_FALSE(pixel_change(&earlier.seen, before.seen, after.seen, {}).telling());
  SceneBuilder bare;
  CHECK_FALSE(pixel_change(nullptr, bare.seen, after.seen, {}).comparable);
}

}  // namespace deskmark
