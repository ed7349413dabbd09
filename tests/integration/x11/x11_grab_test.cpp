#include "x11_harness.hpp"

namespace deskmark::test {
namespace {

constexpr std::uint32_t kRed = 0xff0000;
constexpr std::uint32_t kGreen = 0x00ff00;
constexpr std::uint32_t kBlue = 0x0000ff;

Grab grabbed(ScreenSource& screen, const std::vector<Window>& windows, const DeviceRect& area,
             std::vector<Warning>* warnings = nullptr) {
  auto reading = screen.grab(windows, area, soon());
  REQUIRE_MESSAGE(reading, reading.error.message);
  if (warnings != nullptr) *warnings = reading.warnings;
  return std::move(*reading.value);
}

Window window(std::uint32_t id) {
  Window w;
  w.id = id;
  return w;
}

void covered_window_is_whole(const std::vector<std::string>& server_options) {
  DisplayServer server{"800x600x24", server_options};
  Painter painter{server.name()};
  const auto screen = opened(server.name());
  const auto below = painter.show({.rect = {100, 100, 200, 150}, .background = kRed});
  painter.fill(below, {0, 0, 50, 50}, kGreen);
  const auto above = painter.show({.rect = {80, 80, 400, 400}, .background = kBlue});
  const Grab grab = grabbed(*screen, {window(below)}, {100, 100, 200, 150});
  CHECK(grab.grabbed == std::vector<DeviceRect>{{100, 100, 200, 150}});
  CHECK(all(*grab.pixels, {0, 0, 50, 50}, kGreen));
  CHECK(all(*grab.pixels, {50, 50, 150, 100}, kRed));
  CHECK(find(*screen, above)->z > find(*screen, below)->z);
}

}  // namespace

TEST_CASE("a covered window is whole, through shared memory") { covered_window_is_whole({}); }
TEST_CASE("a covered window is whole, without shared memory") { covered_window_is_whole({"-extension", "MIT-SHM"}); }
TEST_CASE("a covered window is whole, without damage reports") { covered_window_is_whole({"-extension", "DAMAGE"}); }

TEST_CASE("windows opened before us: what was covered is repainted or warned about, never another's pixels") {
  DisplayServer server;
  Painter painter{server.name()};
  // One the server repaints by itself, one whose program is stuck.
  const auto alive = painter.show({.rect = {100, 100, 100, 100}, .background = kRed});
  const auto stuck = painter.show({.rect = {250, 100, 100, 100}, .background = std::nullopt});
  painter.fill(stuck, {0, 0, 100, 100}, kGreen);
  const auto cover = painter.show({.rect = {150, 50, 150, 300}, .background = kBlue});
  const auto screen = opened(server.name());
  std::vector<Warning> warnings;
  const Grab first = grabbed(*screen, {window(alive)}, {100, 100, 100, 100}, &warnings);
  CHECK(all(*first.pixels, {0, 0, 100, 100}, kRed));
  CHECK(warnings.empty());
  const Grab second = grabbed(*screen, {window(stuck)}, {250, 100, 100, 100}, &warnings);
  CHECK(warned(warnings, "stale_pixels"));
  CHECK(count(*second.pixels, {0, 0, 100, 100}, kBlue) == 0);
  CHECK(all(*second.pixels, {50, 0, 50, 100}, kGreen));
  painter.fill(stuck, {0, 0, 100, 100}, kGreen);  // it lives again
  const Grab third = grabbed(*screen, {window(stuck)}, {250, 100, 100, 100}, &warnings);
  CHECK(warnings.empty());
  CHECK(all(*third.pixels, {0, 0, 100, 100}, kGreen));
  painter.destroy(cover);
}

TEST_CASE("windows that somebody redirected before us have all their pixels, drawn again or not") {
  DisplayServer server;
  Painter painter{server.name()};
  const auto first = opened(server.name());
  const auto stuck = painter.show({.rect = {250, 100, 100, 100}, .background = std::nullopt});
  painter.fill(stuck, {0, 0, 100, 100}, kGreen);
  painter.show({.rect = {150, 50, 150, 300}, .background = kBlue});
  const auto second = opened(server.name());
  std::vector<Warning> warnings;
  CHECK(all(*grabbed(*second, {window(stuck)}, {250, 100, 100, 100}, &warnings).pixels, {0, 0, 100, 100}, kGreen));
  CHECK(warnings.empty());
}

TEST_CASE("redirection takes no focus and unmaps nothing") {
  DisplayServer server;
  Painter painter{server.name()};
  const auto id = painter.show({});
  xcb_set_input_focus(painter.xcb(), XCB_INPUT_FOCUS_PARENT, id, XCB_CURRENT_TIME);
  painter.sync();
  {
    const auto screen = opened(server.name());
    (void)listed(*screen);
    CHECK(painter.focus() == id);
  }
  CHECK(painter.focus() == id);
}

TEST_CASE("beyond the edge of the screen") {
  DisplayServer server;
  Painter painter{server.name()};
  const auto screen = opened(server.name());
  const auto id = painter.show({.rect = {-60, 550, 200, 150}, .background = kRed});
  painter.fill(id, {0, 100, 60, 50}, kGreen);
  const Grab grab = grabbed(*screen, {window(id)}, {-60, 550, 200, 150});
  CHECK(all(*grab.pixels, {0, 0, 200, 100}, kRed));
  CHECK(all(*grab.pixels, {0, 100, 60, 50}, kGreen));
}

TEST_CASE("several windows are laid out bottom to top; gaps have one colour") {
  DisplayServer server;
  Painter painter{server.name()};
  const auto screen = opened(server.name());
  const auto base = painter.show({.rect = {100, 100, 200, 100}, .background = kRed});
  const auto menu = painter.show({.rect = {150, 150, 50, 100}, .background = kGreen, .override_redirect = true});
  painter.show({.rect = {0, 0, 800, 600}, .background = kBlue});
  const Grab grab = grabbed(*screen, {window(base), window(menu)}, {90, 100, 220, 150});
  CHECK(grab.grabbed.size() == 2);
  CHECK(all(*grab.pixels, {0, 0, 10, 150}, kGapColour));
  CHECK(all(*grab.pixels, {10, 0, 200, 50}, kRed));
  CHECK(all(*grab.pixels, {60, 50, 50, 100}, kGreen));
  CHECK(all(*grab.pixels, {10, 100, 50, 50}, kGapColour));
}

TEST_CASE("a window is grabbed where and as large as it is now") {
  DisplayServer server;
  Painter painter{server.name()};
  const auto screen = opened(server.name());
  const auto id = painter.show({.rect = {100, 100, 100, 100}, .background = kRed});
  const Window before = *find(*screen, id);
  painter.place(id, {130, 140, 150, 120});
  const Grab grab = grabbed(*screen, {before}, {100, 100, 200, 200});
  CHECK(grab.grabbed[0] == DeviceRect{130, 140, 150, 120});
  CHECK(all(*grab.pixels, {30, 40, 150, 120}, kRed));
  CHECK(all(*grab.pixels, {0, 0, 200, 40}, kGapColour));
}

TEST_CASE("only the client: no frame, no client-side shadow") {
  DisplayServer server;
  Painter painter{server.name()};
  const auto screen = opened(server.name());
  const auto id = painter.show({.rect = {100, 100, 100, 100}, .background = kRed, .border = 5});
  painter.fill(id, {10, 10, 80, 80}, kGreen);
  painter.set_words(id, "_GTK_FRAME_EXTENTS", "CARDINAL", {10, 10, 10, 10});
  const Window w = *find(*screen, id);
  CHECK(w.bounds == DeviceRect{115, 115, 80, 80});
  const Grab grab = grabbed(*screen, {w}, {100, 100, 110, 110});
  CHECK(all(*grab.pixels, {15, 15, 80, 80}, kGreen));
  CHECK(count(*grab.pixels, {0, 0, 110, 110}, kGapColour) == 110 * 110 - 80 * 80);
}

TEST_CASE("translucent windows show what is below in the picture, shaped ones nothing outside their shape") {
  DisplayServer server;
  Painter painter{server.name()};
  const auto screen = opened(server.name());
  const auto base = painter.show({.rect = {100, 100, 200, 100}, .background = kRed});
  const auto popup =
      painter.show({.rect = {120, 120, 100, 50}, .background = 0, .override_redirect = true, .argb = true});
  painter.fill(popup, {0, 0, 50, 50}, 0xff00ff00);
  painter.fill(popup, {50, 0, 25, 50}, 0x80008000);
  const Grab grab = grabbed(*screen, {window(base), window(popup)}, {100, 100, 200, 100});
  CHECK(all(*grab.pixels, {20, 20, 50, 50}, kGreen));
  CHECK(all(*grab.pixels, {70, 20, 25, 50}, 0x7f8000));
  CHECK(all(*grab.pixels, {95, 20, 25, 50}, kRed));

  const auto shaped = painter.show({.rect = {400, 100, 100, 100}, .background = kGreen, .override_redirect = true});
  painter.shape(shaped, {20, 30, 40, 50});
  const Grab cut = grabbed(*screen, {window(shaped)}, {400, 100, 100, 100});
  CHECK(all(*cut.pixels, {20, 30, 40, 50}, kGreen));
  CHECK(count(*cut.pixels, {0, 0, 100, 100}, kGapColour) == 100 * 100 - 40 * 50);
}

TEST_CASE("gone and unmapped windows") {
  DisplayServer server;
  Painter painter{server.name()};
  const auto screen = opened(server.name());
  const auto base = painter.show({.rect = {100, 100, 100, 100}, .background = kRed});
  const auto popup = painter.show({.rect = {100, 100, 50, 50}, .background = kGreen, .override_redirect = true});
  painter.destroy(popup);
  std::vector<Warning> warnings;
  const Grab grab = grabbed(*screen, {window(base), window(popup)}, {100, 100, 100, 100}, &warnings);
  CHECK(warned(warnings, "window_gone"));
  CHECK(grab.grabbed[1].empty());
  CHECK(all(*grab.pixels, {0, 0, 100, 100}, kRed));
  painter.unmap(base);
  CHECK(screen->grab({window(base)}, {100, 100, 100, 100}, soon()).error.code == "window_minimized");
  painter.destroy(base);
  CHECK(screen->grab({window(base)}, {100, 100, 100, 100}, soon()).error.code == "window_gone");
  CHECK(screen->grab({window(0xffffffff)}, {100, 100, 100, 100}, soon()).error.code == "window_gone");
}

TEST_CASE("without XComposite: what is visible, and a warning") {
  DisplayServer server{"800x600x24", {"-extension", "Composite"}};
  Painter painter{server.name()};
  const auto screen = opened(server.name());
  const auto below = painter.show({.rect = {100, 100, 100, 100}, .background = kRed});
  painter.show({.rect = {150, 100, 200, 50}, .background = kBlue});
  std::vector<Warning> warnings;
  const Grab grab = grabbed(*screen, {window(below)}, {100, 100, 100, 100}, &warnings);
  CHECK(warned(warnings, "stale_pixels"));
  CHECK(count(*grab.pixels, {0, 0, 100, 100}, kRed) == 100 * 100 - 50 * 50);
  CHECK(all(*grab.pixels, {50, 0, 50, 50}, kGapColour));
}

TEST_CASE("displays of other depths") {
  {
    DisplayServer server{"400x300x16"};
    Painter painter{server.name()};
    const auto screen = opened(server.name());
    const auto id = painter.show({.rect = {10, 10, 100, 100}, .background = 0xf81f});
    CHECK(all(*grabbed(*screen, {window(id)}, {10, 10, 100, 100}).pixels, {0, 0, 100, 100}, 0xff00ff));
    const auto shot = screen->grab_screen({0, 0, 400, 300}, soon());
    REQUIRE(shot);
    CHECK(shot.value->pixels->rgb(50, 50) == 0xff00ff);
  }
  {
    DisplayServer server{"400x300x30"};
    Painter painter{server.name()};
    const auto screen = opened(server.name());
    const auto id = painter.show({.rect = {10, 10, 100, 100}, .background = 0x3ff003ff});
    CHECK(all(*grabbed(*screen, {window(id)}, {10, 10, 100, 100}).pixels, {0, 0, 100, 100}, 0xff00ff));
  }
  {
    DisplayServer server{"400x300x8"};
    Painter painter{server.name()};
    const auto screen = opened(server.name());
    CHECK(screen->grab_screen({0, 0, 400, 300}, soon()).error.code == "display_unavailable");
  }
}

TEST_CASE("a window's generation grows when it is drawn, moved or resized, and only then") {
  DisplayServer server;
  Painter painter{server.name()};
  const auto before_us = painter.show({.rect = {300, 100, 100, 100}, .background = kBlue});
  const auto screen = opened(server.name());
  const auto with_us = painter.show({.rect = {100, 100, 100, 100}, .background = kRed});
  for (const auto id : {before_us, with_us}) {
    (void)grabbed(*screen, {window(id)}, {100, 100, 300, 100});
    const auto generation = [&] {
      const auto reading = screen->generations({window(id)}, soon());
      REQUIRE(reading);
      return reading.value->at(0);
    };
    std::uint64_t last = generation();
    CHECK(last > 0);
    const auto grew = [&] {
      const std::uint64_t before = last;
      last = generation();
      return last > before;
    };
    CHECK_FALSE(grew());
    painter.fill(id, {0, 0, 10, 10}, kGreen);
    CHECK(grew());
    CHECK_FALSE(grew());
    painter.fill(id, {0, 0, 10, 10}, kBlue);
    painter.fill(id, {0, 0, 10, 10}, kGreen);
    CHECK(grew());
    CHECK_FALSE(grew());
    painter.place(id, {110, 100, 100, 100});
    CHECK(grew());
    painter.place(id, {110, 100, 120, 100});
    CHECK(grew());
    (void)grew();
    (void)grabbed(*screen, {window(id)}, {100, 100, 300, 100});
    (void)grew();
    CHECK_FALSE(grew());
  }
  CHECK(*screen->generations({window(0x12345)}, soon()).value == std::vector<std::uint64_t>{0});
}

TEST_CASE("the screen as it is seen") {
  DisplayServer server;
  Painter painter{server.name()};
  const auto screen = opened(server.name());
  painter.show({.rect = {100, 100, 100, 100}, .background = kRed});
  painter.show({.rect = {150, 150, 100, 100}, .background = kGreen});
  const auto shot = screen->grab_screen({50, 50, 800, 600}, soon());
  REQUIRE(shot);
  const Image& image = *shot.value->pixels;
  CHECK(shot.value->grabbed == std::vector<DeviceRect>{{50, 50, 750, 550}});
  CHECK(all(image, {50, 50, 100, 50}, kRed));
  CHECK(all(image, {100, 100, 100, 100}, kGreen));
  CHECK(all(image, {750, 0, 50, 600}, kGapColour));
}

TEST_CASE("pictures that make no sense are refused") {
  DisplayServer server{"400x300x24"};
  const auto screen = opened(server.name());
  CHECK(screen->grab({}, {0, 0, 0, 10}, soon()).error.code == "internal");
  CHECK(screen->grab({}, {0, 0, 1'000'000, 1'000'000}, soon()).error.code == "internal");
  CHECK(screen->grab_screen({0, 0, -5, 10}, soon()).error.code == "internal");
}

}  // namespace deskmark::test
