#include "perception/marks/place.hpp"

#include <algorithm>
#include <numeric>

#include "perception/marks/content_box.hpp"
#include "perception/marks/snap.hpp"
#include "perception/marks/toolkit_rules.hpp"

namespace deskmark {
namespace {

/// No toolkit pads more than this around what it reports, device pixels (a pill at scale 2).
constexpr int kReach = 72;

PictureRect in_pixels(const DeviceRect& area, const DeviceRect& r) { return {r.x - area.x, r.y - area.y, r.w, r.h}; }
DeviceRect on_screen(const DeviceRect& area, const PictureRect& r) { return {r.x + area.x, r.y + area.y, r.w, r.h}; }

/// Reported as its content box. Wrappers (menu buttons, combo boxes) have no padding of their own: they are exact.
bool is_padded(const Tree& tree, const Control& control) {
  if (tree.node(control.node).toolkit != Toolkit::Gtk4) return false;
  switch (control.part) {
    case Part::Button: return control.actor == control.node;
    case Part::Combo: return control.box != control.node;
    case Part::None:
    case Part::Generic: return false;
    default: return true;
  }
}

/// Kinds that draw a box of their own in most themes.
bool has_border(const Control& control) {
  return control.part == Part::Button || control.part == Part::Field || control.part == Part::Spin ||
         control.part == Part::Combo;
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

/// GTK 3 reports the allocation, in which style sheets leave a margin around what is drawn (buttons in title bars).
bool may_have_margin(const Tree& tree, const Control& control) {
  return tree.node(control.node).toolkit == Toolkit::Gtk3 && has_border(control);
}

/// Room around each control: of the gap to a neighbour, the share that its padding has in both.
class Room {
 public:
  Room(const Tree& tree, const std::vector<Sight>& sights, const std::vector<Control>& controls)
      : controls_(controls), by_top_(controls.size()) {
    for (const Control& c : controls) {
      padding_.push_back(is_padded(tree, c) ? usual_padding(tree, c) : Padding{});
      surface_.push_back(sights[static_cast<std::size_t>(c.node)].surface);
      tallest_ = std::max(tallest_, c.rect.h);
    }
    std::iota(by_top_.begin(), by_top_.end(), 0);
    std::stable_sort(by_top_.begin(), by_top_.end(), [&](int a, int b) { return rect(a).y < rect(b).y; });
  }

  /// Around `own`, the place of controls[c].
  [[nodiscard]] DeviceRect around(int c, const DeviceRect& own, DeviceRect limit) const {
    const DeviceRect near = own.inflated(kReach);
    limit = intersect(limit, near);
    auto it = std::lower_bound(by_top_.begin(), by_top_.end(), near.y - tallest_,
                               [&](int other, int y) { return rect(other).y < y; });
    for (; it != by_top_.end() && rect(*it).y < near.bottom(); ++it) {
      const DeviceRect& other = rect(*it);
      if (*it == c || surface_[at(*it)] != surface_[at(c)]) continue;
      if (intersect(other, near).empty() || !intersect(other, own).empty()) continue;
      limit = intersect(limit, side_of(own, other, limit, padding_[at(c)], padding_[at(*it)]));
    }
    return limit;
  }

 private:
  static std::size_t at(int c) { return static_cast<std::size_t>(c); }
  [[nodiscard]] const DeviceRect& rect(int c) const { return controls_[at(c)].rect; }

  static int share(int gap, int own, int other) {
    return own + other > 0 ? (gap * own + own + other - 1) / (own + other) : gap / 2;
  }

  static DeviceRect side_of(const DeviceRect& own, const DeviceRect& other, const DeviceRect& limit, Padding mine,
                            Padding its) {
    DeviceRect r = limit;
    const bool level = std::min(other.bottom(), own.bottom()) > std::max(other.y, own.y);
    const bool stacked = std::min(other.right(), own.right()) > std::max(other.x, own.x);
    if (level && other.x >= own.right()) r.w = own.right() + share(other.x - own.right(), mine.x, its.x) - r.x;
    if (level && other.right() <= own.x) {
      const int x = own.x - share(own.x - other.right(), mine.x, its.x);
      r = {x, r.y, r.right() - x, r.h};
    }
    if (stacked && other.y >= own.bottom()) r.h = own.bottom() + share(other.y - own.bottom(), mine.y, its.y) - r.y;
    if (stacked && other.bottom() <= own.y) {
      const int y = own.y - share(own.y - other.bottom(), mine.y, its.y);
      r = {r.x, y, r.w, r.bottom() - y};
    }
    return r;
  }

  const std::vector<Control>& controls_;
  std::vector<int> by_top_;
  std::vector<Padding> padding_;
  std::vector<int> surface_;
  int tallest_ = 0;
};

/// GtkIconView reports an icon without its item padding, which is a third of what lies between two icons in a line.
int icon_padding(const Tree& tree, int view) {
  constexpr int kUsual = 18;
  constexpr int kMost = 80;
  int before = -1;
  for (int c = tree.first_child(view); c >= 0; before = c, c = tree.next_sibling(c)) {
    if (before < 0) continue;
    const DeviceRect& left = tree.node(before).extents;
    const DeviceRect& right = tree.node(c).extents;
    const int gap = right.x - left.right();
    if (left.y == right.y && gap >= 0 && gap < kMost) return gap / 3;
  }
  return kUsual / 3;
}

/// What clips `node`, as far as it is in the picture itself.
DeviceRect clip_of(const Tree& tree, const std::vector<Sight>& sights, int node) {
  for (int p = tree.parent(node); p >= 0; p = tree.parent(p)) {
    const Sight& sight = sights[static_cast<std::size_t>(p)];
    if (clips_children(tree.node(p)) && !sight.clipped.empty()) return sight.clipped;
  }
  return tree.seen().area;
}

/// What lies beyond a side that is cut off does not limit the widget.
DeviceRect beyond_cuts(const Sight& box, DeviceRect free) {
  const DeviceRect& v = box.visible;
  const DeviceRect& e = box.extents;
  int right = free.right();
  int bottom = free.bottom();
  if (v.x != e.x) free.x = e.x - kReach;
  if (v.y != e.y) free.y = e.y - kReach;
  if (v.right() != e.right()) right = e.right() + kReach;
  if (v.bottom() != e.bottom()) bottom = e.bottom() + kReach;
  return {free.x, free.y, right - free.x, bottom - free.y};
}

/// The sides at which the content is not cut off move out to `most`.
DeviceRect grown_where_whole(const Sight& box, const DeviceRect& most, const DeviceRect& clip) {
  const DeviceRect& v = box.visible;
  const DeviceRect& e = box.extents;
  const int left = v.x == e.x ? most.x : v.x;
  const int top = v.y == e.y ? most.y : v.y;
  const int right = v.right() == e.right() ? most.right() : v.right();
  const int bottom = v.bottom() == e.bottom() ? most.bottom() : v.bottom();
  const DeviceRect grown = intersect(DeviceRect{left, top, right - left, bottom - top}, clip);
  return grown.empty() ? v : grown;
}

}  // namespace

void place_as_drawn(const Tree& tree, const std::vector<Sight>& sights, Controls& controls) {
  const Observation& seen = tree.seen();
  const Image* image = seen.pixels && !seen.pixels->empty() ? seen.pixels.get() : nullptr;
  const std::vector<Control> reported = controls.all;
  const Room room{tree, sights, reported};
  const int scale = gtk4_scale(tree);
  for (std::size_t c = 0; c < controls.all.size(); ++c) {
    Control& control = controls.all[c];
    if (control.part == Part::None) continue;
    const int own = static_cast<int>(c);
    const Sight& sight = sights[static_cast<std::size_t>(control.node)];
    const DeviceRect window =
        sight.surface < 0 ? DeviceRect{} : seen.surfaces[static_cast<std::size_t>(sight.surface)].window.bounds;
    const DeviceRect limit = intersect(window, seen.area);
    if (is_icon(tree, control) && tree.parent(control.node) >= 0) {
      const DeviceRect pane = sights[static_cast<std::size_t>(tree.parent(control.node))].clipped;
      const DeviceRect padded = control.rect.inflated(icon_padding(tree, tree.parent(control.node)));
      control.rect = intersect(padded, room.around(own, control.rect, intersect(limit, pane)));
      continue;
    }
    const Sight& box = sights[static_cast<std::size_t>(control.box)];
    if (control.rect != box.visible) continue;  // a part that was cut out of it
    if (is_collapsed_expander(tree, control)) {
      if (image != nullptr) {
        control.rect = on_screen(seen.area, first_lines(*image, in_pixels(seen.area, control.rect)));
      }
    } else if (image != nullptr && may_have_margin(tree, control)) {
      control.rect = on_screen(seen.area, without_margin(*image, in_pixels(seen.area, control.rect)));
    } else if (is_padded(tree, control)) {
      const DeviceRect clip = intersect(limit, clip_of(tree, sights, control.box));
      const DeviceRect free = beyond_cuts(box, room.around(own, box.extents, box.extents.inflated(kReach)));
      const DeviceRect most = border_box(tree, control, free, scale);
      if (box.visible != box.extents) {
        control.rect = grown_where_whole(box, most, clip);
        continue;
      }
      // Only what is seen whole has its edges in the picture.
      DeviceRect drawn = control.rect;
      if (image != nullptr && has_border(control)) {
        const PictureRect content = in_pixels(seen.area, control.rect);
        PictureRect box_drawn = snapped(*image, content, in_pixels(seen.area, most));
        if (box_drawn == content && control.part == Part::Button) {
          box_drawn = filled(*image, content, in_pixels(seen.area, intersect(free, clip)));
        }
        drawn = on_screen(seen.area, box_drawn);
      }
      // A widget at the edge of what clips it may lose its border there, never its content.
      const DeviceRect placed = intersect(drawn == control.rect ? most : drawn, clip);
      if (!placed.empty()) control.rect = placed;
    }
  }
}

}  // namespace deskmark
