#include "perception/marks/place.hpp"

#include <algorithm>
#include <numeric>

#include "perception/marks/snap.hpp"
#include "perception/marks/toolkit_rules.hpp"

namespace deskmark {
namespace {

/// No toolkit pads more than this around what it reports, device pixels (scale 2).
constexpr int kReach = 32;

PictureRect in_pixels(const DeviceRect& area, const DeviceRect& r) { return {r.x - area.x, r.y - area.y, r.w, r.h}; }
DeviceRect on_screen(const DeviceRect& area, const PictureRect& r) { return {r.x + area.x, r.y + area.y, r.w, r.h}; }

/// Reported as its content box. Wrappers (menu buttons, combo boxes) have no padding of their own: they are exact.
bool is_padded(const Tree& tree, const Control& control) {
  if (tree.node(control.node).toolkit != Toolkit::Gtk4) return false;
  switch (control.part) {
    case Part::Button: return control.actor == control.node;
    case Part::Combo: return control.box != control.node;
    case Part::Tab:
    case Part::Field:
    case Part::Spin: return true;
    default: return false;
  }
}

bool is_icon(const Tree& tree, const Control& control) {
  return tree.node(control.node).toolkit == Toolkit::Gtk3 && tree.role(control.node) == Role::Icon &&
         tree.node(control.node).states.has(State::Selectable);
}

bool is_collapsed_expander(const Tree& tree, const Control& control) {
  const StateSet& states = tree.node(control.node).states;
  return tree.role(control.node) == Role::ToggleButton && states.has(State::Expandable) &&
         !states.has(State::Expanded) && tree.node(control.node).toolkit == Toolkit::Gtk3;
}

/// Room around each control: up to half the gap to its neighbours.
class Room {
 public:
  explicit Room(const std::vector<Control>& controls) : controls_(controls), by_top_(controls.size()) {
    std::iota(by_top_.begin(), by_top_.end(), 0);
    std::stable_sort(by_top_.begin(), by_top_.end(), [&](int a, int b) { return rect(a).y < rect(b).y; });
    for (const Control& c : controls) tallest_ = std::max(tallest_, c.rect.h);
  }

  [[nodiscard]] DeviceRect around(const DeviceRect& own, DeviceRect limit) const {
    const DeviceRect near = own.inflated(kReach);
    limit = intersect(limit, near);
    auto it = std::lower_bound(by_top_.begin(), by_top_.end(), near.y - tallest_,
                               [&](int c, int y) { return rect(c).y < y; });
    for (; it != by_top_.end() && rect(*it).y < near.bottom(); ++it) {
      const DeviceRect& other = rect(*it);
      if (intersect(other, near).empty() || !intersect(other, own).empty()) continue;
      limit = intersect(limit, side_of(own, other, limit));
    }
    return limit;
  }

 private:
  [[nodiscard]] const DeviceRect& rect(int c) const { return controls_[static_cast<std::size_t>(c)].rect; }

  static DeviceRect side_of(const DeviceRect& own, const DeviceRect& other, const DeviceRect& limit) {
    DeviceRect r = limit;
    const bool level = std::min(other.bottom(), own.bottom()) > std::max(other.y, own.y);
    const bool stacked = std::min(other.right(), own.right()) > std::max(other.x, own.x);
    if (level && other.x >= own.right()) r.w = own.right() + (other.x - own.right() + 1) / 2 - r.x;
    if (level && other.right() <= own.x) {
      const int x = own.x - (own.x - other.right() + 1) / 2;
      r = {x, r.y, r.right() - x, r.h};
    }
    if (stacked && other.y >= own.bottom()) r.h = own.bottom() + (other.y - own.bottom() + 1) / 2 - r.y;
    if (stacked && other.bottom() <= own.y) {
      const int y = own.y - (own.y - other.bottom() + 1) / 2;
      r = {r.x, y, r.w, r.bottom() - y};
    }
    return r;
  }

  const std::vector<Control>& controls_;
  std::vector<int> by_top_;
  int tallest_ = 0;
};

/// GtkIconView reports an icon without its item padding, which is a third of what lies between two icons in a line.
int icon_padding(const Tree& tree, int icon) {
  int gap = 18;
  const DeviceRect& own = tree.node(icon).extents;
  for (int c = tree.first_child(tree.parent(icon)); c >= 0; c = tree.next_sibling(c)) {
    const DeviceRect& other = tree.node(c).extents;
    if (other.y == own.y && other.x >= own.right() && other.x - own.right() < 80) {
      gap = other.x - own.right();
      break;
    }
  }
  return gap / 3;
}

}  // namespace

void place_as_drawn(const Tree& tree, const std::vector<Sight>& sights, Controls& controls) {
  const Observation& seen = tree.seen();
  const Image* image = seen.pixels && !seen.pixels->empty() ? seen.pixels.get() : nullptr;
  const std::vector<Control> reported = controls.all;
  const Room room{reported};
  for (Control& control : controls.all) {
    if (control.part == Part::None) continue;
    const Sight& sight = sights[static_cast<std::size_t>(control.node)];
    const DeviceRect window =
        sight.surface < 0 ? DeviceRect{} : seen.surfaces[static_cast<std::size_t>(sight.surface)].window.bounds;
    const DeviceRect limit = intersect(window, seen.area);
    if (is_icon(tree, control) && tree.parent(control.node) >= 0) {
      const DeviceRect pane = sights[static_cast<std::size_t>(tree.parent(control.node))].clipped;
      const DeviceRect padded = control.rect.inflated(icon_padding(tree, control.node));
      control.rect = intersect(padded, room.around(control.rect, intersect(limit, pane)));
      continue;
    }
    // Only what is seen whole has its edges in the picture.
    const Sight& box = sights[static_cast<std::size_t>(control.box)];
    if (image == nullptr || box.visible != box.extents || control.rect != box.visible) continue;
    if (is_collapsed_expander(tree, control)) {
      control.rect = on_screen(seen.area, first_lines(*image, in_pixels(seen.area, control.rect)));
    } else if (is_padded(tree, control)) {
      const DeviceRect free = room.around(control.rect, limit);
      control.rect =
          on_screen(seen.area, snapped(*image, in_pixels(seen.area, control.rect), in_pixels(seen.area, free)));
    }
  }
}

}  // namespace deskmark
