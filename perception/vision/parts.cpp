#include <algorithm>
#include <cstddef>
#include <numeric>

#include "perception/vision/arrange.hpp"
#include "perception/vision/boxes.hpp"
#include "perception/vision/regions.hpp"
#include "perception/vision/segments.hpp"
#include "perception/vision/text_lines.hpp"
#include "perception/vision/units.hpp"

namespace deskmark {
namespace {

/// Preorder: containers before what they hold, siblings top to bottom, then left to right.
std::vector<Region> nested(std::vector<vision::Draft> drafts) {
  std::stable_sort(drafts.begin(), drafts.end(),
                   [](const auto& p, const auto& q) { return p.bounds.area() > q.bounds.area(); });
  const auto n = static_cast<int>(drafts.size());
  std::vector<int> parent(drafts.size(), -1);
  std::vector<std::vector<int>> children(drafts.size() + 1);
  for (int i = 0; i < n; ++i) {
    for (int p = i - 1; p >= 0; --p) {
      if (drafts[static_cast<std::size_t>(p)].bounds.contains(drafts[static_cast<std::size_t>(i)].bounds)) {
        parent[static_cast<std::size_t>(i)] = p;
        break;
      }
    }
    const int at = parent[static_cast<std::size_t>(i)];
    children[at < 0 ? drafts.size() : static_cast<std::size_t>(at)].push_back(i);
  }
  std::vector<Region> out;
  std::vector<std::pair<int, int>> todo;  // draft, parent region
  const auto push = [&](std::size_t of, int region) {
    auto& list = children[of];
    std::stable_sort(list.begin(), list.end(), [&](int p, int q) {
      const PictureRect& a = drafts[static_cast<std::size_t>(p)].bounds;
      const PictureRect& b = drafts[static_cast<std::size_t>(q)].bounds;
      return std::pair{a.y, a.x} < std::pair{b.y, b.x};
    });
    for (auto it = list.rbegin(); it != list.rend(); ++it) todo.emplace_back(*it, region);
  };
  push(drafts.size(), -1);
  while (!todo.empty()) {
    const auto [i, up] = todo.back();
    todo.pop_back();
    vision::Draft& d = drafts[static_cast<std::size_t>(i)];
    const auto here = static_cast<int>(out.size());
    out.push_back({d.bounds, d.kind, d.confidence, up, std::move(d.text), d.indicator, d.checked});
    push(static_cast<std::size_t>(i), here);
  }
  return out;
}

/// A letter such as D or O on a key looks like a box or ring, the dot of a sign like an icon: what stands in a small
/// button is its caption.
void drop_captions(std::vector<vision::Draft>& drafts, double scale) {
  const auto part = [](RegionKind k) {
    return k == RegionKind::CheckBox || k == RegionKind::RadioButton || k == RegionKind::Icon ||
           k == RegionKind::Switch;
  };
  const auto key = [&](const vision::Draft& d) {
    return d.kind == RegionKind::Button && d.bounds.h <= 48 * scale && d.bounds.w <= 96 * scale;
  };
  std::vector<PictureRect> keys;
  for (const vision::Draft& d : drafts) {
    if (key(d)) keys.push_back(d.bounds);
  }
  std::erase_if(drafts, [&](const vision::Draft& d) {
    return part(d.kind) && std::any_of(keys.begin(), keys.end(), [&](const PictureRect& k) {
             return intersect(k, d.bounds).area() * 10 >= d.bounds.area() * 8 && k.area() > d.bounds.area();
           });
  });
}

/// A box with lines too close to be text is the drawing of a page, not a button.
void name_drawings(const vision::Arrangement& a, std::vector<vision::Draft>& drafts) {
  for (vision::Draft& d : drafts) {
    if (d.kind != RegionKind::Button) continue;
    std::vector<int> middles;
    for (const int line : d.text) middles.push_back(vision::mid_y(a.line(line)));
    if (vision::too_close_to_read(std::move(middles), a.px(vision::kReadablePitch))) d.kind = RegionKind::Icon;
  }
}

}  // namespace

PictureParts find_parts(const Image& picture, const RegionOptions& options) {
  PictureParts parts;
  if (picture.empty()) return parts;
  const auto s = vision::segment(picture, vision::noise_tolerance(picture));
  const auto ink = vision::group_ink(s, options.scale);
  const auto shapes = vision::find_shapes(s, ink);
  parts.scale = ink.scale;
  for (const auto& line : ink.lines) parts.text.push_back(vision::describe(picture, s, line));
  vision::Arrangement a{s, ink, shapes, ink.scale, {}, {}, {}, {}, {}};
  a.line_used.assign(ink.lines.size(), false);
  a.icon_used.assign(shapes.icons.size(), false);
  a.box_kind.assign(shapes.boxes.size(), RegionKind::Container);
  a.box_leaf.assign(shapes.boxes.size(), false);
  vision::arrange_boxes(a);
  vision::arrange_surfaces(a);
  drop_captions(a.drafts, ink.scale);
  name_drawings(a, a.drafts);
  for (std::size_t i = 0; i < shapes.boxes.size(); ++i) {
    if (!a.box_leaf[i]) a.drafts.push_back({shapes.boxes[i].outer, RegionKind::Container, 0.5, {}, {}, false});
  }
  for (const PictureRect& r : ink.pictures) a.drafts.push_back({r, RegionKind::Picture, 0.5, {}, {}, false});
  parts.regions = nested(std::move(a.drafts));
  return parts;
}

std::vector<Region> find_regions(const Image& picture, const RegionOptions& options) {
  return find_parts(picture, options).regions;
}

std::vector<TextRegion> find_text_regions(const Image& picture) {
  std::vector<TextRegion> out;
  if (picture.empty()) return out;
  const auto s = vision::segment(picture, vision::noise_tolerance(picture));
  const auto ink = vision::group_ink(s, 0);
  for (const auto& line : ink.lines) out.push_back(vision::describe(picture, s, line));
  return out;
}

}  // namespace deskmark
