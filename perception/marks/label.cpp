#include "perception/marks/label.hpp"

#include <algorithm>
#include <cstdlib>

#include "perception/marks/toolkit_rules.hpp"
#include "perception/marks/words.hpp"

namespace deskmark {
namespace {

bool is_text_role(Role role) {
  switch (role) {
    case Role::Label:
    case Role::Static:
    case Role::Heading:
    case Role::Caption:
    case Role::Paragraph:
    case Role::Text:
    case Role::AcceleratorLabel:
    case Role::DescriptionTerm:
    case Role::Section: return true;
    default: return false;
  }
}

/// Twice the same words ("4 4") is how GTK 4 joins a button's name with the label inside it.
std::string undoubled(std::string text) {
  const std::size_t half = text.size() / 2;
  if (text.size() >= 3 && text.size() % 2 == 1 && text[half] == ' ' &&
      text.compare(0, half, text, half + 1, half) == 0) {
    text.resize(half);
  }
  return text;
}

std::string placeholder(const Accessible& node) {
  std::string text = clean_line(attribute(node, "placeholder-text"));
  return text.empty() ? clean_line(attribute(node, "placeholder")) : text;
}

/// Library classes are never a label; other humps only when nothing better names the object.
bool is_library_class(std::string_view name) {
  static constexpr std::string_view prefixes[] = {"Gtk", "Adw", "Hdy", "Vte", "WebKit", "Panel"};
  return is_class_name(name) && std::any_of(std::begin(prefixes), std::end(prefixes), [&](std::string_view p) {
           return name.starts_with(p) && name.size() > p.size() && name[p.size()] >= 'A' && name[p.size()] <= 'Z';
         });
}

/// Inputs are named by text beside them; a button that has no words of its own is not about the text to its left.
bool takes_text_beside(Part part, Role role) {
  switch (part) {
    case Part::Field:
    case Part::Combo:
    case Part::Spin: return true;
    case Part::Range: return role != Role::ScrollBar;
    case Part::Button:
      return role == Role::Switch || role == Role::CheckBox || role == Role::RadioButton || role == Role::ToggleButton;
    default: return false;
  }
}

}  // namespace

std::string shown_text(const Accessible& node) {
  if (is_password(node)) return {};
  std::string name = clean_line(node.name);
  if (node.toolkit == Toolkit::Gtk4 && is_class_name(name)) name.clear();
  return name.empty() ? clean_line(node.text) : name;
}

Wordings::Wordings(const Tree& tree, const std::vector<Sight>& sights, const Controls& controls)
    : tree_(tree),
      sights_(sights),
      controls_(controls),
      words_(controls.all.size()),
      labels_(static_cast<std::size_t>(tree.size()), -1) {
  // What names itself first: a text that a relation claims is not taken by a neighbour that merely lies beside it.
  std::vector<int> nameless;
  for (std::size_t c = 0; c < controls.all.size(); ++c) {
    words_[c].label = label_of(static_cast<int>(c));
    if (words_[c].label.empty()) nameless.push_back(static_cast<int>(c));
  }
  for (const int c : nameless) {
    Wording& words = words_[static_cast<std::size_t>(c)];
    const Control& control = controls_.all[static_cast<std::size_t>(c)];
    const Accessible& node = tree.node(control.node);
    // The field of an editable combo box: GTK 3 tells the label of the box alone.
    const int outer = tree_.parent(control.node);
    const int box = outer < 0 ? -1 : controls_.of_node[static_cast<std::size_t>(outer)];
    if (box >= 0 && box != c && controls_.all[static_cast<std::size_t>(box)].part == Part::Combo)
      words.label = words_[static_cast<std::size_t>(box)].label;
    if (words.label.empty() && takes_text_beside(control.part, node.role)) words.label = beside(c);
    if (words.label.empty()) words.label = humanised(node.accessible_id);
    const std::string name = clean_line(node.name);
    if (words.label.empty() && control.part != Part::Combo && is_icon_name(name)) words.label = humanised(name);
    // A class name is better than nothing; a combo box's name is its value.
    if (words.label.empty() && control.part != Part::Combo && !is_library_class(name)) words.label = name;
  }
  for (std::size_t c = 0; c < controls.all.size(); ++c) {
    words_[c].label = cut_line(std::move(words_[c].label));
    words_[c].value = value_of(static_cast<int>(c));
  }
}

std::string Wordings::own_name(int i, Part part) const {
  const Accessible& node = tree_.node(i);
  std::string name = clean_line(node.name);
  if (is_icon_name(name)) return {};
  if (node.toolkit == Toolkit::Gtk4) {
    if (is_class_name(name)) return {};
    name = undoubled(std::move(name));
  }
  // GTK 3 and Qt name a combo box after its selected option.
  if (part == Part::Combo && !is_web(node.toolkit) && node.toolkit != Toolkit::Gtk4) return {};
  return name;
}

std::string Wordings::label_of(int c) {
  const Control& control = controls_.all[static_cast<std::size_t>(c)];
  const Accessible& node = tree_.node(control.node);
  const bool password = is_password(node);
  if (!control.cells.empty()) return row_label(c);
  if (control.stepper != 0) {
    // Comes after its spin button, whose label is known.
    const int spin = controls_.of_node[static_cast<std::size_t>(control.node)];
    const std::string& of = words_[static_cast<std::size_t>(spin)].label;
    return (of.empty() ? "" : of + ' ') + (control.stepper < 0 ? "decrease" : "increase");
  }

  std::string text;
  const bool reads_inside = control.part == Part::Button || control.part == Part::Tab || control.part == Part::Item ||
                            control.part == Part::Cell || control.part == Part::Generic;
  // GTK 4 names are class names, doubled, or mnemonics ("Page _1"): what is drawn inside is better.
  if (reads_inside && node.toolkit == Toolkit::Gtk4) text = inner_text(control.node, control.rect, c);
  if (text.empty()) text = own_name(control.node, control.part);
  if (text.empty() && control.actor != control.node) text = own_name(control.actor, control.part);
  // Asked also when it is not needed, so that the outline knows whose label that text is.
  std::string related = from_relation(c, control.node);
  if (related.empty() && control.field >= 0) related = from_relation(c, control.field);
  if (text.empty()) text = std::move(related);
  if (text.empty() && reads_inside) text = inner_text(control.node, control.rect, c);
  if (text.empty() && control.part == Part::Cell && !password) text = clean_line(node.text);
  if (text.empty() && control.part == Part::Cell) text = column_name(control.node);
  if (text.empty() && (node.role == Role::Icon || node.role == Role::DesktopIcon)) text = clean_line(node.text);
  // A search entry is named "Search" by its toolkit; what its placeholder says contains that and more.
  if (control.part == Part::Field && !text.empty()) {
    const std::string hint = placeholder(node);
    if (hint.size() > text.size() && hint.find(text) != std::string::npos) text = hint;
  }
  if (text.empty()) text = clean_line(node.description);
  if (text.empty()) text = placeholder(node);
  if (text.empty() && control.actor != control.node) text = clean_line(tree_.node(control.actor).description);
  // A menu button's words may sit on its wrapper.
  const int p = tree_.parent(control.node);
  if (text.empty() && p >= 0 &&
      sights_[static_cast<std::size_t>(p)].extents == sights_[static_cast<std::size_t>(control.node)].extents) {
    text = clean_line(tree_.node(p).description);
  }
  if (password) {
    // Belt and braces: an application that put the secret itself into its name must not leak through it.
    const std::string secret = clean_line(node.text);
    if (!secret.empty() && text == secret) text.clear();
  }
  return text;
}

std::string Wordings::row_label(int c) const {
  const Control& row = controls_.all[static_cast<std::size_t>(c)];
  std::string text;
  const auto add = [&](int cell, std::string_view between) {
    const std::string part = shown_text(tree_.node(cell));
    if (part.empty() || is_icon_name(part)) return;
    if (!text.empty()) text += between;
    text += part;
  };
  for (const int cell : row.cells) {
    add(cell, " | ");
    // GTK 3: what a column draws side by side (an icon, a word) is in cells of its own.
    for (int inner = tree_.first_child(cell); inner >= 0; inner = tree_.next_sibling(inner)) {
      if (tree_.role(inner) == Role::TableCell) add(inner, inner == tree_.first_child(cell) ? " | " : " ");
    }
  }
  return text;
}

/// Visible text of the leaves below `node` that lie inside the control and in no other control, joined.
std::string Wordings::inner_text(int node, const DeviceRect& within, int c) const {
  std::string text;
  int looked = 0;
  for (int k = tree_.enter(node) + 1; k < tree_.leave(node) && looked < 256; ++k, ++looked) {
    const int i = tree_.preorder()[static_cast<std::size_t>(k)];
    const int own = controls_.owner[static_cast<std::size_t>(i)];
    const Sight& seen = sights_[static_cast<std::size_t>(i)];
    if (own != c) {
      k = tree_.leave(i) - 1;
      continue;
    }
    if (seen.visible.empty() || !within.contains(seen.visible.center())) continue;
    const Accessible& n = tree_.node(i);
    const bool leaf = tree_.first_child(i) < 0;
    const bool names =
        is_text_role(n.role) || n.role == Role::Image || n.role == Role::Icon || n.role == Role::TableCell;
    if (!leaf || !names || is_password(n)) continue;
    const std::string part = shown_text(n);
    if (part.empty() || is_icon_name(part)) continue;
    // An image named like the text beside it says nothing new.
    if (text.find(part) != std::string::npos && n.role != Role::Label && n.role != Role::Static) continue;
    if (!text.empty()) text += ' ';
    text += part;
  }
  return clean_line(text);
}

std::string Wordings::from_relation(int c, int i) {
  std::string text;
  for (const int target : tree_.node(i).labelled_by) {
    if (target < 0 || target >= tree_.size() || target == i) continue;
    std::string part = shown_text(tree_.node(target));
    if (part.empty())
      part = inner_text(target, sights_[static_cast<std::size_t>(target)].extents,
                        controls_.owner[static_cast<std::size_t>(target)]);
    if (part.empty()) continue;
    for (int k = tree_.enter(target); k < tree_.leave(target); ++k) {
      const int said = tree_.preorder()[static_cast<std::size_t>(k)];
      if (controls_.of_node[static_cast<std::size_t>(said)] < 0) labels_[static_cast<std::size_t>(said)] = c;
    }
    if (!text.empty()) text += ' ';
    text += part;
  }
  return text;
}

/// The nearest free text to the left on the same line, or right above, among what shares its container.
std::string Wordings::beside(int c) {
  const Control& control = controls_.all[static_cast<std::size_t>(c)];
  const Sight& own = sights_[static_cast<std::size_t>(control.node)];
  const DeviceRect box = own.extents.empty() ? control.rect : own.extents;
  int best = -1;
  const bool area = tree_.node(control.node).states.has(State::MultiLine);
  // Device pixels; in its own container a label may stand far off in a column of labels, elsewhere it must be close.
  constexpr long kFar[] = {240, 60, 30};
  int from = control.node;
  long best_distance = 0;
  for (const long far : kFar) {
    const int p = tree_.parent(from);
    if (p < 0) break;
    best_distance = far;
    int looked = 0;
    for (int k = tree_.enter(p) + 1; k < tree_.leave(p) && looked < 300; ++k, ++looked) {
      const int i = tree_.preorder()[static_cast<std::size_t>(k)];
      if (i == from || controls_.of_node[static_cast<std::size_t>(i)] >= 0) {
        k = tree_.leave(i) - 1;
        continue;
      }
      const Accessible& n = tree_.node(i);
      const DeviceRect& r = sights_[static_cast<std::size_t>(i)].visible;
      if (r.empty() || tree_.first_child(i) >= 0 || labels_[static_cast<std::size_t>(i)] >= 0) continue;
      if (n.role != Role::Label && n.role != Role::Static && n.role != Role::Text) continue;
      if (controls_.owner[static_cast<std::size_t>(i)] != controls_.owner[static_cast<std::size_t>(p)]) continue;
      const std::string words = shown_text(n);
      const int holder = tree_.parent(i);
      // The title of another group names that group.
      if (words.empty() || (holder >= 0 && holder != p && clean_line(tree_.node(holder).name) == words)) continue;
      const int line = std::min(r.bottom(), box.bottom()) - std::max(r.y, box.y);
      long distance = best_distance;
      if (line * 2 > std::min(r.h, box.h) && r.right() <= box.x + 4 && (!area || from == control.node)) {
        distance = box.x - r.right();
      } else if (r.bottom() <= box.y + 4 && box.y - r.bottom() <= 16 && std::abs(r.x - box.x) <= 24) {
        distance = 20 + box.y - r.bottom();
      }
      if (distance < best_distance) {
        best = i;
        best_distance = distance;
      }
    }
    if (best >= 0) break;
    from = p;
  }
  if (best < 0) return {};
  labels_[static_cast<std::size_t>(best)] = c;
  return shown_text(tree_.node(best));
}

/// The header above a cell that shows no words: "Installed" over a column of ticks.
std::string Wordings::column_name(int cell) const {
  const int table = tree_.parent(cell);
  if (table < 0) return {};
  const DeviceRect& r = sights_[static_cast<std::size_t>(cell)].extents;
  int looked = 0;
  for (int h = tree_.first_child(table); h >= 0 && looked < 64; h = tree_.next_sibling(h), ++looked) {
    const Role role = tree_.role(h);
    if (role != Role::TableColumnHeader && role != Role::ColumnHeader) continue;
    const DeviceRect& head = sights_[static_cast<std::size_t>(h)].extents;
    if (head.x <= r.center().x && r.center().x < head.right()) return shown_text(tree_.node(h));
  }
  return {};
}

bool Wordings::named_by_value(const Control& combo) const {
  const Toolkit toolkit = tree_.node(combo.node).toolkit;
  return !is_web(toolkit) && toolkit != Toolkit::Gtk4;
}

std::string Wordings::combo_value(const Control& combo) const {
  if (combo.field >= 0) return clean_line(tree_.node(combo.field).text);
  const Accessible& node = tree_.node(combo.node);
  for (int k = tree_.enter(combo.node) + 1; k < tree_.leave(combo.node); ++k) {
    const Accessible& n = tree_.node(tree_.preorder()[static_cast<std::size_t>(k)]);
    if (n.states.has(State::Selected) && !clean_line(n.name).empty()) return clean_line(n.name);
  }
  if (const std::string_view text = attribute(node, "valuetext"); !text.empty()) return clean_line(text);
  std::string name = clean_line(node.name);
  if (node.toolkit == Toolkit::Gtk4 && is_class_name(name)) name.clear();
  if (named_by_value(combo) && !name.empty()) return is_icon_name(name) ? humanised(name) : name;
  std::string inside = inner_text(combo.node, combo.rect, controls_.owner[static_cast<std::size_t>(combo.node)]);
  return inside.empty() && is_web(node.toolkit) ? clean_line(node.text) : inside;
}

std::optional<std::string> Wordings::value_of(int c) const {
  const Control& control = controls_.all[static_cast<std::size_t>(c)];
  const Accessible& node = tree_.node(control.node);
  if (is_password(node) || (control.field >= 0 && is_password(tree_.node(control.field)))) return std::nullopt;
  std::string value;
  const auto number = [&](int i) {
    if (const std::string_view text = attribute(tree_.node(i), "valuetext"); !text.empty()) return clean_line(text);
    return tree_.node(i).value ? number_word(tree_.node(i).value->current) : std::string{};
  };
  switch (control.part) {
    case Part::Field:
      if (node.role == Role::Terminal) return std::nullopt;  // its screen is read in the outline
      value = clean_line(node.text);
      // GTK 4's entry may keep its text on the text object inside.
      if (value.empty() && control.field >= 0) value = clean_line(tree_.node(control.field).text);
      if (value == placeholder(node)) value.clear();
      break;
    case Part::Combo: value = combo_value(control); break;
    case Part::Spin:
      value = clean_line(node.text);
      if (value.empty() && control.field >= 0) value = clean_line(tree_.node(control.field).text);
      if (value.empty()) value = number(control.node);
      break;
    case Part::Range:
      value = number(control.node);
      if (value.empty() && tree_.first_child(control.node) >= 0) value = number(tree_.first_child(control.node));
      break;
    default: return std::nullopt;
  }
  if (value.empty() || control.split) return std::nullopt;
  return cut_line(std::move(value));
}

}  // namespace deskmark
