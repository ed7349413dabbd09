#include "perception/marks/controls.hpp"
#include "perception/marks/toolkit_rules.hpp"

namespace deskmark {
namespace {

bool is_menu_window(const Window& window) {
  return window.type == WindowType::Menu || window.type == WindowType::DropdownMenu ||
         window.type == WindowType::PopupMenu || window.type == WindowType::Combo;
}

bool is_modal_window(const Tree& tree, const Surface& surface) {
  if (surface.window.modal) return true;
  const bool known = surface.root >= 0 && surface.root < tree.size();
  return known && tree.node(surface.root).states.has(State::Modal);
}

class Reach {
 public:
  Reach(const Tree& tree, const std::vector<Sight>& sights) : tree_(tree), sights_(sights) {}

  std::vector<bool> run() {
    survey();
    const int lowest = lowest_surface();
    const int inner = lock_inside(lowest);
    std::vector<bool> reach(sights_.size(), false);
    for (std::size_t i = 0; i < sights_.size(); ++i) {
      const int s = sights_[i].surface;
      if (s < lowest) continue;
      reach[i] =
          inner < 0 || s > sights_[static_cast<std::size_t>(inner)].surface || tree_.inside(static_cast<int>(i), inner);
    }
    return reach;
  }

 private:
  void survey() {
    holds_items_.assign(tree_.seen().surfaces.size(), false);
    for (int i = 0; i < tree_.size(); ++i) {
      const Sight& sight = sights_[static_cast<std::size_t>(i)];
      if (sight.visible.empty()) continue;
      const Accessible& node = tree_.node(i);
      switch (node.role) {
        case Role::MenuItem:
        case Role::CheckMenuItem:
        case Role::RadioMenuItem:
        case Role::Menu: holds_items_[static_cast<std::size_t>(sight.surface)] = true; break;
        default: break;
      }
      const bool typing = node.states.has(State::Focused) && node.states.has(State::Editable);
      if (typing && sight.surface > typing_in_) typing_in_ = sight.surface;
    }
  }

  /// An open menu takes all input until it closes; so does the list of a combo box, unless someone is typing below it
  /// (completions leave the entry usable).
  [[nodiscard]] bool locks_what_is_below(int s) const {
    const Surface& surface = tree_.seen().surfaces[static_cast<std::size_t>(s)];
    const Window& window = surface.window;
    if (window.type == WindowType::Combo) return typing_in_ < 0 || typing_in_ >= s;
    if (is_menu_window(window)) return true;
    return s > 0 && window.override_redirect && window.type != WindowType::Tooltip &&
           holds_items_[static_cast<std::size_t>(s)];
  }

  /// The lowest surface whose elements can be used.
  [[nodiscard]] int lowest_surface() const {
    const auto& surfaces = tree_.seen().surfaces;
    const int count = static_cast<int>(surfaces.size());
    // A chain of open menus: each submenu is above its menu, and all of them stay usable.
    int lowest = -1;
    for (int s = count - 1; s > 0; --s) {
      const WindowType type = surfaces[static_cast<std::size_t>(s)].window.type;
      if (type == WindowType::Tooltip || type == WindowType::Notification || type == WindowType::Dnd) continue;
      if (!locks_what_is_below(s)) break;
      lowest = s;
    }
    if (lowest >= 0) return lowest;
    for (int s = count - 1; s > 0; --s) {
      if (is_modal_window(tree_, surfaces[static_cast<std::size_t>(s)])) return s;
    }
    return 0;
  }

  /// A modal part of a window: an open popover, an in-page dialog, a web menu that has the focus. The last one drawn
  /// wins.
  [[nodiscard]] int lock_inside(int lowest) const {
    int found = -1;
    for (const int i : tree_.preorder()) {
      const Sight& sight = sights_[static_cast<std::size_t>(i)];
      if (sight.visible.empty() || sight.surface < lowest || tree_.parent(i) < 0 || is_root(i)) continue;
      const Accessible& node = tree_.node(i);
      const bool menu =
          (node.role == Role::Menu || node.role == Role::PopupMenu) && floats_above(tree_, i) && holds_focus(i);
      if (node.states.has(State::Modal) || menu) found = i;
    }
    return found;
  }

  [[nodiscard]] bool is_root(int i) const {
    for (const Surface& s : tree_.seen().surfaces) {
      if (s.root == i) return true;
    }
    return false;
  }

  [[nodiscard]] bool holds_focus(int i) const {
    for (int k = tree_.enter(i); k < tree_.leave(i); ++k) {
      if (tree_.node(tree_.preorder()[static_cast<std::size_t>(k)]).states.has(State::Focused)) return true;
    }
    return false;
  }

  const Tree& tree_;
  const std::vector<Sight>& sights_;
  std::vector<bool> holds_items_;
  int typing_in_ = -1;
};

}  // namespace

std::vector<bool> in_reach(const Tree& tree, const std::vector<Sight>& sights) { return Reach{tree, sights}.run(); }

}  // namespace deskmark
