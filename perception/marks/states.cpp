#include "perception/marks/states.hpp"

#include <algorithm>

#include "perception/marks/toolkit_rules.hpp"

namespace deskmark {
namespace {

bool is_checkable(const Tree& tree, int i) {
  const Accessible& node = tree.node(i);
  switch (node.role) {
    case Role::CheckBox:
    case Role::RadioButton:
    case Role::CheckMenuItem:
    case Role::RadioMenuItem:
    case Role::Switch: return true;
    case Role::ToggleButton:
      // GTK 3's switch is a toggle button whose action is "toggle"; a plain toggle button is clicked.
      return node.states.has(State::Checkable) || has_action(node, "toggle");
    case Role::TableCell:
      return acts_by_itself(tree, i) && (has_action(node, "toggle") || node.states.has(State::Checkable));
    default: return node.states.has(State::Checkable);
  }
}

/// Roles whose word alone says that text is typed there.
bool is_entry(Role role) {
  return role == Role::Entry || role == Role::Text || role == Role::PasswordText || role == Role::Editbar ||
         role == Role::Autocomplete;
}

}  // namespace

std::vector<std::string> state_words(const Tree& tree, const Control& control) {
  if (control.stepper != 0) return {};
  const Accessible& node = tree.node(control.node);
  // A composite control is in a state when one of its parts is: the cells of a row, the entry of a combo box.
  const auto any = [&](State s) {
    if (node.states.has(s) || tree.node(control.actor).states.has(s)) return true;
    if (control.field >= 0 && !control.split && tree.node(control.field).states.has(s)) return true;
    return std::any_of(control.cells.begin(), control.cells.end(), [&](int c) { return tree.node(c).states.has(s); });
  };
  std::vector<std::string> words;
  const bool qt_tab = control.part == Part::Tab && is_qt(node.toolkit);
  if (any(State::Focused) && !qt_tab) words.emplace_back("focused");
  if (is_checkable(tree, control.node)) {
    words.emplace_back(any(State::Indeterminate) ? "partly checked" : any(State::Checked) ? "checked" : "unchecked");
  } else if (control.part == Part::Item && node.role != Role::ListItem) {
    // The tick of a row is that of its words; a cell that is nothing but a tick has a mark of its own.
    const auto ticked = [&](int c) { return tree.node(c).states.has(State::Checked) && !acts_by_itself(tree, c); };
    if (std::any_of(control.cells.begin(), control.cells.end(), ticked)) words.emplace_back("checked");
  } else if (any(State::Checked) && !any(State::Expandable)) {
    // Qt menu items and GTK toggle buttons carry CHECKED without saying that they can be.
    words.emplace_back(node.role == Role::ToggleButton || node.role == Role::PushButton ? "pressed" : "checked");
  } else if (any(State::Pressed) && control.part != Part::Tab && !any(State::Expandable)) {
    words.emplace_back("pressed");
  }
  // Qt marks the current tab as focused, never as selected.
  if (any(State::Selected) || (qt_tab && any(State::Focused))) words.emplace_back("selected");
  const bool expandable = any(State::Expandable);
  if (any(State::Expanded) && (expandable || control.part == Part::Combo)) {
    words.emplace_back("expanded");
  } else if ((expandable || any(State::Collapsed)) && control.part != Part::Combo) {
    words.emplace_back("collapsed");
  }
  if (any(State::HasPopup) && control.part != Part::Combo && node.role != Role::Menu) words.emplace_back("has popup");
  if (any(State::IsDefault) && control.part == Part::Button) words.emplace_back("default");
  if (any(State::Required)) words.emplace_back("required");
  if (any(State::InvalidEntry)) words.emplace_back("invalid");
  if (control.part == Part::Field && node.role != Role::Terminal) {
    const bool can_edit = any(State::Editable);
    if (node.states.has(State::ReadOnly) || (!can_edit && node.role != Role::DateEditor))
      words.emplace_back("read-only");
    if (can_edit && !is_entry(node.role)) words.emplace_back("editable");
    if (any(State::MultiLine)) words.emplace_back("multi-line");
    if (is_password(node) && node.role != Role::PasswordText) words.emplace_back("password");
  }
  if (any(State::Busy)) words.emplace_back("busy");
  return words;
}

}  // namespace deskmark
