#include "perception/marks/interactive.hpp"

#include <algorithm>
#include <cstdlib>

#include "perception/marks/toolkit_rules.hpp"
#include "perception/marks/visibility.hpp"

namespace deskmark {
namespace {

/// Device pixels: 5 or 6 at scale 1, 12 at scale 2.
constexpr int kOverlayBar = 12;

bool editable(const Accessible& node) { return node.states.has(State::Editable); }
bool focusable(const Accessible& node) { return node.states.has(State::Focusable); }
bool selectable(const Accessible& node) { return node.states.has(State::Selectable); }

Part text_part(const Accessible& node) {
  return editable(node) || focusable(node) || node.states.has(State::SelectableText) ? Part::Field : Part::None;
}

/// A label whose text can be selected takes the focus, and so does one with links in it, which are marked instead (Qt
/// has no objects for links: there the label is what can be clicked).
Part label_part(const Tree& tree, int i) {
  const Accessible& node = tree.node(i);
  if (!focusable(node)) return Part::None;
  if (is_qt(node.toolkit)) return Part::Field;
  if (node.toolkit != Toolkit::Gtk3 && node.toolkit != Toolkit::Gtk4) return Part::None;
  for (int c = tree.first_child(i); c >= 0; c = tree.next_sibling(c)) {
    if (tree.role(c) == Role::Link) return Part::None;
  }
  return Part::Field;
}

Part scroll_bar_part(const Tree& tree, int i) {
  const Accessible* bar = &tree.node(i);
  // GTK's overlay scroll bars are thin and fade out while the pointer rests: nothing to count on. The others are twice
  // as wide.
  const bool gtk = bar->toolkit == Toolkit::Gtk3 || bar->toolkit == Toolkit::Gtk4;
  if (gtk && std::min(bar->extents.w, bar->extents.h) <= kOverlayBar) return Part::None;
  // GTK 4 keeps the value on the range inside.
  if (!bar->value && tree.first_child(i) >= 0) bar = &tree.node(tree.first_child(i));
  if (!bar->value) return Part::Range;
  const double length = bar->value->maximum - bar->value->minimum;
  if (length <= 0) return Part::None;  // nothing to scroll
  // GTK 4 does not take the page off its maximum: one that is no longer than the bar fits its window.
  const auto bar_length = static_cast<double>(std::max(tree.node(i).extents.w, tree.node(i).extents.h));
  return bar->toolkit == Toolkit::Gtk4 && length <= bar_length ? Part::None : Part::Range;
}

/// The first row of a GTK 4 column view holds its headers; the rows are in the list beside it.
bool is_header_row(const Tree& tree, int i) {
  if (tree.node(i).toolkit != Toolkit::Gtk4 || tree.role(i) != Role::TableRow) return false;
  const int rows = tree.next_sibling(i);
  return rows >= 0 && tree.role(rows) == Role::List;
}

/// Header that sorts: beside its words it keeps room for the arrow.
bool is_sorting_header(const Tree& tree, int i) {
  const int p = tree.parent(i);
  if (p < 0 || tree.role(i) != Role::Filler || !is_header_row(tree, p)) return false;
  const int box = tree.first_child(i);
  const int words = box < 0 ? -1 : tree.first_child(box);
  return words >= 0 && tree.next_sibling(words) >= 0;
}

Part item_part(const Tree& tree, int i) {
  const Accessible& node = tree.node(i);
  if (is_header_row(tree, i)) return Part::None;
  if (selectable(node) || has_activation(node)) return Part::Item;
  // GTK 4 calls only the selected row selectable.
  if ((is_web(node.toolkit) || node.toolkit == Toolkit::Gtk4) && focusable(node)) return Part::Item;
  const int p = tree.parent(i);
  return p >= 0 && tree.role(p) == Role::ListBox && is_web(node.toolkit) ? Part::Item : Part::None;
}

Part cell_part(const Tree& tree, int i) {
  const Accessible& node = tree.node(i);
  if (is_web(node.toolkit)) {
    return focusable(node) || has_activation(node) || editable(node) ? Part::Cell : Part::None;
  }
  const int p = tree.parent(i);
  if (node.toolkit == Toolkit::Gtk4 && p >= 0 && tree.role(p) != Role::TableRow && focusable(node)) return Part::Item;
  if (p >= 0 && has_rows_of_cells(tree.node(p))) {
    return is_grid(tree, p) || acts_by_itself(tree, i) ? Part::Cell : Part::None;
  }
  return acts_by_itself(tree, i) ? Part::Cell : Part::None;
}

Part header_part(const Accessible& node) {
  // GTK 3 lets only headers that sort or move take the focus, but gives all of them a click.
  if (!has_activation(node)) return is_web(node.toolkit) && focusable(node) ? Part::Button : Part::None;
  return node.toolkit == Toolkit::Gtk3 && !focusable(node) ? Part::None : Part::Button;
}

Part icon_part(const Tree& tree, int i) {
  const Accessible& node = tree.node(i);
  if (selectable(node)) return Part::Button;
  if (!has_activation(node)) return Part::None;
  // The icon inside a GTK 3 entry has its action also when it only decorates; it is enabled only when it can be
  // pressed.
  const int p = tree.parent(i);
  const bool in_entry = p >= 0 && (tree.role(p) == Role::Text || tree.role(p) == Role::Entry);
  return in_entry && !node.states.has(State::Enabled) ? Part::None : Part::Button;
}

/// Editing inside a document: only the outermost editable object is the field.
Part editable_part(const Tree& tree, int i) {
  const int p = tree.parent(i);
  return p >= 0 && editable(tree.node(p)) ? Part::None : Part::Field;
}

bool declares_click(const Accessible& node) {
  for (const std::string& a : node.actions) {
    if (a == "click" || a == "press" || a == "toggle" || a == "jump" || a == "open" || a == "check" || a == "uncheck")
      return true;
  }
  return false;
}

/// Cells of one size (to a pixel), at least four in the first line.
bool is_uniform(const Tree& tree, int table) {
  constexpr int kLine = 4;
  if (tree.role(table) != Role::Table) return false;
  DeviceRect first;
  int in_line = 0;
  int seen = 0;
  for (int c = tree.first_child(table); c >= 0 && seen < 64; c = tree.next_sibling(c)) {
    const DeviceRect& r = tree.node(c).extents;
    if (tree.role(c) != Role::TableCell || r.empty()) continue;
    if (seen++ == 0) first = r;
    if (std::abs(r.w - first.w) > 1 || std::abs(r.h - first.h) > 1) return false;
    if (r.y == first.y) ++in_line;
  }
  return in_line >= kLine;
}

/// A column of nothing but tick boxes: no cell of it says a word, and one is ticked.
bool is_in_tick_column(const Tree& tree, int cell) {
  const Accessible& own = tree.node(cell);
  const int table = tree.parent(cell);
  if (!own.name.empty() || table < 0 || tree.role(cell) != Role::TableCell) return false;
  bool ticked = false;
  for (int c = tree.first_child(table); c >= 0; c = tree.next_sibling(c)) {
    const Accessible& other = tree.node(c);
    if (other.role != Role::TableCell || other.extents.x != own.extents.x) continue;
    if (!other.name.empty()) return false;
    ticked = ticked || other.states.has(State::Checked);
  }
  return ticked;
}

}  // namespace

bool has_rows_of_cells(const Accessible& container) {
  // The web and GTK 4 have objects for rows; a GTK 4 table of cells is a flow box.
  if (is_web(container.toolkit) || container.toolkit == Toolkit::Gtk4) return false;
  return container.role == Role::Table || container.role == Role::TreeTable || container.role == Role::Tree;
}

bool is_grid(const Tree& tree, int container) {
  int levels = 0;
  for (int a = tree.parent(container); a >= 0 && levels < 6; a = tree.parent(a), ++levels) {
    if (tree.role(a) == Role::DocumentSpreadsheet) return true;
  }
  // Qt tells of no cell whether it can be edited, nor of a table whether it is by cells that it selects. Rows that have
  // headers of their own make a spreadsheet; cells of one size without any header, a palette or calendar.
  int seen = 0;
  bool column_headers = false;
  for (int c = tree.first_child(container); c >= 0 && seen < 64; c = tree.next_sibling(c), ++seen) {
    const Role role = tree.role(c);
    if (sane(tree.node(c).extents).empty()) continue;
    if (role == Role::TableRowHeader || role == Role::RowHeader) return true;
    column_headers = column_headers || is_table_header(role);
  }
  return is_qt(tree.node(container).toolkit) && !column_headers && is_uniform(tree, container);
}

bool acts_by_itself(const Tree& tree, int i) {
  const Accessible& cell = tree.node(i);
  if (cell.states.has(State::Editable) || cell.states.has(State::Checkable)) return true;
  // Qt offers "toggle" on every item and says of none that it can be ticked or edited: only a tick that is set is told.
  if (is_qt(cell.toolkit)) {
    return (cell.states.has(State::Checked) && !cell.states.has(State::Selectable)) || is_in_tick_column(tree, i);
  }
  return has_action(cell, "toggle") || has_action(cell, "click") || has_action(cell, "press");
}

Part part_of(const Tree& tree, int i) {
  const Accessible& node = tree.node(i);
  switch (node.role) {
    case Role::PushButton:
    case Role::PushButtonMenu:
    case Role::ToggleButton:
    case Role::CheckBox:
    case Role::RadioButton:
    case Role::Switch:
    case Role::Link:
    case Role::MenuItem:
    case Role::CheckMenuItem:
    case Role::RadioMenuItem:
    case Role::TearoffMenuItem:
    case Role::Rating: return Part::Button;
    case Role::Menu:  // as an item of a bar or menu it has an action; as the popup itself it has none
      return has_activation(node) ? Part::Button : Part::None;
    case Role::Calendar: return focusable(node) && tree.first_child(i) < 0 ? Part::Button : Part::None;
    case Role::Icon:
    case Role::DesktopIcon: return icon_part(tree, i);
    case Role::PageTab: return Part::Tab;
    case Role::Entry:
    case Role::PasswordText:
    case Role::Terminal:
    case Role::Editbar:
    case Role::Autocomplete:
    case Role::DateEditor: return Part::Field;
    case Role::Text: return text_part(node);
    case Role::ComboBox: return Part::Combo;
    case Role::SpinButton: return Part::Spin;
    case Role::Slider:
    case Role::Dial: return Part::Range;
    case Role::ScrollBar: return scroll_bar_part(tree, i);
    case Role::ListItem:
    case Role::TableRow: return item_part(tree, i);
    case Role::TreeItem: {
      const int p = tree.parent(i);
      return p >= 0 && has_rows_of_cells(tree.node(p)) ? Part::None : item_part(tree, i);
    }
    case Role::TableCell: return cell_part(tree, i);
    case Role::ColumnHeader:
    case Role::RowHeader:
    case Role::TableColumnHeader:
    case Role::TableRowHeader: return header_part(node);
    case Role::Label:
      if (const Part part = label_part(tree, i); part != Part::None) return part;
      [[fallthrough]];
    case Role::Panel:
    case Role::Filler:
    case Role::Section:
    case Role::Paragraph:
    case Role::Article:
    case Role::Landmark:
    case Role::Grouping:
    case Role::Image:
    case Role::Static:
    case Role::Heading:
    case Role::Caption:
    case Role::Canvas:
    case Role::DrawingArea:
    case Role::Animation:
    case Role::Unknown:
    case Role::Extended:
    case Role::Embedded:
    case Role::BlockQuote:
    case Role::DescriptionTerm:
    case Role::DescriptionValue:
    case Role::Mark:
    case Role::Arrow:
    case Role::DocumentText:
    case Role::Invalid:
    case Role::RedundantObject:
    case Role::Comment:
      if (is_sorting_header(tree, i)) return Part::Button;
      if (editable(node)) return editable_part(tree, i);
      return declares_click(node) ? Part::Generic : Part::None;
    default: return Part::None;
  }
}

}  // namespace deskmark
