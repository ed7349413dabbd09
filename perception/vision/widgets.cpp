#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "perception/vision/arrange.hpp"

namespace deskmark::vision {
namespace {

int mid_y(const PictureRect& r) { return r.y + r.h / 2; }

/// The line of text right of `r` on the fill `on` that starts within reach and is level with it, -1: none.
int text_beside(const Arrangement& a, const PictureRect& r, int on) {
  int best = -1;
  int nearest = a.px(14) + 1;
  for (int i = 0; i < static_cast<int>(a.ink.lines.size()); ++i) {
    const Line& line = a.ink.lines[static_cast<std::size_t>(i)];
    if (line.on != on || a.line_used[static_cast<std::size_t>(i)]) continue;
    const int gap = line.bounds.x - r.right();
    if (gap < 1 || gap >= nearest) continue;
    if (std::abs(mid_y(line.bounds) - mid_y(r)) > std::max(a.px(5), r.h / 2)) continue;
    if (line.bounds.h > 3 * r.h) continue;
    nearest = gap;
    best = i;
  }
  return best;
}

int colour_distance(std::uint32_t a, std::uint32_t b) {
  int d = 0;
  for (const int shift : {0, 8, 16}) {
    d = std::max(d, std::abs(static_cast<int>((a >> shift) & 0xff) - static_cast<int>((b >> shift) & 0xff)));
  }
  return d;
}

}  // namespace

PictureRect with_caption(const Arrangement& a, const PictureRect& indicator, const PictureRect& caption) {
  // On web pages the box alone is the control, and the text stands off by a space and a margin.
  const int gap = caption.x - indicator.right();
  if (indicator.h <= a.px(13) && gap >= a.px(7)) return indicator;
  return unite(indicator, caption);
}

namespace {

struct Content {
  std::vector<int> lines;
  std::vector<int> icons;
  int boxes = 0;  // boxes that are more than a part of this one
  PictureRect bounds;
};

/// Everything inside a box, at any depth.
Content content(const Arrangement& a, int index) {
  Content c;
  const Box& top = a.box(index);
  std::vector<int> todo{index};
  while (!todo.empty()) {
    const Box& b = a.box(todo.back());
    todo.pop_back();
    for (const int i : b.lines) {
      if (a.line_used[static_cast<std::size_t>(i)] || !top.outer.contains(a.line(i))) continue;
      c.lines.push_back(i);
      c.bounds = unite(c.bounds, a.line(i));
    }
    for (const int i : b.icons) {
      if (a.icon_used[static_cast<std::size_t>(i)] || !top.outer.contains(a.icon(i))) continue;
      c.icons.push_back(i);
      c.bounds = unite(c.bounds, a.icon(i));
    }
    for (const int k : b.boxes) {
      const Box& child = a.box(k);
      // Selected text in a field is a box of its own colour near the field's start.
      const bool selection = b.boxes.size() == 1 && !child.bordered && child.boxes.empty() && child.lines.size() == 1 &&
                             b.lines.empty() && top.bordered && top.outer.h <= a.px(48) &&
                             child.outer.x - top.outer.x <= a.px(14) && child.outer.h + a.px(6) <= top.outer.h &&
                             child.icons.empty();
      const bool small = child.outer.w <= a.px(24) && child.outer.h <= a.px(24);
      const bool part = small || selection || child.outer.area() * 10 >= top.outer.area() * 7;
      if (!part)
        ++c.boxes;
      else
        todo.push_back(k);
      c.bounds = unite(c.bounds, child.outer);
    }
  }
  return c;
}

void take(Arrangement& a, int index, Draft draft) {
  // One widget: what lies inside is explained by it.
  std::vector<int> todo{index};
  while (!todo.empty()) {
    const int at = todo.back();
    todo.pop_back();
    a.box_leaf[static_cast<std::size_t>(at)] = true;
    a.box_kind[static_cast<std::size_t>(at)] = draft.kind;
    const Box& b = a.box(at);
    for (const int i : b.lines) {
      if (!a.line_used[static_cast<std::size_t>(i)]) draft.text.push_back(i);
      a.line_used[static_cast<std::size_t>(i)] = true;
    }
    for (const int i : b.icons) a.icon_used[static_cast<std::size_t>(i)] = true;
    for (const int k : b.boxes) {
      if (!a.box_leaf[static_cast<std::size_t>(k)]) todo.push_back(k);
    }
  }
  std::sort(draft.text.begin(), draft.text.end());
  draft.text.erase(std::unique(draft.text.begin(), draft.text.end()), draft.text.end());
  a.drafts.push_back(std::move(draft));
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

void cover(Arrangement& a, const PictureRect& r) {
  for (std::size_t i = 0; i < a.shapes.boxes.size(); ++i) {
    if (r.contains(a.shapes.boxes[i].inner)) a.box_leaf[i] = true;
  }
  for (std::size_t i = 0; i < a.ink.lines.size(); ++i) {
    if (r.contains(a.ink.lines[i].bounds)) a.line_used[i] = true;
  }
  for (std::size_t i = 0; i < a.shapes.icons.size(); ++i) {
    if (r.contains(a.shapes.icons[i].bounds)) a.icon_used[i] = true;
  }
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

/// A round knob at one end of a pill.
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

/// A box of the same left and right edge touches it above or below: rows of a list where one is selected.
bool stacked_row(const Arrangement& a, int index) {
  const PictureRect& r = a.box(index).inner;
  return std::any_of(a.shapes.boxes.begin(), a.shapes.boxes.end(), [&](const Box& other) {
    const PictureRect& o = other.inner;
    return other.fill != a.box(index).fill && std::abs(o.x - r.x) <= 2 && std::abs(o.right() - r.right()) <= 2 &&
           !other.lines.empty() && (std::abs(o.y - r.bottom()) <= 2 || std::abs(o.bottom() - r.y) <= 2);
  });
}

/// A strip of several captions evenly spaced is as many tabs or segments.
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

/// The same, one below the other.
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

/// A box as high as one line of widgets with at most one row of content.
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
    if (b.bordered && square && right <= a.px(20) && left <= a.px(30) && c.lines.size() <= 2)
      d.kind = RegionKind::Field;
  } else if (arrow && aspect > 1.8) {
    d.kind = RegionKind::ComboBox;
  } else if (std::abs(left - right) > std::max(a.px(8), r.w / 6) && left <= a.px(30) && aspect > 2.2) {
    d.kind = rows <= 1 ? RegionKind::Field : RegionKind::ListRow;
    d.confidence = b.bordered ? 0.7 : 0.5;
    if (!b.bordered) d.kind = RegionKind::ListRow;
  } else if (r.w > a.px(500)) {
    return false;
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

/// A button higher than a line of widgets: a large icon over its text, or one thing in its very middle.
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

/// Keys of a keypad are alike: a box as large as others that are buttons, in their colour, is one too, however little
/// is drawn on it.
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

/// The selected row of a list cuts its paper in two: the part above or below it is rows of the same height, counted
/// from where they touch.
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

/// One of several boxes of equal width stacked in a card: a row, whatever controls it holds.
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

/// A long field that holds small buttons at its ends (an address bar).
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

/// A large box of its own colour that holds only text, or nothing: something to type into or to read.
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

/// A small box with something in it, in one column with empty check boxes of its size, is a checked one.
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

/// Two empty troughs of one height with a small thing between them are one slider.
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

/// A field that touches a small button with an arrow is one combo box.
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

}  // namespace

void arrange_boxes(Arrangement& a) {
  sliders(a);
  for (int i = 0; i < static_cast<int>(a.shapes.boxes.size()); ++i) {
    if (!a.box_leaf[static_cast<std::size_t>(i)]) switch_knob(a, i);
  }
  // From the smallest up, so that a container knows what its content became.
  for (int i = static_cast<int>(a.shapes.boxes.size()) - 1; i >= 0; --i) {
    if (!a.box_leaf[static_cast<std::size_t>(i)]) indicator(a, i);
  }
  for (int i = 0; i < static_cast<int>(a.shapes.boxes.size()); ++i) {
    if (!a.box_leaf[static_cast<std::size_t>(i)]) rows_beside_selected(a, i);
  }
  for (int i = 0; i < static_cast<int>(a.shapes.boxes.size()); ++i) {
    if (!a.box_leaf[static_cast<std::size_t>(i)] && !single_row(a, i) && !tall_button(a, i) && !long_field(a, i))
      card_row(a, i);
  }
  for (int i = 0; i < static_cast<int>(a.shapes.boxes.size()); ++i) {
    if (!a.box_leaf[static_cast<std::size_t>(i)]) text_area(a, i);
  }
  keypad_keys(a);
  checked_boxes(a);
  join_troughs(a);
  join_combo_boxes(a);
}

}  // namespace deskmark::vision
