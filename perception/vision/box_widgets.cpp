#include "perception/vision/widgets.hpp"

#include <algorithm>
#include <cstdlib>

namespace deskmark::vision {

namespace {

/// Ends rounded by more than half of what a half circle takes: no row of a list.
bool pill(const Arrangement& a, const Box& b) {
  const Segment& seg = a.s.segments[static_cast<std::size_t>(b.fill)];
  const double cut = (4 - 3.14159) * b.inner.h * b.inner.h / 4.0;  // all four corners of a pill
  return b.inner.w > b.inner.h && static_cast<double>(b.inner.area() - seg.row_fill) >= 0.5 * cut;
}

}  // namespace

bool single_row(Arrangement& a, int index) {
  const Box& b = a.box(index);
  const PictureRect& r = b.outer;
  if (r.h > a.px(76) || r.h < a.px(13) || r.w < a.px(13)) return false;
  const bool edge_to_edge = r.x <= 2 && r.right() >= a.s.width - 2;
  const bool across = b.inner.w >= a.s.width * 9 / 10 && a.s.width > a.px(320) && (edge_to_edge || !b.bordered);
  const Content c = content(a, index);
  if (c.boxes > 0) return false;
  if (across) {
    // A strip across the whole picture is a bar, unless it is a row of a list.
    if (c.lines.size() != 1 || !c.icons.empty() || r.h > a.px(32) || !stacked_row(a, index) ||
        c.bounds.x - r.x > a.px(16))
      return false;
    take(a, index, {r, RegionKind::ListRow, 0.5, {}, {}, false});
    return true;
  }
  const double aspect = static_cast<double>(r.w) / r.h;
  if (c.lines.empty() && c.icons.empty()) {
    if (!b.bordered && b.on < 0) return false;
    if (aspect >= 2.2 && r.h <= a.px(48)) {
      if (b.bordered)
        take(a, index, {r, RegionKind::Field, 0.6, {}, {}, false});
      else
        return false;
    } else if (aspect < 2.2 && (b.bordered || b.round)) {
      take(a, index, {r, RegionKind::Button, 0.4, {}, {}, false});
    } else {
      return false;
    }
    return true;
  }
  // More than two lines of text, or texts far apart, are a row of a table or a bar.
  int rows = 0;
  int last = -1000;
  std::vector<int> lines = c.lines;
  std::sort(lines.begin(), lines.end(), [&](int i, int k) { return a.line(i).y < a.line(k).y; });
  for (const int i : lines) {
    if (mid_y(a.line(i)) > last) {
      ++rows;
      last = a.line(i).bottom() - 1;
    }
  }
  if (rows > 3 || c.lines.size() > 4) return false;
  // Several words on a plain strip are a menu bar.
  if (!b.bordered && rows == 1 && c.lines.size() >= 3) return false;
  std::vector<PictureRect> items;
  for (const int i : c.lines) items.push_back(a.line(i));
  for (const int i : c.icons) items.push_back(a.icon(i));
  std::sort(items.begin(), items.end(), [](const PictureRect& p, const PictureRect& q) { return p.x < q.x; });
  int widest_gap = 0;
  int reach = items.front().right();
  int gaps = 0;
  for (const PictureRect& item : items) {
    const int gap = item.x - reach;
    widest_gap = std::max(widest_gap, gap);
    if (gap > a.px(24)) ++gaps;
    reach = std::max(reach, item.right());
  }
  if (segments_of(a, index, c) || stacked_segments(a, index, c)) return true;
  if (gaps > 1) return false;
  const int left = c.bounds.x - r.x;
  const int right = r.right() - c.bounds.right();
  // An arrow at the far end makes it a combo box.
  const PictureRect& tail = items.back();
  const bool square = tail.w >= a.px(11) && tail.h >= a.px(11) && std::abs(tail.w - tail.h) <= a.px(2);
  const bool arrow = items.size() >= 2 && !square && tail.w <= a.px(18) && tail.h <= a.px(18) && right <= a.px(16) &&
                     tail.x - items[items.size() - 2].right() >= a.px(4) && c.lines.size() <= 2;
  Draft d{r, RegionKind::Button, 0.8, {}, {}, false};
  if (gaps == 1 && !arrow) {
    if (r.w > a.px(420)) return false;
    d.confidence = 0.55;
    d.kind = b.bordered ? RegionKind::Button : RegionKind::ListRow;
    const bool closed = b.bordered || (pill(a, b) && aspect >= 5);
    if (closed && square && right <= a.px(20) && left <= a.px(30) && c.lines.size() <= 2) d.kind = RegionKind::Field;
  } else if (arrow && aspect > 1.8) {
    d.kind = RegionKind::ComboBox;
  } else if (std::abs(left - right) > std::max(a.px(8), r.w / 6) && left <= a.px(30) && aspect > 2.2) {
    d.kind = rows <= 1 ? RegionKind::Field : RegionKind::ListRow;
    d.confidence = b.bordered ? 0.7 : 0.5;
    if (!b.bordered) d.kind = RegionKind::ListRow;
  } else if (r.w > a.px(500) && !(b.bordered && std::abs(left - right) <= std::max(a.px(8), r.w / 20))) {
    return false;  // a bar; the button of a dialog may be as wide, with its caption in the middle
  }
  const bool field = d.kind == RegionKind::Field;
  take(a, index, std::move(d));
  // A symbol at the far end of a field is a button of its own (clear, reload, open).
  if (field && square && items.size() >= 2 && right <= a.px(20) &&
      tail.x - items[items.size() - 2].right() >= a.px(12)) {
    a.drafts.push_back({tail.inflated(a.px(2)), RegionKind::Icon, 0.5, {}, {}, false});
  }
  return true;
}

bool tall_button(Arrangement& a, int index) {
  const Box& b = a.box(index);
  const PictureRect& r = b.outer;
  if (r.h <= a.px(76) || r.h > a.px(180) || r.w > a.px(240) || r.w < a.px(40)) return false;
  const Content c = content(a, index);
  if (c.boxes > 0 || c.lines.size() > 2 || c.lines.size() + c.icons.size() == 0) return false;
  const int left = c.bounds.x - r.x;
  const int right = r.right() - c.bounds.right();
  if (std::abs(left - right) > std::max(a.px(4), r.w / 10)) return false;
  const int above = c.bounds.y - r.y;
  const int below = r.bottom() - c.bounds.bottom();
  const bool middle = std::abs(above - below) <= std::max(a.px(4), r.h / 10) && c.lines.size() + c.icons.size() <= 2;
  const bool stands_out =
      b.bordered || (b.on >= 0 && colour_distance(a.s.segments[static_cast<std::size_t>(b.on)].rgb,
                                                  a.s.segments[static_cast<std::size_t>(b.fill)].rgb) >= 24);
  bool captioned = b.bordered && !c.lines.empty() && !c.icons.empty() && r.w >= a.px(48) && r.h <= a.px(140);
  for (const int i : c.lines) captioned = captioned && mid_y(a.line(i)) >= mid_y(r);
  if (!captioned && !(middle && stands_out)) return false;
  take(a, index, {r, RegionKind::Button, 0.6, {}, {}, false});
  return true;
}

bool long_field(Arrangement& a, int index) {
  const Box& b = a.box(index);
  const PictureRect& r = b.outer;
  if (r.h > a.px(48) || r.h < a.px(18) || r.w < a.px(200) || r.w < 6 * r.h || b.inner.w >= a.s.width * 9 / 10)
    return false;
  if (b.on < 0 || b.lines.size() + b.icons.size() + b.boxes.size() > 6 || b.lines.empty()) return false;
  for (const int k : b.boxes) {
    const PictureRect& child = a.box(k).outer;
    if (child.w * 5 > r.w || (child.x - r.x > r.w / 4 && r.right() - child.right() > r.w / 4)) return false;
  }
  int texts = 0;
  for (const int i : b.lines) {
    if (a.line(i).w > a.px(40)) ++texts;
  }
  if (texts != 1) return false;
  a.box_kind[static_cast<std::size_t>(index)] = RegionKind::Field;
  Draft d{r, RegionKind::Field, 0.5, {}, {}, false};
  for (const int i : b.lines) {
    a.line_used[static_cast<std::size_t>(i)] = true;
    d.text.push_back(i);
  }
  a.drafts.push_back(std::move(d));
  return true;
}

bool text_area(Arrangement& a, int index) {
  const Box& b = a.box(index);
  const PictureRect& r = b.outer;
  if (r.w < a.px(100) || r.h < a.px(40)) return false;
  if (r.w >= a.s.width - 4 && r.h >= a.s.height - 4) return false;
  if (b.on >= 0 && colour_distance(a.s.segments[static_cast<std::size_t>(b.on)].rgb,
                                   a.s.segments[static_cast<std::size_t>(b.fill)].rgb) < 5) {
    return false;
  }
  const Content c = content(a, index);
  if (c.boxes > 0 || c.icons.size() > 1) return false;
  // A check box in a panel: an icon right before a text.
  for (const int i : c.icons) {
    for (const int k : c.lines) {
      const int gap = a.line(k).x - a.icon(i).right();
      if (gap >= 0 && gap <= a.px(14) && std::abs(mid_y(a.line(k)) - mid_y(a.icon(i))) <= a.px(5)) return false;
    }
  }
  const bool note = b.bordered && !c.lines.empty() && c.lines.size() <= 2 && c.icons.empty() &&
                    c.bounds.y - r.y <= a.px(12) && c.bounds.x - r.x <= a.px(14) && r.h >= 2 * c.bounds.h;
  if (!c.lines.empty() && !note) {
    // Running text: most lines are long.
    int longest = 0;
    for (const int i : c.lines) longest = std::max(longest, a.line(i).w);
    int full = 0;
    for (const int i : c.lines) full += a.line(i).w * 2 > longest;
    if (c.lines.size() < 3 || full * 10 < static_cast<int>(c.lines.size()) * 6 || longest * 2 < b.inner.w) return false;
  }
  take(a, index, {r, RegionKind::TextArea, c.lines.empty() ? 0.4 : 0.5, {}, {}, false});
  return true;
}

}  // namespace deskmark::vision
