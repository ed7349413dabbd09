#include <doctest/doctest.h>

#include <climits>

#include "tests/unit/scene_builder.hpp"

namespace deskmark::testing {

TEST_CASE("a visible button is one mark with its rectangle in the picture") {
  SceneBuilder b;
  b.button(0, "Save", {10, 20, 80, 30});
  const Scene s = b.scene();
  REQUIRE(s.marks.size() == 1);
  CHECK(s.marks[0].index == 1);
  CHECK(s.marks[0].label == "Save");
  CHECK(s.marks[0].bounds == PictureRect{10, 20, 80, 30});
  CHECK(s.marks[0].device == DeviceRect{110, 70, 80, 30});
  CHECK(s.marks[0].role_word == "push button");
  CHECK(s.marks[0].node == 1);
  CHECK(s.total == 1);
}

TEST_CASE("what is hidden by its states is no mark") {
  SceneBuilder b;
  const int hidden = b.button(0, "Hidden", {10, 20, 80, 30});
  b.off(hidden, State::Showing);
  const int page = b.add(0, Role::Filler, "", {0, 60, 300, 100});
  b.off(page, State::Showing);
  b.button(page, "On a hidden page", {10, 70, 80, 30});
  CHECK(b.scene().marks.empty());
}

TEST_CASE("sentinel, empty and far away extents are no place") {
  SceneBuilder b;
  b.button(0, "a", {0, 0, 0, 0});
  const int m = b.button(0, "b", {0, 0, 10, 10});
  b.node(m).extents = {INT_MIN, INT_MIN, 80, 30};
  const int n = b.button(0, "c", {0, 0, 10, 10});
  b.node(n).extents = {INT_MAX - 2, 10, 80, INT_MAX};
  const int o = b.button(0, "d", {0, 0, 10, 10});
  b.node(o).extents = {-1, -1, -1, -1};
  CHECK(b.scene().marks.empty());
}

TEST_CASE("rows of a Qt list that was never laid out are nowhere") {
  SceneBuilder b{Toolkit::Qt5};
  const int combo = b.add(0, Role::ComboBox, "Small", {10, 10, 80, 24}, {State::Focusable}, {"press"});
  const int list = b.add(combo, Role::List, "", {0, 0, 0, 0});
  b.add(list, Role::ListItem, "Large", {0, 100, 300, 20}, {State::Selectable}, {"toggle"});
  const Scene s = b.scene();
  REQUIRE(s.marks.size() == 1);
  CHECK(s.marks[0].role_word == "combo box");
}

TEST_CASE("a row of GTK 3 is named after the cells within its cells") {
  SceneBuilder b;
  const int table = b.add(0, Role::Table, "", {0, 0, 300, 200});
  const int cell = b.add(table, Role::TableCell, "", {2, 2, 296, 24}, {State::Selectable}, {"expand-or-contract"});
  b.add(cell, Role::TableCell, "", {2, 2, 24, 24}, {State::Selectable});
  b.add(cell, Role::TableCell, "Computer", {30, 2, 200, 24}, {State::Selectable});
  const Scene s = b.scene();
  REQUIRE(s.marks.size() == 1);
  CHECK(s.marks[0].label == "Computer");
}

TEST_CASE("a Qt table: ticks of a column without words, and cells where rows have headers") {
  SceneBuilder b{Toolkit::Qt6};
  const int table = b.add(0, Role::Table, "", {0, 0, 300, 200});
  for (int r = 0; r < 3; ++r) {
    const int y = 10 + 20 * r;
    const int tick = b.add(table, Role::TableCell, "", {0, y, 30, 20}, {State::Selectable}, {"toggle"});
    if (r == 1) b.node(tick).states.set(State::Checked);
    b.add(table, Role::TableCell, "Item " + std::to_string(r), {30, y, 100, 20}, {State::Selectable}, {"toggle"});
  }
  CHECK(b.scene().marks.size() == 6);  // three rows, three ticks
  b.add(table, Role::TableRowHeader, "1", {0, 10, 12, 20});
  for (const Mark& mark : b.scene().marks) CHECK(mark.role_word == "table cell");
}

TEST_CASE("a Qt table of equal cells without headers is a palette, with a header it is a list") {
  SceneBuilder b{Toolkit::Qt5};
  const int table = b.add(0, Role::Table, "", {0, 0, 300, 200});
  for (int k = 0; k < 8; ++k) {
    b.add(table, Role::TableCell, std::string(1, static_cast<char>('a' + k)), {30 * (k % 4), 30 + 20 * (k / 4), 30, 20},
          {State::Selectable}, {"toggle"});
  }
  CHECK(b.scene().marks.size() == 8);
  b.add(table, Role::TableColumnHeader, "First", {0, 0, 30, 20});
  CHECK(b.scene().marks.size() == 2);
}

TEST_CASE("a button partly outside the window is clipped, one wholly outside is none") {
  SceneBuilder b;
  b.button(0, "Edge", {760, 580, 80, 30});
  b.button(0, "Out", {10, 601, 80, 30});
  const Scene s = b.scene();
  REQUIRE(s.marks.size() == 1);
  CHECK(s.marks[0].bounds == PictureRect{760, 580, 40, 20});
}

TEST_CASE("a scroll pane clips what is scrolled out of it") {
  SceneBuilder b;
  const int pane = b.add(0, Role::ScrollPane, "", {0, 100, 200, 100});
  const int box = b.add(pane, Role::Filler, "", {0, 50, 200, 400});
  b.button(box, "Above", {10, 60, 80, 30});
  b.button(box, "Cut", {10, 90, 80, 30});
  b.button(box, "Inside", {10, 140, 80, 30});
  b.button(box, "Below", {10, 230, 80, 30});
  const Scene s = b.scene();
  CHECK(labels(s) == "Cut, Inside");
  CHECK(find(s, "Cut")->bounds == PictureRect{10, 100, 80, 20});
}

TEST_CASE("a strip too thin to aim at is no mark") {
  SceneBuilder b;
  const int pane = b.add(0, Role::ScrollPane, "", {0, 0, 200, 100});
  b.button(pane, "five of thirty-eight", {10, 95, 80, 38});
  b.button(pane, "five of twelve", {100, 95, 80, 12});
  const Scene s = b.scene();
  REQUIRE(s.marks.size() == 1);
  CHECK(s.marks[0].label == "five of twelve");
}

TEST_CASE("rows scrolled under a table's header are clipped by it") {
  SceneBuilder b(Toolkit::Qt6);
  const int tree = b.add(0, Role::Tree, "", {0, 0, 300, 100});
  const int head = b.add(tree, Role::TableColumnHeader, "Name", {0, 0, 300, 20});
  b.off(head, State::Showing);
  b.off(head, State::Visible);
  b.add(tree, Role::TreeItem, "under", {0, 0, 300, 20}, {State::Selectable});
  b.add(tree, Role::TreeItem, "half", {0, 10, 300, 20}, {State::Selectable});
  b.add(tree, Role::TreeItem, "whole", {0, 30, 300, 20}, {State::Selectable});
  const Scene s = b.scene();
  CHECK(labels(s) == "half, whole");
  CHECK(find(s, "half")->bounds == PictureRect{0, 20, 300, 10});
}

TEST_CASE("GTK 4 shows what has a size, whatever its states say") {
  SceneBuilder b(Toolkit::Gtk4);
  b.button(0, "Seen", {10, 10, 80, 30});
  b.button(0, "Unallocated", {10, 56, 0, 0});
  CHECK(labels(b.scene()) == "Seen");
}

TEST_CASE("a greyed GTK 4 parent greys its children") {
  SceneBuilder b(Toolkit::Gtk4);
  const int box = b.add(0, Role::Filler, "GtkVolumeButton", {10, 10, 100, 40});
  b.off(box, State::Sensitive);
  b.button(box, "Inner", {12, 12, 80, 30});
  CHECK(b.scene().marks.empty());
}

TEST_CASE("nodes of a toplevel that is not in the picture are not marked") {
  SceneBuilder b;
  const int other = b.add(-1, Role::Frame, "Other window", {0, 0, 800, 600});
  b.button(other, "Elsewhere", {10, 10, 80, 30});
  CHECK(b.scene().marks.empty());
}

TEST_CASE("what a dialog covers is not marked, what sticks out is cut to the free part") {
  SceneBuilder b;
  b.button(0, "Covered", {210, 210, 80, 30});
  b.button(0, "Half", {150, 210, 100, 30});
  b.button(0, "Free", {10, 10, 80, 30});
  b.surface(WindowType::Dialog, {200, 200, 300, 200}, Role::Dialog, "Find");
  const Scene s = b.scene();
  CHECK(labels(s) == "Free, Half");
  CHECK(find(s, "Half")->bounds == PictureRect{150, 210, 50, 30});
}

TEST_CASE("a popover drawn in the same GTK 3 window hides what lies under it") {
  SceneBuilder b;
  b.add(0, Role::Panel, "", {0, 0, 800, 40});
  const int content = b.add(0, Role::Filler, "", {0, 40, 800, 560});
  b.button(content, "Under", {60, 110, 60, 30});
  b.button(content, "Beside", {400, 110, 60, 30});
  const int popover = b.add(0, Role::Panel, "", {50, 100, 200, 100});
  b.button(popover, "In popover", {60, 150, 60, 30});
  CHECK(labels(b.scene()) == "Beside, In popover");
}

TEST_CASE("while a modal popover is open only its elements are marked") {
  SceneBuilder b;
  b.button(0, "Beside", {400, 110, 60, 30});
  const int popover = b.add(0, Role::Panel, "", {50, 100, 200, 100}, {State::Modal});
  b.button(popover, "In popover", {60, 150, 60, 30});
  const Scene s = b.scene();
  CHECK(labels(s) == "In popover");
  CHECK(render_outline(s, 9999).find("push button \"Beside\"") != std::string::npos);
}

TEST_CASE("while a menu is open only its elements are marked, with those of its submenu") {
  SceneBuilder b;
  b.button(0, "Save", {400, 300, 60, 30});
  const int menu = b.surface(WindowType::DropdownMenu, {10, 30, 150, 100}, Role::Window, "");
  b.add(menu, Role::MenuItem, "Open", {10, 30, 150, 25}, {State::Selectable}, {"click"});
  const int sub = b.surface(WindowType::PopupMenu, {160, 55, 150, 100}, Role::Window, "");
  b.add(sub, Role::MenuItem, "Recent", {160, 55, 150, 25}, {State::Selectable}, {"click"});
  CHECK(labels(b.scene()) == "Open, Recent");
}

TEST_CASE("items of an open menu are on its window although they are children of the menu bar's item") {
  SceneBuilder b;
  const int bar = b.add(0, Role::MenuBar, "", {0, 0, 800, 25});
  const int file = b.add(bar, Role::Menu, "File", {0, 0, 40, 25}, {State::Selectable}, {"click"});
  b.add(file, Role::MenuItem, "Open", {2, 27, 150, 25}, {State::Selectable}, {"click"});
  b.add(file, Role::MenuItem, "Close", {2, 52, 150, 25}, {State::Selectable}, {"click"});
  b.surface(WindowType::DropdownMenu, {0, 25, 154, 60}, Role::Window, "");
  const Scene s = b.scene();
  CHECK(labels(s) == "Open, Close");
  CHECK(s.marks[0].surface == 2);
}

TEST_CASE("a completion list leaves the entry that is typed in usable") {
  SceneBuilder b;
  const int e = b.entry(0, "Search", "ab", {10, 10, 200, 30});
  b.node(e).states.set(State::Focused);
  const int list = b.surface(WindowType::Combo, {10, 40, 200, 60}, Role::Window, "");
  b.add(list, Role::ListItem, "abc", {10, 40, 200, 20}, {State::Selectable});
  CHECK(labels(b.scene()) == "Search, abc");
}

TEST_CASE("a modal dialog takes the owner's marks, a modeless one does not") {
  SceneBuilder b;
  b.button(0, "Save", {10, 10, 60, 30});
  const int dialog = b.surface(WindowType::Dialog, {200, 200, 300, 200}, Role::Dialog, "Sure?", {State::Modal});
  b.button(dialog, "Yes", {210, 350, 60, 30});
  CHECK(labels(b.scene()) == "Yes");
  b.off(dialog, State::Modal);
  CHECK(labels(b.scene()) == "Save, Yes");
}

TEST_CASE("tool tips are not marked and cover what they lie on") {
  SceneBuilder b;
  b.button(0, "Under", {110, 110, 60, 20});
  b.button(0, "Free", {10, 10, 60, 30});
  const int tip = b.surface(WindowType::Tooltip, {100, 100, 200, 40}, Role::Window, "");
  b.add(tip, Role::ToolTip, "Opens a file", {100, 100, 200, 40});
  const Scene s = b.scene();
  CHECK(labels(s) == "Free");
  CHECK(render_outline(s, 9999).find("Opens a file") != std::string::npos);
}

TEST_CASE("an in-page dialog covers the page even when it comes first in the tree") {
  SceneBuilder b(Toolkit::Chromium);
  const int dialog = b.add(0, Role::Dialog, "Cookies", {100, 100, 300, 200});
  b.button(dialog, "Accept", {110, 250, 80, 30});
  b.button(0, "Under", {120, 120, 80, 30});
  b.button(0, "Free", {500, 120, 80, 30});
  CHECK(labels(b.scene()) == "Free, Accept");
}

TEST_CASE("a malformed tree is read as far as it makes sense") {
  SceneBuilder b;
  const int i = b.button(0, "A", {10, 10, 60, 30});
  b.node(i).parent = 99;
  const int j = b.button(0, "B", {10, 50, 60, 30});
  b.node(j).labelled_by = {-5, 1000, j};
  const int k = b.add(0, Role::PushButton, "", {10, 90, 60, 30});
  b.node(k).labelled_by = {k, 77};
  b.seen.surfaces[0].root = 4711;
  CHECK(b.scene().marks.empty());  // nothing is known to be in the picture
  b.seen.surfaces[0].root = 0;
  CHECK(labels(b.scene()) == "B, ");
}

TEST_CASE("a very deep tree does not exhaust the stack") {
  SceneBuilder b;
  int p = 0;
  for (int d = 0; d < 100000; ++d) p = b.add(p, Role::Filler, "", {0, 0, 800, 600});
  b.button(p, "Deep", {10, 10, 60, 30});
  CHECK(labels(b.scene()) == "Deep");
}

TEST_CASE("a reduced picture scales the marks and keeps at least a pixel of each") {
  SceneBuilder b;
  b.button(0, "Big", {100, 100, 200, 60});
  b.button(0, "Thin", {10, 10, 3, 200});
  PerceiveOptions options;
  options.max_image_dimension = 80;
  const Scene s = b.scene(options);
  CHECK(s.width == 80);
  CHECK(s.height == 60);
  CHECK(s.mapping.scale_x == doctest::Approx(0.1));
  CHECK(find(s, "Big")->bounds == PictureRect{10, 10, 20, 6});
  CHECK(find(s, "Thin")->bounds.w == 1);
  CHECK(find(s, "Big")->device == DeviceRect{200, 150, 200, 60});
}

TEST_CASE("a limit keeps reading order, the focused element and what is on top; the rest is counted") {
  SceneBuilder b;
  for (int k = 0; k < 10; ++k) b.button(0, "b" + std::to_string(k), {10, 10 + 40 * k, 80, 30});
  b.node(10).states.set(State::Focused);
  PerceiveOptions options;
  options.max_elements = 3;
  const Scene s = b.scene(options);
  CHECK(labels(s) == "b0, b1, b9");
  CHECK(s.marks[2].index == 3);
  CHECK(s.total == 10);
}

}  // namespace deskmark::testing
