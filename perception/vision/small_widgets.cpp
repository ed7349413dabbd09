#include "perception/vision/widgets.hpp"

#include <algorithm>
#include <cstdlib>

namespace deskmark::vision {

PictureRect with_caption(const Arrangement& a, const PictureRect& indicator, const PictureRect& caption) {
  // On web pages the box alone is the control, and the text stands off by a space and a margin.
  const int gap = caption.x - indicator.right();
  if (indicator.h <= a.px(13) && gap >= a.px(7)) return indicator;
  return unite(indicator, caption);
}

bool indicator(Arrangement& a, int index) {
  const Box& b = a.box(index);
  const PictureRect& r = b.outer;
  if (std::max(r.w, r.h) > a.px(26) || std::min(r.w, r.h) < a.px(8) || std::abs(r.w - r.h) > a.px(3)) return false;
  const Content c = content(a, index);
  const RegionKind kind = b.round ? RegionKind::RadioButton : RegionKind::CheckBox;
  const int text = text_beside(a, r, b.on);
  if (text >= 0 && c.lines.size() <= 1 && r.h <= a.px(22)) {
    a.line_used[static_cast<std::size_t>(text)] = true;
    take(a, index, {with_caption(a, r, a.line(text)), kind, 0.85, {text}, r, !c.lines.empty() || !c.icons.empty()});
    return true;
  }
  if (c.lines.empty() && c.icons.empty()) {
    if (r.h <= a.px(20) && b.bordered)
      take(a, index, {r, kind, 0.5, {}, r, false});
    else if (b.bordered || b.round)
      take(a, index, {r, RegionKind::Button, 0.4, {}, {}, false});
    else
      return false;
    return true;
  }
  take(a, index, {r, RegionKind::Button, 0.7, {}, {}, false});
  return true;
}

void sliders(Arrangement& a) {
  for (const Groove& groove : a.ink.sliders) {
    // What takes the pointer reaches a little beyond what is drawn.
    PictureRect r = groove.bounds;
    r = intersect(r.inflated(a.px(4)), PictureRect{0, 0, a.s.width, a.s.height});
    cover(a, groove.bounds);
    a.drafts.push_back({r, RegionKind::Slider, 0.7, {}, groove.knob, false});
  }
}

bool switch_knob(Arrangement& a, int index) {
  const Box& b = a.box(index);
  const PictureRect& k = b.outer;
  if (!b.round || k.h < a.px(11) || k.h > a.px(34)) return false;
  const PictureRect near = k.inflated(a.px(3));
  PictureRect best;
  const auto consider = [&](const PictureRect& r) {
    if (r.h < k.h * 7 / 10 || r.h > k.h * 16 / 10 || r.w > 3 * k.h || r.w < k.h / 2) return;
    if (intersect(near, r).empty()) return;
    const PictureRect all = unite(r, k);
    if (all.w * 10 < all.h * 15 || all.w * 10 > all.h * 27 || all.h > k.h * 16 / 10) return;
    const bool at_end = k.x - all.x <= a.px(4) || all.right() - k.right() <= a.px(4);
    if (at_end && all.area() > best.area()) best = all;
  };
  // Only what touches the knob can be the rest of the pill.
  const int y = k.y + k.h / 2;
  for (const int side : {-1, 1}) {
    for (int n = 0; n <= a.px(4); ++n) {
      const int x = side < 0 ? b.inner.x - 1 - n : b.inner.right() + n;
      if (x < 0 || x >= a.s.width) break;
      const int ink = a.s.ink_at(x, y);
      if (ink >= 0) {
        const PictureRect& r = a.s.inks[static_cast<std::size_t>(ink)].bounds;
        if (r.contains(b.inner)) consider(r);
        continue;
      }
      const int label = a.s.at(x, y);
      const Segment& seg = a.s.segments[static_cast<std::size_t>(label)];
      if (!seg.fill || label == b.fill || seg.bounds.w > 3 * k.h || seg.bounds.h > 2 * k.h) continue;
      const bool disc =
          std::abs(seg.bounds.w - seg.bounds.h) <= 2 && seg.rectangularity() < 0.88 && seg.rectangularity() > 0.7;
      if (!disc) consider(seg.bounds);
    }
  }
  if (best.empty()) return false;
  cover(a, best);
  a.box_leaf[static_cast<std::size_t>(index)] = true;
  a.drafts.push_back({best, RegionKind::Switch, 0.7, {}, k, k.center().x > best.center().x});
  return true;
}

void checked_boxes(Arrangement& a) {
  for (Draft& d : a.drafts) {
    if (d.kind != RegionKind::Button || d.bounds.w > a.px(26) || d.bounds.h > a.px(26)) continue;
    const auto alike = [&](const Draft& e) {
      return e.kind == RegionKind::CheckBox && !e.checked && e.indicator == e.bounds &&
             std::abs(e.bounds.x - d.bounds.x) <= a.px(2) && std::abs(e.bounds.w - d.bounds.w) <= a.px(2) &&
             std::abs(e.bounds.h - d.bounds.h) <= a.px(2);
    };
    if (std::none_of(a.drafts.begin(), a.drafts.end(), alike)) continue;
    d.kind = RegionKind::CheckBox;
    d.indicator = d.bounds;
    d.checked = true;
  }
}

void keypad_keys(Arrangement& a) {
  const auto colour = [&](int i) { return a.s.segments[static_cast<std::size_t>(a.box(i).fill)].rgb; };
  const auto count = static_cast<int>(a.shapes.boxes.size());
  for (int i = 0; i < count; ++i) {
    const PictureRect& r = a.box(i).outer;
    if (a.box_leaf[static_cast<std::size_t>(i)] || r.h > a.px(76) || r.h < a.px(20) || r.w > a.px(160)) continue;
    const Content c = content(a, i);
    if (c.boxes + c.lines.size() > 0) continue;
    int alike = 0;
    for (int k = 0; k < count; ++k) {
      const PictureRect& o = a.box(k).outer;
      alike += a.box_kind[static_cast<std::size_t>(k)] == RegionKind::Button && std::abs(o.w - r.w) <= 2 &&
               std::abs(o.h - r.h) <= 2 && colour_distance(colour(i), colour(k)) <= 6;
    }
    if (alike >= 3) take(a, i, {r, RegionKind::Button, 0.5, {}, {}, false});
  }
}

}  // namespace deskmark::vision
