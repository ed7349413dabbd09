#include "perception/marks/fold.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

#include "perception/marks/toolkit_rules.hpp"
#include "perception/marks/words.hpp"

namespace deskmark {
namespace {

/// What is left of `whole` on the side of `part` where most room is: the arrow beside a combo box's entry.
DeviceRect beside(const DeviceRect& whole, const DeviceRect& part) {
  const DeviceRect left{whole.x, whole.y, part.x - whole.x, whole.h};
  const DeviceRect right{part.right(), whole.y, whole.right() - part.right(), whole.h};
  const DeviceRect& best = left.w > right.w ? left : right;
  return best.w >= 6 ? best : DeviceRect{};
}

double share(const DeviceRect& part, const DeviceRect& whole) {
  return whole.area() > 0 ? static_cast<double>(intersect(part, whole).area()) / static_cast<double>(whole.area())
                          : 0.0;
}

class Folder {
 public:
  Folder(const Tree& tree, const std::vector<Sight>& sights, Controls& controls)
      : tree_(tree),
        sights_(sights),
        found_(controls),
        kept_(controls.all.size(), true),
        holds_(controls.all.size()),
        around_(controls.all.size(), -1) {}

  void run() {
    nest();
    for (std::size_t c = 0; c < found_.all.size(); ++c) fold_into_parent(static_cast<int>(c));
    for (std::size_t c = found_.all.size(); c-- > 0;) shape(static_cast<int>(c));
    drop_twins();
    compact();
  }

 private:
  Control& at(int c) { return found_.all[static_cast<std::size_t>(c)]; }
  bool kept(int c) const { return kept_[static_cast<std::size_t>(c)]; }
  void drop(int c) { kept_[static_cast<std::size_t>(c)] = false; }
  [[nodiscard]] const Sight& sight(int node) const { return sights_[static_cast<std::size_t>(node)]; }

  /// The innermost control around each control and each node.
  void nest() {
    found_.owner.assign(found_.of_node.size(), -1);
    for (const int i : tree_.preorder()) {
      const int p = tree_.parent(i);
      const int above = p < 0 ? -1 : found_.owner[static_cast<std::size_t>(p)];
      const int own = found_.of_node[static_cast<std::size_t>(i)];
      found_.owner[static_cast<std::size_t>(i)] = own >= 0 ? own : above;
      if (own >= 0 && at(own).node == i) around_[static_cast<std::size_t>(own)] = above;
    }
  }

  /// The innermost control around `c` that was kept.
  int outer(int c) {
    int a = around_[static_cast<std::size_t>(c)];
    while (a >= 0 && !kept(a)) a = around_[static_cast<std::size_t>(a)];
    return a;
  }

  void fold_into_parent(int c) {
    const int a = outer(c);
    if (a < 0) return;
    Control& inner = at(c);
    Control& whole = at(a);
    // What opens in a window of its own (menu items, combo lists), or lies beside, is no part of the opener.
    const bool inside = sight(inner.node).surface == sight(whole.node).surface && share(whole.rect, inner.rect) > 0.5;
    if (inside && folds(inner, whole)) {
      if (inner.enabled && !has_activation(tree_.node(whole.actor)) && has_activation(tree_.node(inner.node))) {
        whole.actor = inner.actor;
      }
      if (whole.part == Part::Combo && inner.part == Part::Button) whole.box = inner.node;  // its arrow
      whole.enabled = whole.enabled && (inner.enabled || inner.part == Part::Generic);
      whole.live = whole.live && whole.enabled;
      drop(c);
      return;
    }
    holds_[static_cast<std::size_t>(a)].push_back(c);
    if (whole.part == Part::Generic) return;  // judged in shape(), when all it holds is known
    if (inner.part == Part::Field && (whole.part == Part::Combo || whole.part == Part::Spin)) {
      whole.field = inner.node;
      whole.split = true;
    }
  }

  /// `inner`, inside `whole`, is the same control.
  bool folds(Control& inner, Control& whole) {
    if (inner.part == Part::Generic) return whole.part != Part::Generic;
    const double covers = share(inner.rect, whole.rect);
    switch (whole.part) {
      case Part::Button: return inner.part == Part::Button && same_button(inner, whole, covers);
      case Part::Tab: return covers >= 0.8 && inner.part == Part::Button;
      case Part::Combo: return inner.part != Part::Field;
      case Part::Spin:
        if (inner.part == Part::Field) whole.field = inner.node;
        return inner.part == Part::Field;
      case Part::Field:
        if (tree_.role(whole.node) == Role::DateEditor) return false;
        return inner.part == Part::Field || (inner.part == Part::Button && covers >= 0.6);
      case Part::Cell: return covers >= 0.6 && inner.part == Part::Button && tree_.role(inner.node) == Role::CheckBox;
      default: return false;
    }
  }

  /// A button whose middle is the outer one's, or that fills it. What is inside a check box is never its twin: that is
  /// a checkable group.
  bool same_button(const Control& inner, const Control& whole, double covers) const {
    const Role outer = tree_.role(whole.node);
    const Role role = tree_.role(inner.node);
    const auto ticks = [](Role r) { return r == Role::CheckBox || r == Role::RadioButton || r == Role::Switch; };
    if (ticks(outer) && !ticks(role)) return false;
    // What an expander holds is not the expander.
    if (tree_.node(whole.node).states.has(State::Expandable) &&
        (outer == Role::ToggleButton || outer == Role::PushButton)) {
      return covers >= 0.9;
    }
    const int dx = std::abs(inner.rect.center().x - whole.rect.center().x);
    const int dy = std::abs(inner.rect.center().y - whole.rect.center().y);
    return covers >= 0.6 || (covers >= 0.15 && dx <= 4 && dy <= 4);
  }

  /// After its parts are known: where the control's own place is, and whether it has one.
  void shape(int c) {
    if (!kept(c)) return;
    Control& control = at(c);
    std::vector<int> parts;
    for (const int h : holds_[static_cast<std::size_t>(c)]) {
      if (kept(h)) parts.push_back(h);
    }
    switch (control.part) {
      case Part::Combo:
        if (control.field >= 0)
          shape_editable_combo(control);
        else
          control.box = control.node;
        break;
      case Part::Spin:
        for (const int h : parts) cut_button(control, at(h).rect);
        break;
      case Part::Field:
        if (tree_.role(control.node) == Role::DateEditor && !parts.empty()) drop(c);
        break;
      case Part::Button: shape_checkable_group(control, parts); break;
      case Part::Item: shape_item(c, parts); break;
      case Part::Generic:
        if (!worth_a_mark(control, parts)) drop(c);
        break;
      default: break;
    }
  }

  void shape_editable_combo(Control& combo) {
    if (combo.box != combo.node) {
      combo.rect = sight(combo.box).visible;
      return;
    }
    const DeviceRect arrow = beside(combo.rect, sight(combo.field).visible);
    if (!arrow.empty()) combo.rect = arrow;
  }

  /// A button at the end of a spin button is a mark of its own; the rest is the entry.
  static void cut_button(Control& spin, const DeviceRect& button) {
    const DeviceRect r = spin.rect;
    const DeviceRect b = intersect(r, button);
    if (b.empty() || b.w * 2 > r.w + b.w) return;
    if (b.center().x > r.center().x) {
      spin.rect.w = std::max(b.x - r.x, 1);
    } else if (b.right() < r.right()) {
      spin.rect = {b.right(), r.y, r.right() - b.right(), r.h};
    }
  }

  /// A checkable group box, or an open expander, is one button around everything in it; only its title reacts.
  void shape_checkable_group(Control& box, const std::vector<int>& parts) {
    const Role role = tree_.role(box.node);
    const Toolkit toolkit = tree_.node(box.node).toolkit;
    const bool expander = (toolkit == Toolkit::Gtk3 || toolkit == Toolkit::Gtk4) &&
                          (role == Role::ToggleButton || role == Role::PushButton) &&
                          tree_.node(box.node).states.has(State::Expandable);
    if (!expander && (parts.empty() || (role != Role::CheckBox && role != Role::RadioButton))) return;
    int top = box.rect.bottom();
    for (int k = tree_.enter(box.node) + 1; k < tree_.leave(box.node); ++k) {
      const DeviceRect& r = sight(tree_.preorder()[static_cast<std::size_t>(k)]).visible;
      if (!r.empty()) top = std::min(top, r.y);
    }
    if (expander && top <= box.rect.y) {
      // GTK 4: its header is the first line of what is inside.
      for (int k = tree_.enter(box.node) + 1; k < tree_.leave(box.node); ++k) {
        const DeviceRect& r = sight(tree_.preorder()[static_cast<std::size_t>(k)]).visible;
        if (!r.empty() && r.y == box.rect.y && r.h < box.rect.h) {
          top = r.bottom();
          break;
        }
      }
    }
    if (top <= box.rect.y + 4) return;
    if (expander) {
      box.rect.h = top - box.rect.y;
      return;
    }
    box.rect.h = std::min(top - box.rect.y, 24);
    // The title reacts, the empty line behind it does not: about the width of its letters and its tick box.
    const auto letters = static_cast<int>(clean_line(tree_.node(box.node).name).size());
    box.rect.w = std::min(box.rect.w, 20 + 6 * std::max(letters, 2));
  }

  /// A row that contains the rows below it (web trees) is drawn above the first of them; one that is nothing but a
  /// single button or link is that button.
  void shape_item(int c, const std::vector<int>& parts) {
    Control& item = at(c);
    int top = item.rect.bottom();
    for (const int h : parts) {
      if (at(h).part == Part::Item && at(h).rect.y > item.rect.y + 4) top = std::min(top, at(h).rect.y);
    }
    item.rect.h = top - item.rect.y;
    for (const int h : parts) {
      if (at(h).part == Part::Button && iou(at(h).rect, item.rect) > 0.85) drop(c);
    }
  }

  /// A clickable container is worth a mark when it shows something of its own beside the controls in it, and is not the
  /// page.
  bool worth_a_mark(const Control& generic, const std::vector<int>& parts) {
    const Sight& seen = sight(generic.node);
    const auto& surface = tree_.seen().surfaces[static_cast<std::size_t>(seen.surface)].window.bounds;
    const double size = share(generic.rect, surface);
    for (const int h : parts) {
      if (iou(at(h).rect, generic.rect) > 0.85) return false;
    }
    const Accessible& node = tree_.node(generic.node);
    const bool says = !clean_line(node.name).empty() || shows_text_of_its_own(generic.node);
    if (parts.empty()) return size <= 0.1 || (says && size <= 0.3);
    return says && parts.size() <= 4 && size <= 0.2;
  }

  bool shows_text_of_its_own(int node) {
    int looked = 0;
    for (int k = tree_.enter(node); k < tree_.leave(node) && looked < 200; ++k, ++looked) {
      const int i = tree_.preorder()[static_cast<std::size_t>(k)];
      const int own = found_.of_node[static_cast<std::size_t>(i)];
      if (i != node && own >= 0 && kept(own)) {
        k = tree_.leave(i) - 1;
        continue;
      }
      const Accessible& n = tree_.node(i);
      if (sight(i).visible.empty() || tree_.first_child(i) >= 0) continue;
      if (!clean_line(n.name).empty() || !clean_line(n.text).empty()) return true;
    }
    return false;
  }

  /// The same rectangle twice is one control reported twice: the first that declares what it does is kept.
  void drop_twins() {
    std::map<std::tuple<int, int, int, int, int>, int> first;
    for (std::size_t k = 0; k < found_.all.size(); ++k) {
      const int c = static_cast<int>(k);
      if (!kept(c)) continue;
      const DeviceRect& r = at(c).rect;
      const auto [it, fresh] = first.try_emplace({sight(at(c).node).surface, r.x, r.y, r.w, r.h}, c);
      if (fresh) continue;
      const Accessible& before = tree_.node(at(it->second).node);
      if (!has_activation(before) && has_activation(tree_.node(at(c).node)) && !before.states.has(State::Editable)) {
        drop(it->second);
        it->second = c;
      } else {
        drop(c);
      }
    }
  }

  void compact() {
    std::vector<int> moved(found_.all.size(), -1);
    std::vector<Control> left;
    for (std::size_t c = 0; c < found_.all.size(); ++c) {
      if (!kept_[c]) continue;
      moved[c] = static_cast<int>(left.size());
      left.push_back(std::move(found_.all[c]));
    }
    const auto target = [&](int c) {
      while (c >= 0 && !kept(c)) c = around_[static_cast<std::size_t>(c)];
      return c < 0 ? -1 : moved[static_cast<std::size_t>(c)];
    };
    for (int& c : found_.of_node) c = target(c);
    for (int& c : found_.owner) c = target(c);
    for (int& c : found_.row) c = target(c);
    found_.all = std::move(left);
  }

  const Tree& tree_;
  const std::vector<Sight>& sights_;
  Controls& found_;
  std::vector<bool> kept_;
  std::vector<std::vector<int>> holds_;
  std::vector<int> around_;
};

}  // namespace

void fold_controls(const Tree& tree, const std::vector<Sight>& sights, Controls& controls) {
  Folder{tree, sights, controls}.run();
}

}  // namespace deskmark
