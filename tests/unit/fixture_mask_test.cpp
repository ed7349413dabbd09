#include <doctest/doctest.h>

#include "perception/fixture/mask.hpp"
#include "perception/fixture/observation_json.hpp"
#include "tests/unit/scene_builder.hpp"

namespace deskmark::testing {
namespace {

constexpr std::uint32_t kInk = 0x101010;
constexpr std::uint32_t kPaper = 0xfafafa;
constexpr std::uint32_t kLine = 0x808080;

/// A white window; `box` outlined, with ink of letter shapes inside.
void draw_text(Image& image, PictureRect r) {
  for (int y = r.y; y < r.bottom(); ++y) {
    for (int x = r.x; x < r.right(); ++x) {
      if ((x / 2 + y / 3) % 3 == 0) image.set_rgb(x, y, kInk);
    }
  }
}

void draw_outline(Image& image, PictureRect r) {
  for (int x = r.x; x < r.right(); ++x) image.set_rgb(x, r.y, kLine), image.set_rgb(x, r.bottom() - 1, kLine);
  for (int y = r.y; y < r.bottom(); ++y) image.set_rgb(r.x, y, kLine), image.set_rgb(r.right() - 1, y, kLine);
}

int ink_in(const Image& image, PictureRect r) {
  int n = 0;
  for (int y = r.y; y < r.bottom(); ++y) {
    for (int x = r.x; x < r.right(); ++x) n += image.rgb(x, y) == kInk;
  }
  return n;
}

std::string text_of(const Observation& o) {
  Recording r;
  r.observation = o;
  return observation_to_json(r, "");
}

}  // namespace

TEST_CASE("passwords leave neither text nor pixels") {
  SceneBuilder b;
  const int by_role = b.add(0, Role::PasswordText, "Password", {20, 20, 200, 30}, {State::Editable});
  b.node(by_role).text = "secret-one";
  b.node(by_role).text_length = 10;
  b.node(by_role).caret = 10;
  const int inner = b.add(by_role, Role::Text, "secret-two", {22, 22, 196, 26});
  b.node(inner).text = "secret-three";
  const int by_attribute = b.add(0, Role::Entry, "PIN", {20, 80, 200, 30}, {State::Editable});
  b.node(by_attribute).attributes["text-input-type"] = "password";
  b.node(by_attribute).text = "secret-four";
  const int by_dots = b.add(0, Role::Text, "Key", {20, 200, 200, 30}, {State::Editable});
  b.node(by_dots).attributes["secret"] = "true";
  b.node(by_dots).text = "secret-six";
  const int plain = b.entry(0, "User", "visible name", {20, 140, 200, 30});
  b.seen.text = {{"secret-five", {125, 75, 80, 15}, 0.9, {{"secret-five", {125, 75, 80, 15}, 0.9}}},
                 {"visible line", {125, 300, 80, 15}, 0.9, {}}};
  Image image{800, 600, kPaper};
  for (const PictureRect r :
       {PictureRect{20, 20, 200, 30}, {20, 80, 200, 30}, {20, 140, 200, 30}, {20, 200, 200, 30}}) {
    draw_outline(image, r);
    draw_text(image, r.inflated(-5));
  }
  // Without room between text and edge, as where only the inside of a field is reported.
  draw_text(image, {20, 80, 60, 30});
  b.seen.pixels = std::make_shared<const Image>(image);
  REQUIRE(ink_in(image, {20, 20, 200, 30}) > 100);

  mask_passwords(b.seen);
  const std::string json = text_of(b.seen);
  CHECK(json.find("secret-") == std::string::npos);
  CHECK(json.find("Password") != std::string::npos);
  CHECK(json.find("visible name") != std::string::npos);
  CHECK(json.find("visible line") != std::string::npos);
  CHECK(b.node(by_role).text_length == 0);
  CHECK(b.node(by_role).caret == -1);
  CHECK(ink_in(*b.seen.pixels, {20, 20, 200, 30}) == 0);
  CHECK(ink_in(*b.seen.pixels, {20, 200, 200, 30}) == 0);
  CHECK(ink_in(*b.seen.pixels, {26, 80, 188, 30}) == 0);
  CHECK(ink_in(*b.seen.pixels, {20, 140, 200, 30}) == ink_in(image, {20, 140, 200, 30}));
  CHECK(b.seen.pixels->rgb(100, 20) == kLine);  // the field is still seen to be one
  CHECK(b.node(plain).text == "visible name");
}

TEST_CASE("masking all text keeps structure and hides what is written") {
  SceneBuilder b;
  b.seen.target.title = b.seen.surfaces[0].window.title = "secret title 42";
  const int button = b.button(0, "secret bütton", {20, 20, 120, 30});
  b.node(button).description = "secret";
  b.node(button).accessible_id = "secret";
  b.node(button).attributes = {{"placeholder-text", "secret"}, {"tag", "button"}};
  b.label(0, "secret label", {20, 100, 120, 20});
  b.seen.nodes[0].name = "secret frame";
  b.seen.text = {{"secret words", {120, 70, 100, 12}, 0.9, {{"secret", {120, 70, 40, 12}, 0.9}}}};
  b.seen.warnings = {{"code_word", "secret message"}};
  Image image{800, 600, kPaper};
  draw_text(image, {30, 28, 90, 12});    // seen as a line of text
  draw_text(image, {20, 100, 120, 20});  // a label that nothing saw
  draw_text(image, {300, 300, 50, 50});  // a photograph
  b.seen.pixels = std::make_shared<const Image>(image);
  const Observation before = b.seen;

  mask_text(b.seen, {{{30, 28, 90, 12}}, {{300, 300, 50, 50}}});
  const std::string json = text_of(b.seen);
  CHECK(json.find("secret") == std::string::npos);
  CHECK(json.find("xxxxxx xxxxxx") != std::string::npos);
  CHECK(json.find("xxxxxx xxxxx 00") != std::string::npos);
  CHECK(json.find("\"tag\":\"button\"") != std::string::npos);
  CHECK(b.seen.nodes[1].extents == before.nodes[1].extents);
  CHECK(ink_in(*b.seen.pixels, {0, 0, 800, 600}) == 0);
  CHECK(b.seen.pixels->rgb(70, 34) != kPaper);  // a bar says that there was text
}

TEST_CASE("a dialog over a password field stays as it is") {
  SceneBuilder b;
  const int field = b.add(0, Role::PasswordText, "Password", {20, 20, 200, 30}, {State::Editable});
  b.node(field).surface = 1;
  b.surface(WindowType::Dialog, {100, 10, 300, 200}, Role::Dialog, "question");
  b.seen.surfaces[1].window.override_redirect = false;
  Image image{800, 600, kPaper};
  draw_text(image, {30, 26, 180, 16});
  b.seen.pixels = std::make_shared<const Image>(image);
  mask_passwords(b.seen);
  CHECK(ink_in(*b.seen.pixels, {20, 20, 80, 30}) == 0);
  CHECK(ink_in(*b.seen.pixels, {100, 20, 120, 30}) == ink_in(image, {100, 20, 120, 30}));
}

TEST_CASE("masking bears any rectangle") {
  SceneBuilder b;
  for (const DeviceRect r : {DeviceRect{-2147483647, 0, 100, 100},
                             {100, 50, 2147483647, 2147483647},
                             {899, 649, 1, 1},
                             {0, 0, 0, 0},
                             {850, 600, 300, 300}}) {
    const int i = b.add(0, Role::PasswordText, "p", {0, 0, 1, 1});
    b.node(i).extents = r;
    b.node(b.label(0, "l", {0, 0, 1, 1})).extents = r;
  }
  b.seen.pixels = std::make_shared<const Image>(Image{800, 600, kPaper});
  mask_passwords(b.seen);
  mask_text(b.seen, {{{-50, -50, 60, 60}, {790, 590, 100, 100}, {5, 5, 0, 0}}, {{-5, -5, 2, 2}}});
  CHECK(b.seen.pixels->rgb(400, 300) == kPaper);
}

}  // namespace deskmark::testing
