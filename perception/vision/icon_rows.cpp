// Icons in a row: a tool bar repeats one size at one pitch, which tells icons apart that are set close, and which small
// boxes are drawn symbols.
#include <algorithm>
#include <cstdlib>

#include "perception/vision/boxes.hpp"
#include "perception/vision/units.hpp"

namespace deskmark::vision {
namespace {

/// Pieces side by side with at least two empty columns between them, joined per column.
std::vector<PictureRect> columns(std::vector<PictureRect> pieces) {
  std::sort(pieces.begin(), pieces.end(), [](const PictureRect& a, const PictureRect& b) {
    return std::pair{a.x, a.y} < std::pair{b.x, b.y};
  });
  std::vector<PictureRect> out;
  for (const PictureRect& p : pieces) {
    if (!out.empty() && p.x < out.back().right() + 2)
      out.back() = unite(out.back(), p);
    else
      out.push_back(p);
  }
  return out;
}

}  // namespace

std::vector<PictureRect> icons_of_row(const PictureRect& whole, const std::vector<PictureRect>& pieces) {
  if (whole.w < 5 * whole.h / 2 || whole.h < 5) return {whole};
  std::vector<PictureRect> inside;
  for (const PictureRect& p : pieces) {
    if (whole.contains(p)) inside.push_back(p);
  }
  const std::vector<PictureRect> icons = columns(std::move(inside));
  if (icons.size() < 3) return {whole};
  const int pitch = (2 * icons.back().x + icons.back().w - 2 * icons.front().x - icons.front().w) /
                    static_cast<int>(2 * (icons.size() - 1));
  for (std::size_t i = 0; i < icons.size(); ++i) {
    if (icons[i].w > whole.h * 3 / 2) return {whole};
    const int place = icons.front().x + icons.front().w / 2 + static_cast<int>(i) * pitch;
    if (std::abs(mid_x(icons[i]) - place) > 2) return {whole};
  }
  return icons;
}

void boxes_among_icons(Arrangement& a) {
  std::vector<PictureRect> icons;
  for (const Draft& d : a.drafts) {
    if (d.kind == RegionKind::Icon && d.text.empty() && d.bounds.h <= a.px(48)) icons.push_back(d.bounds);
  }
  if (icons.size() > 400) return;  // a texture
  for (Draft& d : a.drafts) {
    const bool box = d.kind == RegionKind::Button || d.kind == RegionKind::CheckBox;
    if (!box || !d.text.empty() || d.checked || d.bounds.w > a.px(22) || d.bounds.h > a.px(22)) continue;
    const PictureRect near = d.bounds.inflated(a.px(60));
    PictureRect like;
    int row = 0;
    for (const PictureRect& icon : icons) {
      if (std::abs(mid_y(icon) - mid_y(d.bounds)) > a.px(4) || intersect(near, icon).empty() ||
          !intersect(icon, d.bounds).empty())
        continue;
      ++row;
      if (like.empty() || icon.area() < like.area()) like = icon;
    }
    if (row < 2 || like.w < d.bounds.w || like.h < d.bounds.h) continue;
    d.kind = RegionKind::Icon;
    d.indicator = {};
    d.bounds = intersect(PictureRect{mid_x(d.bounds) - like.w / 2, mid_y(d.bounds) - like.h / 2, like.w, like.h},
                         PictureRect{0, 0, a.s.width, a.s.height});
  }
}

}  // namespace deskmark::vision
