#include <algorithm>
#include <cstdlib>
#include <utility>

#include "perception/vision/units.hpp"

namespace deskmark::vision {
namespace {

bool has_widget(const Arrangement& a, const Surface& s, const PictureRect& row) {
  return std::any_of(s.widgets.begin(), s.widgets.end(), [&](const PictureRect& w) {
    // A check box in a table's cell makes the row no less a row.
    if (w.w <= a.px(24) && w.h <= a.px(24)) return false;
    if (w.right() <= row.x || w.x >= row.right()) return false;  // behind a wall
    return std::min(w.bottom(), row.bottom()) - std::max(w.y, row.y) > row.h / 2;
  });
}

/// A stretch of a row between things that stand upright on the surface (panes, dividers).
struct Stretch {
  int left = 0;
  int right = 0;
  Row units;
};

/// What divides a surface sideways: boxes and upright lines on it.
std::vector<PictureRect> dividers(const Arrangement& a, const Surface& s) {
  std::vector<PictureRect> out;
  for (const Box& box : a.shapes.boxes) {
    if (box.on == s.fill && box.outer.h >= a.px(40) && box.fill != s.fill) out.push_back(box.outer);
  }
  for (const int i : a.ink.separators) {
    const Ink& ink = a.s.inks[static_cast<std::size_t>(i)];
    if (ink.bounds.h >= a.px(40) && ink.bounds.w <= a.px(4) && intersect(ink.bounds, s.area).area() > 0)
      out.push_back(ink.bounds);
  }
  return out;
}

std::vector<Stretch> stretches(const Surface& s, const std::vector<Row>& rows, const std::vector<PictureRect>& walls) {
  std::vector<Stretch> out;
  for (const Row& row : rows) {
    Stretch now;
    const int y = mid_y(span_of(row));
    for (Unit* u : row) {
      int left = s.area.x;
      int right = s.area.right();
      for (const PictureRect& wall : walls) {
        if (y < wall.y || y >= wall.bottom()) continue;
        if (wall.right() <= u->bounds.x + 2) left = std::max(left, wall.right());
        if (wall.x >= u->bounds.right() - 2) right = std::min(right, wall.x);
      }
      if (!now.units.empty() && (left != now.left || right != now.right)) {
        out.push_back(now);
        now.units.clear();
      }
      now.left = left;
      now.right = right;
      now.units.push_back(u);
    }
    if (!now.units.empty()) out.push_back(now);
  }
  return out;
}

/// Rows at a steady pitch over at least three lines: a list, a tree or a table.
void list_rows(Arrangement& a, const Surface& s, const std::vector<Stretch>& rows) {
  std::size_t first = 0;
  while (first + 2 < rows.size()) {
    // The longest run of rows from `first` on whose distances agree.
    std::size_t last = first + 1;
    const int pitch = mid_y(span_of(rows[first + 1].units)) - mid_y(span_of(rows[first].units));
    while (last + 1 < rows.size()) {
      const int step = mid_y(span_of(rows[last + 1].units)) - mid_y(span_of(rows[last].units));
      if (std::abs(step - pitch) > std::max(a.px(3), pitch / 8)) break;
      ++last;
    }
    const int width = rows[first].right - rows[first].left;
    const int n = static_cast<int>(last - first + 1);
    int height = 0;
    int full = 0;
    int left_aligned = 0;
    int sentences = 0;
    int worded = 0;
    int left = 1 << 30;
    for (std::size_t i = first; i <= last; ++i) left = std::min(left, span_of(rows[i].units).x);
    for (std::size_t i = first; i <= last; ++i) {
      const PictureRect r = span_of(rows[i].units);
      const Unit& u = *rows[i].units.front();
      const bool text = rows[i].units.size() == 1 && u.icon < 0;
      height = std::max(height, r.h);
      worded += std::any_of(rows[i].units.begin(), rows[i].units.end(),
                            [](const Unit* w) { return w->line >= 0 && !w->symbol; });
      full += r.w * 10 > width * 7 && text;
      left_aligned += r.x - left <= a.px(40);
      // About 45 letters in one piece are running text, not an item.
      sentences += text && u.bounds.w > 28 * a.ink.lines[static_cast<std::size_t>(u.line)].height;
    }
    bool icons = false;
    bool clear = true;
    for (std::size_t i = first; i <= last; ++i) {
      icons = icons || rows[i].units.front()->icon >= 0;
      const PictureRect r = span_of(rows[i].units);
      const PictureRect whole{rows[i].left, mid_y(r) - pitch / 2, width, pitch};
      clear =
          clear && std::none_of(s.widgets.begin(), s.widgets.end(), [&](const PictureRect& w) {
            return (w.w > a.px(24) || w.h > a.px(24)) && intersect(w, whole).h > pitch / 4 && intersect(w, whole).w > 0;
          });
    }
    // Texts further apart than list rows are usually stand for themselves, unless icons head them.
    const int widest = icons ? a.px(72) : a.ink.letter * 9 / 2;
    const bool steady = clear && pitch >= a.px(14) && pitch <= widest && height <= pitch * 3 / 2;
    const bool prose = (full * 2 > n && rows[first].units.front()->icon < 0) || sentences * 7 >= n;
    if (n >= 3 && steady && !prose && left_aligned * 10 >= n * 6 && worded * 10 >= n * 6) {
      for (std::size_t i = first; i <= last; ++i) {
        const PictureRect r = span_of(rows[i].units);
        const PictureRect whole = intersect(PictureRect{rows[i].left, mid_y(r) - pitch / 2, width, pitch}, s.area);
        if (rows[i].units.size() == 1 && rows[i].units.front()->ghost) continue;
        Draft d{whole, RegionKind::ListRow, 0.6, {}, {}, false};
        for (Unit* u : rows[i].units) {
          use(a, *u);
          if (u->line >= 0) d.text.push_back(u->line);
        }
        a.drafts.push_back(std::move(d));
      }
      first = last + 1;
    } else {
      first = last;
    }
  }
}

/// Items of two lines (a name and a smaller one below): distances alternate between near and far. Each pair becomes
/// one.
std::vector<Stretch> paired(const Arrangement& a, std::vector<Stretch> rows) {
  std::vector<Stretch> out;
  const auto y = [&](std::size_t i) { return mid_y(span_of(rows[i].units)); };
  std::size_t i = 0;
  while (i < rows.size()) {
    std::size_t end = i;  // rows of the alternating stretch that starts here
    if (i + 3 < rows.size()) {
      const int near = y(i + 1) - y(i);
      const int far = y(i + 2) - y(i + 1);
      const bool one_line = rows[i + 1].units.size() == 1 && rows[i + 1].units.front()->icon < 0;
      if (near >= a.ink.letter && near + a.px(2) < far && far < 4 * near && one_line) {
        end = i + 2;
        while (end + 1 < rows.size() && std::abs(y(end) - y(end - 1) - far) <= a.px(3) &&
               std::abs(y(end + 1) - y(end) - near) <= a.px(3))
          end += 2;
        // Descenders move the middle of a line: distances that differ little have to go on for longer.
        const bool plain = near * 5 <= far * 4 && near + a.px(4) < far;
        if (!plain && end < i + 8) end = i;
      }
    }
    if (end < i + 4) {
      out.push_back(std::move(rows[i++]));
      continue;
    }
    for (; i < end; i += 2) {
      Stretch both = rows[i];
      both.units.insert(both.units.end(), rows[i + 1].units.begin(), rows[i + 1].units.end());
      out.push_back(std::move(both));
    }
  }
  return out;
}

}  // namespace

void find_lists(Arrangement& a, Surface& s) {
  std::vector<Row> rows = rows_of(s);
  std::vector<Stretch> all = stretches(s, rows, dividers(a, s));
  std::erase_if(all, [&](const Stretch& st) {
    const PictureRect span = span_of(st.units);
    return has_widget(a, s, {st.left, span.y, st.right - st.left, span.h});
  });
  while (!all.empty()) {
    // One band after the other: the stretches between the same walls.
    const int left = all.front().left;
    const int right = all.front().right;
    std::vector<Stretch> band;
    std::vector<Stretch> rest;
    for (Stretch& st : all) {
      (std::abs(st.left - left) <= 3 && std::abs(st.right - right) <= 3 ? band : rest).push_back(std::move(st));
    }
    list_rows(a, s, paired(a, std::move(band)));
    all = std::move(rest);
  }
}

void find_grids(Arrangement& a, Surface& s) {
  std::vector<Row> rows = rows_of(s);
  std::vector<std::size_t> regular;
  int pitch_x = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Row& row = rows[k];
    if (row.size() < 3) continue;
    const int pitch = mid_x(row[1]->bounds) - mid_x(row[0]->bounds);
    bool even = pitch >= a.px(48) && pitch <= a.px(240);
    for (std::size_t i = 0; i < row.size() && even; ++i) {
      even = row[i]->bounds.w <= pitch;
      if (i > 0)
        even = even &&
               std::abs(mid_x(row[i]->bounds) - mid_x(row[i - 1]->bounds) - pitch) <= std::max(a.px(4), pitch / 16);
    }
    if (!even) continue;
    if (pitch_x == 0) pitch_x = pitch;
    if (std::abs(pitch - pitch_x) <= a.px(4)) regular.push_back(k);
  }
  if (regular.size() < 2) return;
  for (std::size_t k = 0; k < regular.size(); ++k) {
    Row& row = rows[regular[k]];
    const PictureRect span = span_of(row);
    const int above = k > 0 ? mid_y(span) - mid_y(span_of(rows[regular[k - 1]])) : 1 << 20;
    const int below = k + 1 < regular.size() ? mid_y(span_of(rows[regular[k + 1]])) - mid_y(span) : 1 << 20;
    const int pitch_y = std::min({above, below, pitch_x * 3 / 2});
    for (Unit* u : row) {
      const PictureRect cell{mid_x(u->bounds) - pitch_x / 2, mid_y(u->bounds) - pitch_y / 2, pitch_x, pitch_y};
      const bool whole = u->icon >= 0 && u->line >= 0;
      emit(a, *u, whole ? intersect(cell.inflated(-a.px(4)), s.area) : intersect(cell, s.area), RegionKind::Icon, 0.5);
    }
  }
}

}  // namespace deskmark::vision
