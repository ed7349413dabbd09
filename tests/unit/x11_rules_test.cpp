#include <doctest/doctest.h>

#include "perception/x11/text.hpp"
#include "perception/x11/window_rules.hpp"

namespace deskmark::x11 {
namespace {

constexpr DeviceRect kScreen{0, 0, 1440, 900};
constexpr DeviceRect kSmall{10, 10, 200, 100};

Window window(std::uint32_t id, WindowType type, bool override_redirect = false) {
  Window w;
  w.id = id;
  w.type = type;
  w.override_redirect = override_redirect;
  w.bounds = kSmall;
  return w;
}

}  // namespace

TEST_CASE("type: the first that says something, else by kind of window") {
  using enum WindowType;
  CHECK(choose_type({Unknown, Combo, Normal}, true, false, kSmall, kScreen) == Combo);
  CHECK(choose_type({Utility}, false, true, kSmall, kScreen) == Utility);
  CHECK(choose_type({}, false, true, kSmall, kScreen) == Dialog);
  CHECK(choose_type({Unknown}, false, false, kSmall, kScreen) == Normal);
  CHECK(choose_type({Normal}, false, true, kSmall, kScreen) == Normal);
  CHECK(choose_type({}, true, false, kSmall, kScreen) == PopupMenu);
  CHECK(choose_type({Normal}, true, false, kSmall, kScreen) == PopupMenu);
  CHECK(choose_type({}, true, false, kScreen, kScreen) == Unknown);
  CHECK(choose_type({Notification}, true, false, kSmall, kScreen) == Notification);
}

TEST_CASE("owner: the window a transient names, when it is there") {
  std::vector<Window> windows{window(1, WindowType::Dialog), window(2, WindowType::Normal),
                              window(3, WindowType::Normal)};
  std::vector<Ties> ties(3);
  ties[0] = {true, 3, 0, 0, 7};
  assign_owners(windows, ties);
  CHECK(windows[0].owner == 3);
  CHECK(windows[1].owner == 0);
}

TEST_CASE("owner: a popup that names none goes to its focused, else topmost kin") {
  std::vector<Window> windows{window(9, WindowType::PopupMenu, true), window(1, WindowType::Normal),
                              window(2, WindowType::Normal), window(3, WindowType::Normal)};
  std::vector<Ties> ties(4);
  for (std::size_t i : {0U, 2U, 3U}) ties[i].maker = 0x600000;
  ties[1].maker = 0x400000;
  assign_owners(windows, ties);
  CHECK(windows[0].owner == 2);
  windows[3].focused = true;
  assign_owners(windows, ties);
  CHECK(windows[0].owner == 3);
  windows[3].minimized = true;
  assign_owners(windows, ties);
  CHECK(windows[0].owner == 2);
}

TEST_CASE("owner: same leader beats same process; strangers own nothing") {
  std::vector<Window> windows{window(9, WindowType::Tooltip, true), window(1, WindowType::Normal),
                              window(2, WindowType::Normal)};
  windows[0].pid = windows[1].pid = 100;
  std::vector<Ties> ties(3);
  ties[0].leader = ties[2].leader = 50;
  assign_owners(windows, ties);
  CHECK(windows[0].owner == 2);
  ties[0].leader = 0;
  windows[0].pid = 101;
  assign_owners(windows, ties);
  CHECK(windows[0].owner == 0);
}

TEST_CASE("owner: a submenu belongs to a window, not to another popup, unless it says so") {
  std::vector<Window> windows{window(8, WindowType::PopupMenu, true), window(9, WindowType::PopupMenu, true),
                              window(1, WindowType::Normal)};
  std::vector<Ties> ties(3);
  for (Ties& t : ties) t.maker = 0x600000;
  assign_owners(windows, ties);
  CHECK(windows[0].owner == 1);
  CHECK(windows[1].owner == 1);
  ties[0].transient_for = 9;
  assign_owners(windows, ties);
  CHECK(windows[0].owner == 9);
}

TEST_CASE("owner: a group's dialog finds its group; a dialog on its own stays on its own; cycles are cut") {
  std::vector<Window> windows{window(1, WindowType::Dialog), window(2, WindowType::Normal)};
  std::vector<Ties> ties(2);
  ties[0].group = ties[1].group = 5;
  assign_owners(windows, ties);
  CHECK(windows[0].owner == 0);
  ties[0].says_transient = true;
  assign_owners(windows, ties);
  CHECK(windows[0].owner == 2);
  ties[0].transient_for = 2;
  ties[1].transient_for = 1;
  assign_owners(windows, ties);
  CHECK((windows[0].owner == 0) != (windows[1].owner == 0));
}

TEST_CASE("process: what connected counts, what is said is checked") {
  CHECK(choose_pid({7, 7, false, false}) == 7);   // both agree, whatever the host is called
  CHECK(choose_pid({2, 77, true, false}) == 77);  // a sandbox counts its own way
  CHECK(choose_pid({std::nullopt, 77, true, false}) == 77);
  CHECK(choose_pid({2, 77, false, true}) == 77);   // a container here
  CHECK_FALSE(choose_pid({2, 77, false, false}));  // forwarded from elsewhere: 77 is the forwarder
  CHECK_FALSE(choose_pid({2, std::nullopt, false, false}));
  CHECK(choose_pid({2, std::nullopt, true, false}) == 2);
  CHECK(names_this_machine("", "here"));
  CHECK(names_this_machine("here.example.org", "here"));
  CHECK(names_this_machine("localhost.localdomain", "here"));
  CHECK_FALSE(names_this_machine("there", "here"));
}

TEST_CASE("client-side shadow is cut off unless it is nonsense") {
  const DeviceRect surface{100, 100, 300, 200};
  CHECK(without_shadow(surface, {26, 26, 23, 29}) == DeviceRect{126, 123, 248, 148});
  CHECK(without_shadow(surface, {}) == surface);
  CHECK(without_shadow(surface, {200, 200, 0, 0}) == surface);
  CHECK(without_shadow(surface, {0xffffffff, 0, 0, 0}) == surface);
}

TEST_CASE("desktop ids") {
  CHECK(desktop_id_of_file("/usr/share/applications/org.example.Edit.desktop") == "org.example.Edit");
  CHECK(desktop_id_of_file("org.example.Edit") == "org.example.Edit");
}

TEST_CASE("text of properties becomes valid UTF-8") {
  CHECK(valid_utf8("Gr\xc3\xbc\xc3\x9f") == "Grüß");
  CHECK(valid_utf8(std::string_view{"a\0b", 3}) == "a");
  CHECK(valid_utf8("a\xff\xc0\x80z") == "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz");
  CHECK(valid_utf8("\xed\xa0\x80") == "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  CHECK(from_latin1("Gr\xfc\xdf") == "Grüß");
}

TEST_CASE("compound text: Latin halves, other sets, UTF-8 and named segments") {
  CHECK(from_compound_text("Gr\xfc\xdf") == "Grüß");
  CHECK(from_compound_text("\x1b-L\xbf\xe0\xd8") == "При");
  CHECK(from_compound_text("\x1b$(B$3$s\x1b(BA") == "こんA");
  CHECK(from_compound_text("\x1b$)C\xb0\xa1") == "가");
  CHECK(from_compound_text("x\x1b%G\xe2\x9c\x93\x1b%@y") == "x✓y");
  const std::string segment = std::string{"koi8-r\x02"} + "\xf0";
  const std::string coded = std::string{"\x1b%/1\x80"} + static_cast<char>(0x80 + segment.size()) + segment + "!";
  CHECK(from_compound_text(coded) == "П!");
  CHECK(from_compound_text("a\x1b\x01zz") == "a\xef\xbf\xbd");
}

}  // namespace deskmark::x11
