#include "perception/vision/widgets.hpp"

#include <algorithm>
#include <cstdlib>

namespace deskmark::vision {

void join_troughs(Arrangement& a) {
  const auto trough = [&](const Draft& d) {
    return (d.kind == RegionKind::Field || d.kind == RegionKind::Button) && d.text.empty() && d.bounds.h <= a.px(26) &&
           d.bounds.h >= a.px(8);
  };
  for (std::size_t i = 0; i < a.drafts.size(); ++i) {
    if (a.drafts[i].kind != RegionKind::Field || !trough(a.drafts[i])) continue;
    for (std::size_t k = 0; k < a.drafts.size(); ++k) {
      if (k == i || !trough(a.drafts[k])) continue;
      const PictureRect l = a.drafts[i].bounds.x < a.drafts[k].bounds.x ? a.drafts[i].bounds : a.drafts[k].bounds;
      const PictureRect r = a.drafts[i].bounds.x < a.drafts[k].bounds.x ? a.drafts[k].bounds : a.drafts[i].bounds;
      const int gap = r.x - l.right();
      if (gap < a.px(6) || gap > a.px(44) || std::abs(l.y - r.y) > 2 || std::abs(l.h - r.h) > 2 || l.w + r.w < a.px(50))
        continue;
      const PictureRect whole = unite(l, r);
      const bool text = std::any_of(a.ink.lines.begin(), a.ink.lines.end(), [&](const Line& line) {
        return whole.contains(line.bounds) && line.inks.size() > 2;
      });
      if (text) continue;
      a.drafts[i] = {whole, RegionKind::Slider, 0.5, {}, {l.right(), whole.y, gap, whole.h}, false};
      std::size_t kept = 0;
      for (std::size_t d = 0; d < a.drafts.size(); ++d) {
        if (d != i && whole.contains(a.drafts[d].bounds)) continue;
        if (d == i) i = kept;
        if (kept != d) a.drafts[kept] = std::move(a.drafts[d]);
        ++kept;
      }
      a.drafts.resize(kept);
      break;
    }
  }
}

void join_combo_boxes(Arrangement& a) {
  for (std::size_t f = 0; f < a.drafts.size(); ++f) {
    if (a.drafts[f].kind != RegionKind::Field) continue;
    for (std::size_t b = 0; b < a.drafts.size(); ++b) {
      const Draft& button = a.drafts[b];
      PictureRect& field = a.drafts[f].bounds;
      if (button.kind != RegionKind::Button || button.bounds.w > a.px(40) || button.text.size() > 1) continue;
      if (std::abs(button.bounds.x - field.right()) > 2 || std::abs(button.bounds.y - field.y) > 2 ||
          std::abs(button.bounds.h - field.h) > 4)
        continue;
      const auto points_down = [](const PictureRect& r) { return r.w * 10 >= r.h * 13 && r.h >= 3; };
      const bool drawn = std::any_of(a.shapes.icons.begin(), a.shapes.icons.end(), [&](const Icon& icon) {
        return button.bounds.contains(icon.bounds) && points_down(icon.bounds);
      });
      const bool as_text = button.text.size() == 1 && points_down(a.line(button.text.front())) &&
                           a.line(button.text.front()).w <= a.px(16);
      if (!drawn && !as_text) continue;
      field = unite(field, button.bounds);
      a.drafts[f].kind = RegionKind::ComboBox;
      a.drafts.erase(a.drafts.begin() + static_cast<std::ptrdiff_t>(b));
      if (b < f) --f;
      break;
    }
  }
}

}  // namespace deskmark::vision
