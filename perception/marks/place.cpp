#include "perception/marks/place.hpp"

#include <algorithm>

#include "perception/marks/snap.hpp"
#include "perception/marks/toolkit_rules.hpp"

namespace deskmark {
namespace {

/// Thin scroll bars are overlays that fade out.
constexpr int kOverlayBar = 8;

PictureRect on(const DeviceRect& area, const DeviceRect& r) { return {r.x - area.x, r.y - area.y, r.w, r.h}; }

bool is_snapped(const Tree& tree, const Control& control) {
  if (tree.node(control.node).toolkit != Toolkit::Gtk4) return false;
  switch (control.part) {
    case Part::Button:
    case Part::Tab:
    case Part::Field:
    case Part::Spin:
    case Part::Combo: return true;
    default: return false;
  }
}

}  // namespace

void place_on_pixels(const Tree& tree, const std::vector<Sight>& sights, Controls& controls) {
  const Observation& seen = tree.seen();
  if (!seen.pixels || seen.pixels->empty()) return;
  const Image& image = *seen.pixels;
  const std::vector<Control> before = controls.all;
  for (std::size_t c = 0; c < controls.all.size(); ++c) {
    Control& control = controls.all[c];
    const Sight& sight = sights[static_cast<std::size_t>(control.node)];
    if (tree.role(control.node) == Role::ScrollBar && std::min(control.rect.w, control.rect.h) <= kOverlayBar &&
        !is_qt(tree.node(control.node).toolkit) && !drawn_along(image, on(seen.area, control.rect))) {
      control.live = false;
      control.part = Part::None;
      continue;
    }
    // Only what is seen whole has all its edges in the picture.
    if (!is_snapped(tree, control) || sight.visible != sight.extents || control.rect != sight.visible) continue;
    DeviceRect limit = intersect(seen.surfaces[static_cast<std::size_t>(sight.surface)].window.bounds, seen.area);
    for (std::size_t o = 0; o < before.size(); ++o) {
      if (o == c) continue;
      const DeviceRect& other = before[o].rect;
      if (!intersect(other, control.rect).empty()) continue;
      // Half the gap to a neighbour in the same line or column is not ours.
      const bool level = std::min(other.bottom(), control.rect.bottom()) > std::max(other.y, control.rect.y);
      const bool stacked = std::min(other.right(), control.rect.right()) > std::max(other.x, control.rect.x);
      int right = limit.right();
      int bottom = limit.bottom();
      if (level && other.x >= control.rect.right()) right = std::min(right, (other.x + control.rect.right() + 1) / 2);
      if (level && other.right() <= control.rect.x) {
        const int left = std::max(limit.x, (other.right() + control.rect.x) / 2);
        limit.w = limit.right() - left;
        limit.x = left;
      }
      if (stacked && other.y >= control.rect.bottom())
        bottom = std::min(bottom, (other.y + control.rect.bottom() + 1) / 2);
      if (stacked && other.bottom() <= control.rect.y) {
        const int top = std::max(limit.y, (other.bottom() + control.rect.y) / 2);
        limit.h = limit.bottom() - top;
        limit.y = top;
      }
      limit.w = std::min(right, limit.right()) - limit.x;
      limit.h = std::min(bottom, limit.bottom()) - limit.y;
    }
    const PictureRect grown = snapped(image, on(seen.area, control.rect), on(seen.area, limit));
    control.rect = {grown.x + seen.area.x, grown.y + seen.area.y, grown.w, grown.h};
  }
}

}  // namespace deskmark
