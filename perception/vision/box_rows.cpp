#include "perception/vision/widgets.hpp"

#include <algorithm>
#include <cstdlib>

namespace deskmark::vision {

bool stacked_row(const Arrangement& a, int index) {
  const PictureRect& r = a.box(index).inner;
  return std::any_of(a.shapes.boxes.begin(), a.shapes.boxes.end(), [&](const Box& other) {
    const PictureRect& o = other.inner;
    return other.fill != a.box(index).fill && std::abs(o.x - r.x) <= 2 && std::abs(o.right() - r.right()) <= 2 &&
           !other.lines.empty() && (std::abs(o.y - r.bottom()) <= 2 || std::abs(o.bottom() - r.y) <= 2);
  });
}

bool segments_of(Arrangement& a, int index, const Content& c) {
  const PictureRect& r = a.box(index).outer;
  if (c.lines.size() < 2 || c.lines.size() > 6 || !c.icons.empty() || r.h > a.px(44)) return false;
  std::vector<int> lines = c.lines;
  std::sort(lines.begin(), lines.end(), [&](int i, int k) { return a.line(i).x < a.line(k).x; });
  std::vector<int> cuts{r.x};
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    const int gap = a.line(lines[i + 1]).x - a.line(lines[i]).right();
    if (gap < a.px(12) || std::abs(mid_y(a.line(lines[i])) - mid_y(a.line(lines[i + 1]))) > a.px(4)) return false;
    cuts.push_back(a.line(lines[i]).right() + gap / 2);
  }
  cuts.push_back(r.right());
  // Between two captions lie two paddings.
  const int pad = std::min(a.line(lines.front()).x - r.x, r.right() - a.line(lines.back()).right());
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    if ((a.line(lines[i + 1]).x - a.line(lines[i]).right()) * 10 < pad * 16) return false;
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const int left = a.line(lines[i]).x - cuts[i];
    const int right = cuts[i + 1] - a.line(lines[i]).right();
    if (std::abs(left - right) > std::max(a.px(6), (left + right) / 3) || a.line(lines[i]).w > a.px(180)) return false;
  }
  a.box_leaf[static_cast<std::size_t>(index)] = true;
  a.box_kind[static_cast<std::size_t>(index)] = RegionKind::Tab;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    a.line_used[static_cast<std::size_t>(lines[i])] = true;
    a.drafts.push_back({{cuts[i], r.y, cuts[i + 1] - cuts[i], r.h}, RegionKind::Tab, 0.5, {lines[i]}, {}, false});
  }
  return true;
}

bool stacked_segments(Arrangement& a, int index, const Content& c) {
  const PictureRect& r = a.box(index).outer;
  if (c.lines.size() < 2 || c.lines.size() > 4 || !c.icons.empty()) return false;
  std::vector<int> lines = c.lines;
  std::sort(lines.begin(), lines.end(), [&](int i, int k) { return a.line(i).y < a.line(k).y; });
  const bool list = !a.box(index).bordered && stacked_row(a, index);
  std::vector<int> cuts{r.y};
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    const int gap = a.line(lines[i + 1]).y - a.line(lines[i]).bottom();
    // Lines of one wrapped caption stand closer.
    if (gap * 10 < a.ink.letter * (list ? 5 : 10)) return false;
    cuts.push_back(a.line(lines[i]).bottom() + gap / 2);
  }
  cuts.push_back(r.bottom());
  a.box_leaf[static_cast<std::size_t>(index)] = true;
  a.box_kind[static_cast<std::size_t>(index)] = RegionKind::Tab;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    a.line_used[static_cast<std::size_t>(lines[i])] = true;
    a.drafts.push_back({{r.x, cuts[i], r.w, cuts[i + 1] - cuts[i]},
                        list ? RegionKind::ListRow : RegionKind::Tab,
                        0.5,
                        {lines[i]},
                        {},
                        false});
  }
  return true;
}

bool rows_beside_selected(Arrangement& a, int index) {
  const Box& b = a.box(index);
  const PictureRect& r = b.inner;
  if (r.w < a.px(60) || b.lines.size() < 2 || b.lines.size() > 200) return false;
  for (const Box& other : a.shapes.boxes) {
    const PictureRect& o = other.inner;
    if (other.fill == b.fill || other.lines.empty() || o.h < a.px(14) || o.h > a.px(44)) continue;
    if (std::abs(o.x - r.x) > 3 || std::abs(o.right() - r.right()) > 3) continue;
    const bool below = std::abs(r.y - o.bottom()) <= 2;
    if (!below && std::abs(o.y - r.bottom()) > 2) continue;
    if (r.h < 2 * o.h - a.px(6)) continue;
    const Content c = content(a, index);
    if (c.boxes > 0) return false;
    const int rows = (r.h + o.h / 2) / o.h;
    std::vector<std::vector<int>> lines(static_cast<std::size_t>(std::max(rows, 1)));
    bool fits = true;
    int farthest = 0;
    for (const int i : c.lines) {
      const int from = below ? mid_y(a.line(i)) - r.y : r.bottom() - mid_y(a.line(i));
      const int row = std::clamp(from / o.h, 0, rows - 1);
      fits = fits && std::abs(from - row * o.h - o.h / 2) <= std::max(3, o.h / 4);
      farthest = std::max(farthest, row);
      lines[static_cast<std::size_t>(row)].push_back(i);
    }
    const auto empty =
        std::count_if(lines.begin(), lines.begin() + farthest + 1, [](const auto& l) { return l.empty(); });
    if (!fits || empty > 0) continue;
    a.box_leaf[static_cast<std::size_t>(index)] = true;
    a.box_kind[static_cast<std::size_t>(index)] = RegionKind::ListRow;
    for (const int i : c.lines) a.line_used[static_cast<std::size_t>(i)] = true;
    for (const int i : c.icons) a.icon_used[static_cast<std::size_t>(i)] = true;
    for (int row = 0; row <= farthest; ++row) {
      const int y = below ? r.y + row * o.h : r.bottom() - (row + 1) * o.h;
      a.drafts.push_back({intersect(PictureRect{r.x, y, r.w, o.h}, b.outer),
                          RegionKind::ListRow,
                          0.6,
                          lines[static_cast<std::size_t>(row)],
                          {},
                          false});
    }
    return true;
  }
  return false;
}

bool card_row(Arrangement& a, int index) {
  const Box& b = a.box(index);
  const PictureRect& r = b.outer;
  if (r.w < a.px(160) || r.h < a.px(30) || r.h > a.px(120) || r.w * 100 >= a.s.width * 95 || b.lines.empty())
    return false;
  if (b.lines.size() > 5 || b.icons.size() > 4) return false;
  bool stacked = false;
  for (const Box& other : a.shapes.boxes) {
    const PictureRect& o = other.outer;
    if (other.fill == b.fill || std::abs(o.x - r.x) > 3 || std::abs(o.right() - r.right()) > 3) continue;
    if (o.h > a.px(120) || o.h < a.px(30) || other.lines.empty()) continue;
    if (std::abs(o.y - r.bottom()) > 4 && std::abs(o.bottom() - r.y) > 4) continue;
    stacked = stacked || colour_distance(a.s.segments[static_cast<std::size_t>(other.fill)].rgb,
                                         a.s.segments[static_cast<std::size_t>(b.fill)].rgb) <= 24;
  }
  if (!stacked) return false;
  Draft d{r, RegionKind::ListRow, 0.5, {}, {}, false};
  for (const int i : b.lines) {
    if (!a.line_used[static_cast<std::size_t>(i)]) d.text.push_back(i);
    a.line_used[static_cast<std::size_t>(i)] = true;
  }
  for (const int i : b.icons) a.icon_used[static_cast<std::size_t>(i)] = true;
  a.box_leaf[static_cast<std::size_t>(index)] = true;
  a.box_kind[static_cast<std::size_t>(index)] = RegionKind::ListRow;
  a.drafts.push_back(std::move(d));
  return true;
}

}  // namespace deskmark::vision
