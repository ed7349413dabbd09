#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "perception/fixture/fixture.hpp"
#include "perception/fixture/observation_json.hpp"
#include "perception/fixture/png.hpp"
#include "tests/unit/fixture_folder.hpp"
#include "tests/unit/scene_builder.hpp"

namespace deskmark::testing {
namespace {

Image noise(int width, int height, unsigned colours) {
  Image image{width, height};
  unsigned seed = 7;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      seed = seed * 1664525 + 1013904223;
      image.set_rgb(x, y, (seed >> 8) % colours * (0xffffff / colours));
    }
  }
  return image;
}

/// Every field holds something other than its default.
Recording full_recording() {
  SceneBuilder b{Toolkit::Gtk4};
  const int entry = b.entry(0, "Näme \"quoted\"\n", "text \xE2\x9C\x93", {10, 10, 100, 20});
  const int box = b.add(0, Role::CheckBox, "Box", {10, 40, 100, 20}, {State::Checked, State::ReadOnly}, {"toggle"});
  b.surface(WindowType::Menu, {20, 60, 100, 100}, Role::Menu, "menu");
  Observation& o = b.seen;
  Accessible& n = b.node(entry);
  n.description = "description";
  n.accessible_id = "id";
  n.value = ValueRange{0.1, -3, 1e100, 1.0 / 3};
  n.text_length = 12;
  n.caret = 0;
  n.index_in_parent = 4;
  n.child_count = 9;
  n.attributes = {{"tag", "input"}, {"placeholder-text", ""}};
  n.labelled_by = {box};
  n.toolkit = Toolkit::Chromium;
  n.surface = 4000000000U;
  n.ref = {":1.99", "/org/x"};
  n.interfaces = IfaceSet{0x1fff};
  b.node(box).states = StateSet{b.node(box).states.bits() | std::uint64_t{1} << 60};
  b.node(box).role = static_cast<Role>(999);
  Window& w = o.surfaces[1].window;
  w.wm_class = "Class";
  w.wm_instance = "instance";
  w.pid = 0;
  w.process = "process";
  w.desktop_id = "org.example.App";
  w.z = -3;
  w.modal = w.minimized = w.focused = w.off_screen = true;
  o.surfaces[1].grabbed = {1, 2, 3, 4};
  o.app = "app";
  o.complete = false;
  o.tree = TreeStatus::Unresponsive;
  o.warnings = {{"ocr_budget", "left out"}};
  o.text = {{"two words", {5, 6, 70, 8}, 0.123456789, {{"two", {5, 6, 30, 8}, 0.5}, {"words", {40, 6, 35, 8}, 1}}}};
  o.pixels = std::make_shared<const Image>(noise(800, 600, 4096));
  Recording r;
  r.observation = o;
  r.deskmark = "1.2.3";
  r.toolkit_version = "4.8.3";
  r.languages = "eng+deu";
  r.masked = "text";
  r.timings = {{"tree", 12.5}};
  return r;
}

Recording read_back(const std::string& folder) {
  auto read = read_fixture(folder);
  if (const auto* error = std::get_if<FixtureError>(&read)) FAIL(describe(*error));
  return std::get<Recording>(std::move(read));
}

}  // namespace

TEST_CASE("an observation comes back whole") {
  const TemporaryFolder folder;
  const Recording before = full_recording();
  REQUIRE_FALSE(static_cast<bool>(write_fixture(folder.path(), before)));
  const Recording after = read_back(folder.path());
  // The text holds every field of the model (the writer does not compile else): the same text, the same values.
  CHECK(observation_to_json(after, kPictureFile) == observation_to_json(before, kPictureFile));
  REQUIRE(after.observation.pixels);
  CHECK(after.observation.pixels->bgrx == before.observation.pixels->bgrx);

  const Accessible& n = after.observation.nodes[1];
  const Accessible& was = before.observation.nodes[1];
  CHECK(n.name == was.name);
  CHECK(n.text == was.text);
  CHECK(n.value == was.value);
  CHECK(n.states == was.states);
  CHECK(n.interfaces == was.interfaces);
  CHECK(n.attributes == was.attributes);
  CHECK(n.labelled_by == was.labelled_by);
  CHECK(n.surface == was.surface);
  CHECK(n.ref == was.ref);
  CHECK(n.extents == was.extents);
  CHECK(after.observation.nodes[2].states == before.observation.nodes[2].states);
  CHECK(after.observation.nodes[2].role == static_cast<Role>(999));
  CHECK(after.observation.surfaces[1].window.pid == 0);
  CHECK_FALSE(after.observation.surfaces[0].window.pid.has_value());
  CHECK(after.observation.text[0].confidence == 0.123456789);
  CHECK(after.timings == before.timings);
}

TEST_CASE("a fixture replays to the scene that was seen") {
  const TemporaryFolder folder;
  SceneBuilder b;
  b.button(0, "Save", {10, 20, 80, 30});
  b.entry(0, "Name", "text", {10, 60, 200, 30});
  Recording r;
  r.observation = b.seen;
  r.observation.pixels = std::make_shared<const Image>(Image{800, 600, 0xeeeeee});
  REQUIRE_FALSE(static_cast<bool>(write_fixture(folder.path(), r)));
  const Scene live = perceive(r.observation, {});
  const Scene replayed = perceive(read_back(folder.path()).observation, {});
  REQUIRE(live.marks.size() == 2);
  CHECK(render_summary(replayed) == render_summary(live));
  CHECK(render_outline(replayed, 10000) == render_outline(live, 10000));
}

TEST_CASE("pictures come back with each pixel, with and without a palette") {
  for (const unsigned colours : {1U, 2U, 256U, 257U, 100000U}) {
    const Image before = noise(61, 47, colours);
    const auto bytes = small_png(before);
    FixtureError error;
    const Image after = read_png(bytes, "p.png", error);
    CHECK_FALSE(static_cast<bool>(error));
    CHECK(after.bgrx == before.bgrx);
    CHECK(picture_checksum(after) == picture_checksum(before));
  }
  Image a{3, 2, 0x102030};
  const std::string sum = picture_checksum(a);
  a.set_rgb(2, 1, 0x102031);
  CHECK(picture_checksum(a) != sum);
  CHECK(small_png(Image{}).empty());
}

TEST_CASE("what a program reports beyond reason is bounded, not refused when read back") {
  SceneBuilder b;
  const int i = b.button(0, "x", {0, 0, 10, 10});
  b.node(i).extents = {std::numeric_limits<int>::min(), 5, std::numeric_limits<int>::max(), -7};
  b.node(i).value = ValueRange{std::nan(""), 0, 1, 0};
  b.node(i).child_count = -5;
  b.node(i).name = "bad \xff utf8";
  Recording r;
  r.observation = b.seen;
  FixtureError error;
  std::string picture;
  const Recording back = observation_from_json(observation_to_json(r, ""), picture, error);
  INFO(describe(error));
  REQUIRE_FALSE(static_cast<bool>(error));
  CHECK(back.observation.nodes[1].name == "bad  utf8");
  CHECK_FALSE(back.observation.nodes[1].value.has_value());
  CHECK(back.observation.nodes[1].extents.empty());
  CHECK(picture.empty());
}

TEST_CASE("an observation without pixels is a fixture too") {
  const TemporaryFolder folder;
  Recording r;
  r.observation = SceneBuilder{}.seen;
  REQUIRE_FALSE(static_cast<bool>(write_fixture(folder.path(), r)));
  CHECK_FALSE(std::filesystem::exists(folder.path() + "/pixels.png"));
  CHECK_FALSE(read_back(folder.path()).observation.pixels);
}

}  // namespace deskmark::testing
