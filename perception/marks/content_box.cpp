#include "perception/marks/content_box.hpp"

#include <algorithm>
#include <cstdlib>

#include "perception/marks/toolkit_rules.hpp"
#include "perception/marks/visibility.hpp"

namespace deskmark {
namespace {

/// The box around it that is laid out by somebody else; -1: none that holds it.
int holder_of(const Tree& tree, int i) {
  const DeviceRect own = tree.node(i).extents;
  int steps = 0;
  for (int p = tree.parent(i); p >= 0 && steps < 8; p = tree.parent(p), ++steps) {
    const DeviceRect r = sane(tree.node(p).extents);
    if (r.empty() || r == own) continue;
    return p;
  }
  return -1;
}

/// One axis: what is free before and after the content in its parent, and up to the neighbours.
struct Axis {
  int parent_before, parent_after;  ///< negative: the parent does not hold it
  int room_before, room_after;
};

int pad(const Axis& a, int usual) {
  const bool held = a.parent_before >= 0 && a.parent_after >= 0;
  // As far from both ends of its parent, and about as far as its kind pads: it fills it. Further away it is centred.
  if (held && std::abs(a.parent_before - a.parent_after) <= 1 && a.parent_before <= usual + usual / 2 + 1 &&
      std::min(a.room_before, a.room_after) >= std::min(a.parent_before, a.parent_after)) {
    return std::min(a.parent_before, a.parent_after);
  }
  int free = std::min(a.room_before, a.room_after);
  if (held) free = std::min({free, a.parent_before, a.parent_after});
  return std::clamp(free, 0, usual);
}

/// A button of an icon, a colour: no words in it.
bool is_wordless(const Tree& tree, int button) {
  if (tree.first_child(button) < 0) {
    const DeviceRect& own = tree.node(button).extents;
    return own.w <= 2 * own.h;
  }
  for (int k = tree.enter(button) + 1; k < tree.leave(button); ++k) {
    const int i = tree.preorder()[static_cast<std::size_t>(k)];
    if (tree.role(i) == Role::Label && !tree.node(i).name.empty()) return false;
  }
  return true;
}

}  // namespace

// Measured on the themes that GTK 4.8 brings.
Padding usual_padding(const Tree& tree, const Control& control) {
  const Accessible& node = tree.node(control.box);
  switch (control.part) {
    case Part::Button:
      switch (node.role) {
        case Role::CheckBox:
        case Role::RadioButton:
        case Role::Switch: return has_action(node, "toggle") ? Padding{1, 1} : Padding{4, 4};
        case Role::MenuItem:
        case Role::CheckMenuItem:
        case Role::RadioMenuItem:
        case Role::Menu: return {8, 4};
        case Role::TableColumnHeader:
        case Role::ColumnHeader:
        case Role::Filler: return {7, 1};
        default:
          if (!is_wordless(tree, control.box)) return {17, 5};
          // An icon alone is padded less than words; where it is square, so is its button.
          return node.extents.w == node.extents.h ? Padding{6, 6} : Padding{6, 5};
      }
    case Part::Combo: return {10, 5};
    case Part::Tab: return {12, 4};
    case Part::Field:
      if (node.role == Role::Label) return {0, 0};
      return node.states.has(State::MultiLine) ? Padding{0, 0} : Padding{9, 1};
    case Part::Spin: return {1, 1};
    case Part::Range: return node.role == Role::ScrollBar ? Padding{0, 0} : Padding{12, 12};
    case Part::Item:
    case Part::Cell: return {12, 12};
    default: return {};
  }
}

int gtk4_scale(const Tree& tree) {
  int seen = 0;
  int even = 0;
  for (const Accessible& node : tree.seen().nodes) {
    const DeviceRect r = sane(node.extents);
    if (node.toolkit != Toolkit::Gtk4 || r.empty()) continue;
    ++seen;
    even += r.w % 2 == 0 && r.h % 2 == 0;
  }
  return seen >= 8 && even == seen ? 2 : 1;
}

DeviceRect border_box(const Tree& tree, const Control& control, const DeviceRect& room, int scale) {
  const DeviceRect own = tree.node(control.box).extents;
  const Padding usual = usual_padding(tree, control);
  if (usual.x == 0 && usual.y == 0) return own;
  const int holder = holder_of(tree, control.box);
  const DeviceRect parent = holder < 0 ? DeviceRect{} : tree.node(holder).extents;
  Axis x{-1, -1, own.x - room.x, room.right() - own.right()};
  Axis y{-1, -1, own.y - room.y, room.bottom() - own.bottom()};
  if (holder >= 0) {
    x.parent_before = own.x - parent.x;
    x.parent_after = parent.right() - own.right();
    y.parent_before = own.y - parent.y;
    y.parent_after = parent.bottom() - own.bottom();
  }
  int px = pad(x, usual.x * scale);
  // Around an icon, room for less than half of what is usual is shared by the padding and the space between.
  const bool icon = control.part == Part::Button && tree.first_child(control.box) < 0;
  if (icon && px > 1 && px * 2 < usual.x * scale) px /= 2;
  int py = pad(y, usual.y * scale);
  // Packed more tightly than usual in its line: it is padded less than usual across it, too.
  if (px < usual.x * scale && usual.x > 0) py = std::min(py, std::max(scale, (px * usual.y + usual.x - 1) / usual.x));
  const DeviceRect grown{own.x - px, own.y - py, own.w + 2 * px, own.h + 2 * py};
  return intersect(grown, room);
}

}  // namespace deskmark
