#include <doctest/doctest.h>

#include "perception/atspi/window_match.hpp"

namespace deskmark::atspi {
namespace {

Window window(std::uint32_t id, DeviceRect bounds, const char* title, bool focused = false) {
  Window w;
  w.id = id;
  w.bounds = w.surface = bounds;
  w.title = title;
  w.focused = focused;
  return w;
}

Window popup(std::uint32_t id, DeviceRect bounds) {
  Window w = window(id, bounds, "");
  w.type = WindowType::PopupMenu;
  w.override_redirect = true;
  return w;
}

Toplevel toplevel(Toolkit toolkit, Role role, RawRect extents, const char* name, bool active = false) {
  Toplevel t;
  t.ref = {":1.1", std::string("/") + name};
  t.toolkit = toolkit;
  t.role = role;
  t.extents = extents;
  t.name = name;
  t.states.set(State::Active, active);
  return t;
}

}  // namespace

TEST_CASE("windows of one program find their own toplevels") {
  const std::vector<Window> windows = {window(1, {400, 217, 640, 480}, "One"),
                                       window(2, {500, 300, 300, 200}, "Two", true)};
  const std::vector<Toplevel> tops = {toplevel(Toolkit::Gtk3, Role::Dialog, {499, 280, 302, 221}, "Two", true),
                                      toplevel(Toolkit::Gtk3, Role::Frame, {399, 197, 642, 505}, "One")};
  const auto m = match_windows(windows, tops, false);
  REQUIRE(m.size() == 2);
  for (const Match& match : m) CHECK(match.window + match.toplevel == 1);
}

TEST_CASE("twins without a place are told apart by who is active, or not at all") {
  const std::vector<Window> one = {window(1, {0, 0, 510, 410}, "Untitled", true)};
  const Toplevel active = toplevel(Toolkit::Gtk4, Role::Frame, {0, 0, 500, 400}, "Untitled", true);
  const Toplevel idle = toplevel(Toolkit::Gtk4, Role::Frame, {0, 0, 500, 400}, "Untitled", false);
  const auto m = match_windows(one, {idle, active}, false);
  REQUIRE(m.size() == 1);
  CHECK(m[0].toplevel == 1);
  CHECK(match_windows(one, {idle, idle}, false).empty());
}

TEST_CASE("another program's window is taken only when title and size agree") {
  const std::vector<Window> windows = {window(1, {100, 100, 600, 400}, "Report")};
  CHECK(match_windows(windows, {toplevel(Toolkit::Qt6, Role::Frame, {100, 100, 600, 400}, "Report")}, true).size() ==
        1);
  CHECK(match_windows(windows, {toplevel(Toolkit::Qt6, Role::Frame, {100, 100, 600, 400}, "Else")}, true).empty());
  CHECK(match_windows(windows, {toplevel(Toolkit::Qt6, Role::Frame, {100, 100, 200, 400}, "Report")}, true).empty());
}

TEST_CASE("menus and lists move to their popup window, what lies beneath it does not") {
  const std::vector<Window> windows = {window(1, {400, 217, 640, 480}, "One"), popup(2, {400, 242, 304, 355})};
  CHECK(popup_under(windows, {400, 246, 304, 25}, Role::MenuItem, Role::Menu) == 1);
  CHECK(popup_under(windows, {401, 243, 302, 353}, Role::List, Role::ComboBox) == 1);
  CHECK(popup_under(windows, {410, 300, 80, 30}, Role::PushButton, Role::Panel) == -1);
  CHECK(popup_under(windows, {400, 217, 39, 25}, Role::Menu, Role::MenuBar) == -1);
}

}  // namespace deskmark::atspi
