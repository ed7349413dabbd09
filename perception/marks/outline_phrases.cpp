#include "perception/marks/outline_phrases.hpp"

#include <cmath>

#include "perception/marks/label.hpp"
#include "perception/marks/reading_order.hpp"
#include "perception/marks/toolkit_rules.hpp"
#include "perception/marks/words.hpp"

namespace deskmark {
namespace {

bool is_seen(const std::vector<Sight>& sights, int node) {
  return !sights[static_cast<std::size_t>(node)].visible.empty();
}

}  // namespace

std::string control_word(const Tree& tree, const Control& control) {
  if (control.stepper != 0) return std::string{role_name(Role::PushButton)};
  // Headers of GTK 4's column views are plain boxes.
  if (control.part == Part::Button && tree.role(control.node) == Role::Filler)
    return std::string{role_name(Role::ColumnHeader)};
  if (control.cells.empty()) return std::string{role_name(tree.role(control.node))};
  // A row made of cells has no object, hence no role of its own.
  return std::string{role_name(tree.role(control.node) == Role::TreeItem ? Role::TreeItem : Role::TableRow)};
}

std::string control_phrase(std::string_view role, std::string_view label, const std::optional<std::string>& value,
                           const std::vector<std::string>& states) {
  std::string text{role};
  text += ' ' + quoted(label);
  if (value) text += " = " + quoted(*value);
  if (!states.empty()) {
    text += " [";
    for (std::size_t k = 0; k < states.size(); ++k) text += (k > 0 ? ", " : "") + states[k];
    text += ']';
  }
  return text;
}

std::string amount_phrase(const Accessible& node, const std::string& name) {
  std::string text{role_name(node.role)};
  if (!name.empty()) text += ' ' + quoted(cut_line(name));
  const double span = node.value->maximum - node.value->minimum;
  if (const std::string_view words = attribute(node, "valuetext"); !words.empty()) {
    text += " = " + quoted(cut_line(clean_line(words)));
  } else if (span > 0) {
    text += " = " + number_word(std::round((node.value->current - node.value->minimum) / span * 100)) + "%";
  }
  return text;
}

std::string cells_phrase(const Tree& tree, const std::vector<Sight>& sights, int row) {
  std::string text;
  for (int k = tree.enter(row) + 1; k < tree.leave(row); ++k) {
    const int i = tree.preorder()[static_cast<std::size_t>(k)];
    if (!is_seen(sights, i)) continue;
    const Role role = tree.role(i);
    const bool cell = role == Role::TableCell || is_table_header(role);
    const std::string words = shown_text(tree.node(i));
    if (!cell || words.empty()) continue;
    text += (text.empty() ? "" : " | ") + words;
    k = tree.leave(i) - 1;
  }
  return text;
}

std::vector<int> siblings_as_met(const Tree& tree, const std::vector<Sight>& sights, int first, bool in_page) {
  std::vector<int> children;
  for (int c = first; c >= 0; c = tree.next_sibling(c)) children.push_back(c);
  if (children.size() < 2 || in_page || tree.parent(first) < 0) return children;
  std::vector<DeviceRect> rects;
  std::vector<int> placed;
  std::vector<int> rest;
  for (const int c : children) {
    if (is_seen(sights, c)) {
      placed.push_back(c);
      rects.push_back(sights[static_cast<std::size_t>(c)].visible);
    } else {
      rest.push_back(c);
    }
  }
  if (rest.size() > placed.size()) return children;  // mostly objects without a place of their own
  std::vector<int> out;
  out.reserve(children.size());
  for (const int k : reading_order(rects)) out.push_back(placed[static_cast<std::size_t>(k)]);
  out.insert(out.end(), rest.begin(), rest.end());
  return out;
}

bool has_visible_text_below(const Tree& tree, const std::vector<Sight>& sights, int node) {
  int looked = 0;
  for (int k = tree.enter(node) + 1; k < tree.leave(node) && looked < 64; ++k, ++looked) {
    const int i = tree.preorder()[static_cast<std::size_t>(k)];
    if (is_seen(sights, i) && !shown_text(tree.node(i)).empty()) return true;
  }
  return false;
}

}  // namespace deskmark
