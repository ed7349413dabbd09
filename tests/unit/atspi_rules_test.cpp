#include <doctest/doctest.h>

#include <climits>

#include "perception/atspi/node_reader.hpp"
#include "perception/atspi/process_hint.hpp"
#include "perception/atspi/toolkit_rules.hpp"

namespace deskmark::atspi {
namespace {

Window window_at(int x, int y, int w, int h) {
  Window window;
  window.id = 1;
  window.bounds = window.surface = {x, y, w, h};
  return window;
}

}  // namespace

TEST_CASE("toolkits are told by name and version") {
  CHECK(toolkit_from("gtk", "3.24.38") == Toolkit::Gtk3);
  CHECK(toolkit_from("GTK", "4.8.3") == Toolkit::Gtk4);
  CHECK(toolkit_from("Qt", "5.15.8") == Toolkit::Qt5);
  CHECK(toolkit_from("Qt", "6.4.2") == Toolkit::Qt6);
  CHECK(toolkit_from("Chromium", "1.0") == Toolkit::Chromium);
  CHECK(toolkit_from("", "") == Toolkit::Unknown);
  CHECK(toolkit_from("AccessKit", "0.12") == Toolkit::Other);
}

TEST_CASE("sentinels are no places") {
  CHECK_FALSE(usable({INT_MIN, INT_MIN, 1, 1}));
  CHECK_FALSE(usable({-1, -1, -1, -1}));
  CHECK_FALSE(usable({0, INT_MAX, 5, 5}));
  CHECK(usable({-40, 10, 0, 0}));
}

TEST_CASE("GTK 3 at scale 1: the toplevel is the manager's frame, extents are the screen's") {
  const Window w = window_at(400, 217, 640, 480);
  const RawRect frame{399, 197, 642, 505};
  REQUIRE(scale_from_sizes(Toolkit::Gtk3, frame, w) == 1.0);
  CHECK(frame_map(Toolkit::Gtk3, frame, w, 1).map({480, 217, 60, 25}) == DeviceRect{480, 217, 60, 25});
}

TEST_CASE("GTK 3 at scale 2 is exact at odd window positions too") {
  // GDK divides the origin (401,217) by 2 and drops the rest; 10,20 in the window are 20,40 device pixels from its
  // origin.
  const Window w = window_at(401, 217, 1280, 960);
  const RawRect frame{199, 98, 642, 505};
  REQUIRE(scale_from_sizes(Toolkit::Gtk3, frame, w) == 2.0);
  CHECK(frame_map(Toolkit::Gtk3, frame, w, 2).map({200 + 10, 108 + 20, 30, 15}) == DeviceRect{421, 257, 60, 30});
}

TEST_CASE("GTK 4 counts from inside the resize border, with and without a shadow") {
  const Window bare = window_at(0, 55, 1440, 845);
  const RawRect top{0, 0, 1430, 835};
  REQUIRE(scale_from_sizes(Toolkit::Gtk4, top, bare) == 1.0);
  CHECK(frame_map(Toolkit::Gtk4, top, bare, 1).map({9, 1, 150, 32}) == DeviceRect{14, 61, 150, 32});
  Window shadowed = window_at(100, 100, 500, 400);
  shadowed.surface = {74, 77, 552, 455};
  const RawRect inner{0, 0, 500, 400};
  REQUIRE(scale_from_sizes(Toolkit::Gtk4, inner, shadowed) == 1.0);
  CHECK(frame_map(Toolkit::Gtk4, inner, shadowed, 1).map({0, 0, 10, 10}) == DeviceRect{100, 100, 10, 10});
  const Window twice = window_at(10, 20, 1000, 800);
  const RawRect half{0, 0, 490, 390};
  REQUIRE(scale_from_sizes(Toolkit::Gtk4, half, twice) == 2.0);
  CHECK(frame_map(Toolkit::Gtk4, half, twice, 2).map({5, 5, 10, 10}) == DeviceRect{30, 40, 20, 20});
}

TEST_CASE("Qt at a fractional scale maps edges, so that neighbours touch") {
  const Window w = window_at(301, 170, 900, 750);
  const RawRect top{201, 113, 600, 500};
  const auto scale = scale_from_sizes(Toolkit::Qt6, top, w);
  REQUIRE(scale == 1.5);
  const FrameMap map = frame_map(Toolkit::Qt6, top, w, *scale);
  CHECK(map.map(top) == w.bounds);
  const DeviceRect a = map.map({201, 113, 51, 25});
  const DeviceRect b = map.map({252, 113, 51, 25});
  CHECK(a.right() == b.x);
}

TEST_CASE("a GTK 4 popover is counted from its parent widget") {
  Window popup = window_at(450, 324, 136, 144);
  const FrameMap map = popover_map({448, 232, 130, 34}, popup, 1);
  CHECK(map.map({466, 246, 100, 30}) == DeviceRect{468, 338, 100, 30});
}

TEST_CASE("a Chromium page counts in device pixels where the browser counts in logical ones") {
  const Window w = window_at(20, 20, 1400, 1000);
  const RawRect top{10, 10, 700, 500};
  REQUIRE(scale_from_sizes(Toolkit::Chromium, top, w) == 2.0);
  const FrameMap outer = frame_map(Toolkit::Chromium, top, w, 2);
  const RawRect around{14, 153, 692, 353};
  CHECK(outer.map(around) == DeviceRect{28, 306, 1384, 706});
  const FrameMap page = page_map(outer, around, {28, 306, 1384, 706});
  CHECK(page.map({130, 457, 401, 49}) == DeviceRect{130, 457, 401, 49});
  CHECK(page_map(outer, around, {14, 153, 692, 353}).scale == 2.0);
}

TEST_CASE("sizes that do not belong together give no scale") {
  CHECK_FALSE(scale_from_sizes(Toolkit::Qt5, {0, 0, 300, 100}, window_at(0, 0, 800, 600)));
  CHECK_FALSE(scale_from_sizes(Toolkit::Gtk3, {0, 0, 0, 0}, window_at(0, 0, 800, 600)));
  CHECK_FALSE(scale_from_sizes(Toolkit::Gtk3, {INT_MIN, 0, 5, 5}, window_at(0, 0, 5, 5)));
}

TEST_CASE("GTK 4 states are brought to common terms") {
  StateSet raw;
  raw.set(State::Sensitive);
  raw.set(State::Visible);
  const StateSet shown = normalise_states(Toolkit::Gtk4, raw, true, true);
  CHECK(shown.has(State::Showing));
  CHECK(shown.has(State::Enabled));
  CHECK_FALSE(normalise_states(Toolkit::Gtk4, raw, false, true).has(State::Showing));
  CHECK_FALSE(normalise_states(Toolkit::Gtk3, raw, true, true).has(State::Showing));
}

TEST_CASE("GTK 4 names that are class names or doubled are cleaned, real ones kept") {
  CHECK(clean_name(Toolkit::Gtk4, Role::Entry, "GtkEntry").empty());
  CHECK(clean_name(Toolkit::Gtk4, Role::Label, "GtkEntry") == "GtkEntry");
  CHECK(clean_name(Toolkit::Gtk4, Role::PushButton, "Gtk and you") == "Gtk and you");
  CHECK(clean_name(Toolkit::Gtk3, Role::Entry, "GtkEntry") == "GtkEntry");
  CHECK(clean_name(Toolkit::Gtk4, Role::Text, "EditorSourceView").empty());
  CHECK(clean_name(Toolkit::Gtk4, Role::PushButton, "JavaScript") == "JavaScript");
  CHECK(clean_name(Toolkit::Gtk4, Role::PushButton, "View") == "View");
  CHECK(undouble_name("_Open Open", "Open") == "Open");
  CHECK(undouble_name("% %", "%") == "%");
  CHECK(undouble_name("Page _1", "Page 1") == "Page 1");
  CHECK(undouble_name("Bora Bora", "Bora Bora") == "Bora Bora");
  CHECK(undouble_name("Save Open", "Open") == "Save Open");
}

TEST_CASE("action names become one spelling") {
  CHECK(normalise_action("showMenu") == "show-menu");
  CHECK(normalise_action("ShowMenu") == "show-menu");
  CHECK(normalise_action("SetFocus") == "set-focus");
  CHECK(normalise_action("expand or contract") == "expand-or-contract");
  CHECK(normalise_action("clipboard.copy") == "clipboard.copy");
  CHECK(normalise_action("Click ") == "click");
  CHECK(normalise_action("").empty());
}

TEST_CASE("what sounds like a secret") {
  CHECK(is_secret(Role::PasswordText, ""));
  CHECK(sounds_secret("Your Password"));
  CHECK_FALSE(sounds_secret("Your name"));
}

TEST_CASE("what a program is made with is told by what it has loaded") {
  CHECK(toolkit_from_maps("7f r-xp /usr/lib/x86_64-linux-gnu/libQt5Gui.so.5.15.8\n") == Toolkit::Qt5);
  CHECK(toolkit_from_maps("/opt/app/icudtl.dat\n/usr/lib/libgtk-3.so.0\n") == Toolkit::Chromium);
  CHECK(toolkit_from_maps("/usr/lib/libgtk-3.so.0\n/usr/lib/libatspi.so.0\n") == Toolkit::Gtk3);
  CHECK(toolkit_from_maps("/usr/lib/libX11.so.6\n/usr/lib/libXaw.so.7\n") == Toolkit::Unknown);
  CHECK_FALSE(switched_on(Toolkit::Chromium, "browser --no-sandbox", "HOME=/root"));
  CHECK(switched_on(Toolkit::Chromium, "browser --force-renderer-accessibility", ""));
  CHECK(switch_on_remedy(Toolkit::Chromium).find("--force-renderer-accessibility") != std::string::npos);
  CHECK(switch_on_remedy(Toolkit::Unknown).empty());
}

TEST_CASE("a scrolled GTK 3 viewport is shown, whatever it says") {
  StateSet visible;
  visible.set(State::Visible);
  CHECK(loses_showing(Toolkit::Gtk3, Role::ScrollPane, visible));
  CHECK_FALSE(loses_showing(Toolkit::Gtk3, Role::Panel, visible));
  CHECK_FALSE(loses_showing(Toolkit::Qt5, Role::ScrollPane, visible));
  CHECK_FALSE(loses_showing(Toolkit::Gtk3, Role::ScrollPane, StateSet{}));
}

}  // namespace deskmark::atspi
