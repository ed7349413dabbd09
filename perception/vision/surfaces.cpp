#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "perception/vision/arrange.hpp"

namespace deskmark::vision {
namespace {

/// Text, icon, or icon with its text: what a person points at as one thing.
struct Unit {
  PictureRect bounds;
  int line = -1;
  int icon = -1;
  bool symbol = false;  // a text line that stands among icons
  bool ghost = false;   // lies in a box of its own that is a mark already; counts for the rhythm of a list
  bool taken = false;
};

struct Surface {
  int fill = -1;
  PictureRect area;
  std::vector<Unit> units;
  std::vector<PictureRect> widgets;  // boxes on it that are widgets
};

int mid_y(const PictureRect& r) { return r.y + r.h / 2; }
int mid_x(const PictureRect& r) { return r.x + r.w / 2; }

bool level(const PictureRect& a, const PictureRect& b) {
  const int common = std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y);
  return common * 2 >= std::min(a.h, b.h);
}

std::map<int, Surface> surfaces(const Arrangement& a) {
  std::map<int, Surface> out;
  const auto at = [&](int fill) -> Surface& {
    Surface& s = out[fill];
    if (s.fill < 0 && fill >= 0) {
      s.fill = fill;
      s.area = a.s.segments[static_cast<std::size_t>(fill)].bounds;
    }
    return s;
  };
  for (int i = 0; i < static_cast<int>(a.ink.lines.size()); ++i) {
    if (!a.line_used[static_cast<std::size_t>(i)])
      at(a.ink.lines[static_cast<std::size_t>(i)].on).units.push_back({a.line(i), i, -1});
  }
  for (int i = 0; i < static_cast<int>(a.shapes.icons.size()); ++i) {
    if (!a.icon_used[static_cast<std::size_t>(i)])
      at(a.shapes.icons[static_cast<std::size_t>(i)].on).units.push_back({a.icon(i), -1, i});
  }
  for (int i = 0; i < static_cast<int>(a.shapes.boxes.size()); ++i) {
    const Box& box = a.box(i);
    if (!a.box_leaf[static_cast<std::size_t>(i)] || box.on < 0) continue;
    Surface& s = at(box.on);
    // The selected row of a list.
    const bool row = box.outer.w * 10 >= s.area.w * 6 && box.outer.h <= a.px(44) && box.outer.h * 3 < s.area.h &&
                     !box.lines.empty() && a.box_kind[static_cast<std::size_t>(i)] == RegionKind::ListRow;
    if (row)
      s.units.push_back({a.line(box.lines.front()), box.lines.front(), -1, false, true});
    else
      s.widgets.push_back(box.outer);
  }
  return out;
}

void use(Arrangement& a, Unit& u) {
  u.taken = true;
  if (u.line >= 0) a.line_used[static_cast<std::size_t>(u.line)] = true;
  if (u.icon >= 0) a.icon_used[static_cast<std::size_t>(u.icon)] = true;
}

void emit(Arrangement& a, Unit& u, const PictureRect& bounds, RegionKind kind, double confidence,
          PictureRect mark = {}) {
  use(a, u);
  Draft d{intersect(bounds, PictureRect{0, 0, a.s.width, a.s.height}), kind, confidence, {}, mark, !mark.empty()};
  if (u.line >= 0) d.text.push_back(u.line);
  a.drafts.push_back(std::move(d));
}

/// Part of a rectangle that is not the surface behind it.
double coverage(const Arrangement& a, const PictureRect& r, int on) {
  int n = 0;
  for (int y = r.y; y < r.bottom(); ++y) {
    for (int x = r.x; x < r.right(); ++x) n += a.s.at(x, y) != on;
  }
  return r.area() > 0 ? static_cast<double>(n) / static_cast<double>(r.area()) : 0;
}

/// Icon left of a text, icon over a text, arrow behind a text: one unit.
void join_units(Arrangement& a, Surface& s) {
  for (Unit& icon : s.units) {
    if (icon.taken || icon.icon < 0 || icon.line >= 0) continue;
    Unit* best = nullptr;
    int nearest = a.px(12) + 1;
    for (Unit& text : s.units) {
      if (text.taken || text.ghost || text.line < 0 || text.icon >= 0 || text.symbol) continue;
      const int gap = text.bounds.x - icon.bounds.right();
      if (gap >= 1 && gap < nearest && level(icon.bounds, text.bounds) &&
          std::abs(mid_y(icon.bounds) - mid_y(text.bounds)) <= std::max(a.px(4), icon.bounds.h / 4)) {
        nearest = gap;
        best = &text;
      }
    }
    if (best == nullptr && icon.bounds.h >= a.px(18) && icon.bounds.w >= a.px(14)) {
      nearest = a.px(16);
      for (Unit& text : s.units) {
        if (text.taken || text.ghost || text.line < 0 || text.icon >= 0 || text.symbol) continue;
        const int gap = text.bounds.y - icon.bounds.bottom();
        if (gap >= 0 && gap < nearest && std::abs(mid_x(icon.bounds) - mid_x(text.bounds)) <= a.px(6)) {
          nearest = gap;
          best = &text;
        }
      }
    }
    if (best == nullptr) {  // an arrow right of a text
      nearest = a.px(10);
      if (icon.bounds.w <= a.px(14) && icon.bounds.h <= a.px(14)) {
        for (Unit& text : s.units) {
          if (text.taken || text.ghost || text.line < 0 || text.icon >= 0 || text.symbol) continue;
          const int gap = icon.bounds.x - text.bounds.right();
          if (gap >= 1 && gap < nearest && level(icon.bounds, text.bounds)) {
            nearest = gap;
            best = &text;
          }
        }
      }
    }
    if (best == nullptr) continue;
    best->icon = icon.icon;
    best->bounds = unite(best->bounds, icon.bounds);
    icon.taken = true;
  }
  std::erase_if(s.units, [](const Unit& u) { return u.taken; });
}

/// A single compact piece of ink among icons is an icon too, though it could be a letter.
void symbols(Arrangement& a, Surface& s) {
  const auto compact = [&](const Unit& u) {
    return u.icon < 0 && u.line >= 0 && u.bounds.w <= a.px(26) && u.bounds.h <= a.px(26) &&
           u.bounds.w <= 2 * u.bounds.h + a.px(4) && a.ink.lines[static_cast<std::size_t>(u.line)].inks.size() <= 3;
  };
  for (Unit& u : s.units) {
    if (!compact(u)) continue;
    int icons = 0;
    int texts = 0;
    for (const Unit& other : s.units) {
      if (&other == &u || !level(other.bounds, u.bounds)) continue;
      const int gap = std::max(other.bounds.x - u.bounds.right(), u.bounds.x - other.bounds.right());
      if (gap > a.px(60)) continue;
      if (other.icon >= 0 || other.symbol || compact(other))
        ++icons;
      else
        ++texts;
    }
    // Two letters as high as text beside an icon are its caption ("OK").
    const bool caption =
        a.ink.lines[static_cast<std::size_t>(u.line)].inks.size() >= 2 && u.bounds.h <= a.ink.letter * 5 / 4;
    const bool alone =
        icons + texts == 0 && std::abs(u.bounds.w - u.bounds.h) <= a.px(3) && u.bounds.h >= a.px(7) && !caption;
    if ((icons > texts && !caption) || alone) u.symbol = true;
  }
}

/// How well the four sides of a rectangle are drawn, least and most: the part of a two-pixel strip that is not the
/// surface.
std::pair<double, double> sides(const Arrangement& a, const PictureRect& r, int on) {
  return std::minmax({coverage(a, {r.x, r.y, r.w, 2}, on), coverage(a, {r.x, r.bottom() - 2, r.w, 2}, on),
                      coverage(a, {r.x, r.y, 2, r.h}, on), coverage(a, {r.right() - 2, r.y, 2, r.h}, on)});
}

/// Part of a rectangle that its most common segment fills: high for a plain face, low for a drawing.
double plain(const Arrangement& a, const PictureRect& r, int on) {
  std::map<int, int> seen;
  int most = 0;
  for (int y = r.y; y < r.bottom(); ++y) {
    for (int x = r.x; x < r.right(); ++x) {
      const int label = a.s.at(x, y);
      if (label != on) most = std::max(most, ++seen[label]);
    }
  }
  return r.area() > 0 ? static_cast<double>(most) / static_cast<double>(r.area()) : 0;
}

/// The four corners of a round shape's bounding box show what is behind it.
bool corners_clear(const Arrangement& a, const PictureRect& r, int on) {
  const int n = std::max(1, r.w / 8);
  for (const PictureRect& c :
       {PictureRect{r.x, r.y, n, n}, PictureRect{r.right() - n, r.y, n, n}, PictureRect{r.x, r.bottom() - n, n, n},
        PictureRect{r.right() - n, r.bottom() - n, n, n}}) {
    if (coverage(a, c, on) > 0.5) return false;
  }
  return true;
}

/// Filled check boxes and radio buttons: a small solid square or disc right before a text.
void indicators(Arrangement& a, Surface& s) {
  std::vector<std::pair<Unit*, RegionKind>> found;
  for (Unit& u : s.units) {
    if (u.taken || u.icon < 0) continue;
    const PictureRect& r = a.icon(u.icon);
    if (std::max(r.w, r.h) > a.px(22) || std::min(r.w, r.h) < a.px(10) || std::abs(r.w - r.h) > a.px(2)) continue;
    const double solid = coverage(a, r, s.fill);
    const auto [least, most] = sides(a, r, s.fill);
    // A radio button may be a ring around a dot; a round icon before a text looks the same.
    const bool disc = solid >= 0.45 && solid < 0.88 && least >= 0.3 && most <= 0.8 && std::abs(r.w - r.h) <= 1 &&
                      r.w <= a.px(20) && corners_clear(a, r, s.fill);
    if (!disc && plain(a, r, s.fill) < 0.4) continue;
    if (!disc && (solid < 0.86 || least < 0.6)) continue;
    const RegionKind kind = disc ? RegionKind::RadioButton : RegionKind::CheckBox;
    if (u.line >= 0 && a.line(u.line).x > r.x) found.emplace_back(&u, kind);
  }
  // A dozen of them in one list are the icons of its rows.
  if (found.size() > 8) return;
  for (const auto& [u, kind] : found) {
    const PictureRect& r = a.icon(u->icon);
    emit(a, *u, with_caption(a, r, a.line(u->line)), kind, 0.7, r);
  }
}

using Row = std::vector<Unit*>;

std::vector<Row> rows_of(Surface& s) {
  std::vector<Unit*> order;
  for (Unit& u : s.units) {
    if (!u.taken) order.push_back(&u);
  }
  std::sort(order.begin(), order.end(), [](const Unit* p, const Unit* q) {
    return std::pair{mid_y(p->bounds), p->bounds.x} < std::pair{mid_y(q->bounds), q->bounds.x};
  });
  std::vector<Row> rows;
  PictureRect span;
  for (Unit* u : order) {
    if (!rows.empty() && level(span, u->bounds) &&
        std::abs(mid_y(u->bounds) - mid_y(rows.back().front()->bounds)) <=
            std::max(4, std::max(rows.back().front()->bounds.h, u->bounds.h) / 2)) {
      rows.back().push_back(u);
    } else {
      rows.push_back({u});
      span = u->bounds;
    }
  }
  for (Row& row : rows) {
    std::sort(row.begin(), row.end(), [](const Unit* p, const Unit* q) { return p->bounds.x < q->bounds.x; });
  }
  return rows;
}

PictureRect span_of(const Row& row) {
  PictureRect r;
  for (const Unit* u : row) r = unite(r, u->bounds);
  return r;
}

bool has_widget(const Arrangement& a, const Surface& s, const PictureRect& row) {
  return std::any_of(s.widgets.begin(), s.widgets.end(), [&](const PictureRect& w) {
    // A check box in a table's cell makes the row no less a row.
    if (w.w <= a.px(24) && w.h <= a.px(24)) return false;
    return std::min(w.bottom(), row.bottom()) - std::max(w.y, row.y) > row.h / 2;
  });
}

/// Room a unit of a row may claim: half way to its neighbours, at most `dx`; `dy` above and below.
PictureRect widened(const Row& row, std::size_t i, const PictureRect& area, int dx, int dy) {
  const PictureRect& r = row[i]->bounds;
  int l = r.x - dx;
  int e = r.right() + dx;
  if (i > 0) l = std::max(l, (row[i - 1]->bounds.right() + r.x) / 2);
  if (i + 1 < row.size()) e = std::min(e, (r.right() + row[i + 1]->bounds.x) / 2);
  const PictureRect room = intersect(PictureRect{l, r.y - dy, e - l, r.h + 2 * dy}, area);
  return room.empty() ? r : room;
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

void lists(Arrangement& a, Surface& s) {
  std::vector<Row> rows = rows_of(s);
  std::erase_if(rows, [&](const Row& row) { return has_widget(a, s, span_of(row)); });
  std::vector<Stretch> all = stretches(s, rows, dividers(a, s));
  while (!all.empty()) {
    // One band after the other: the stretches between the same walls.
    const int left = all.front().left;
    const int right = all.front().right;
    std::vector<Stretch> band;
    std::vector<Stretch> rest;
    for (Stretch& st : all) {
      (std::abs(st.left - left) <= 3 && std::abs(st.right - right) <= 3 ? band : rest).push_back(std::move(st));
    }
    list_rows(a, s, band);
    all = std::move(rest);
  }
}

/// Units in columns as well as rows: an icon view. Each gets its cell.
void grids(Arrangement& a, Surface& s) {
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
      emit(a, *u, whole ? intersect(u->bounds.inflated(a.px(6)), cell) : intersect(cell, s.area), RegionKind::Icon,
           0.5);
    }
  }
}

/// A strip with upright lines between its texts: the header of a table.
void header_cells(Arrangement& a, Surface& s) {
  if (s.area.h > a.px(40) || s.area.h < a.px(14) || s.area.w < a.px(100)) return;
  std::vector<int> cuts;
  for (const int i : a.ink.separators) {
    const PictureRect& r = a.s.inks[static_cast<std::size_t>(i)].bounds;
    if (r.h * 10 >= s.area.h * 4 && r.w <= a.px(4) && !intersect(r, s.area).empty()) cuts.push_back(mid_x(r));
  }
  if (cuts.empty()) return;
  cuts.push_back(s.area.x);
  cuts.push_back(s.area.right());
  std::sort(cuts.begin(), cuts.end());
  std::vector<std::pair<PictureRect, Unit*>> cells;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const PictureRect cell{cuts[i], s.area.y, cuts[i + 1] - cuts[i], s.area.h};
    Unit* only = nullptr;
    int n = 0;
    for (Unit& u : s.units) {
      if (u.taken || u.symbol || u.icon >= 0 || !cell.contains(u.bounds)) continue;
      only = &u;
      ++n;
    }
    if (n == 1) cells.emplace_back(cell, only);
  }
  if (cells.size() < 2) return;
  for (auto& [cell, unit] : cells) emit(a, *unit, cell, RegionKind::Button, 0.5);
}

/// Rows of short texts and icons: menu bars, tool bars, tab bars.
void bars(Arrangement& a, Surface& s) {
  std::vector<Row> rows = rows_of(s);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    Row& row = rows[k];
    const PictureRect span = span_of(row);
    int icons = 0;
    int texts = 0;
    int short_texts = 0;
    for (const Unit* u : row) {
      if (u->icon >= 0)
        ++icons;
      else {
        ++texts;
        short_texts += u->bounds.w <= a.px(130);
      }
    }
    const bool thin = s.area.h <= a.px(64);
    const bool top = span.y < a.px(70);
    const bool wordy = texts > 2 * icons && span.h <= a.ink.letter * 2;
    if (wordy && texts >= 3 && short_texts == texts && (top || thin)) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i]->icon < 0)
          emit(a, *row[i], widened(row, i, s.area, a.px(9), a.px(7)), top ? RegionKind::MenuItem : RegionKind::Tab,
               0.6);
      }
    } else if (wordy && thin && texts >= 2 && short_texts == texts && span.bottom() < a.s.height * 9 / 10) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i]->icon < 0 && !row[i]->symbol)
          emit(a, *row[i], widened(row, i, s.area, a.px(10), a.px(8)), RegionKind::Tab, 0.5);
      }
    }
    // Words among the icons of a tool bar or header bar are its buttons.
    if (icons >= 2 && (top || thin) && span.bottom() < a.s.height * 9 / 10) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i]->taken || row[i]->icon >= 0 || row[i]->symbol || row[i]->bounds.w > a.px(100)) continue;
        emit(a, *row[i], widened(row, i, s.area, a.px(10), a.px(8)), RegionKind::Button, 0.4);
      }
    }
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i]->taken || (row[i]->icon < 0 && !row[i]->symbol)) continue;
      const bool labelled = row[i]->line >= 0 && !row[i]->symbol;
      if (!labelled && row[i]->bounds.right() > a.s.width - a.px(20) &&
          row[i]->bounds.bottom() > a.s.height - a.px(20)) {
        use(a, *row[i]);  // a size grip
        continue;
      }
      const PictureRect& r = row[i]->bounds;
      const int dx = labelled ? a.px(9) : std::max(a.px(4), (a.px(32) - r.w) / 2);
      const int dy = labelled ? a.px(7) : std::max(a.px(4), (a.px(32) - r.h) / 2);
      emit(a, *row[i], widened(row, i, s.area, dx, dy), labelled ? RegionKind::Button : RegionKind::Icon,
           icons > 1 ? 0.6 : 0.45);
    }
  }
}

/// The colour an ink is farthest from its paper at.
std::uint32_t ink_colour(const Arrangement& a, int ink, std::uint32_t paper) {
  const PictureRect& r = a.s.inks[static_cast<std::size_t>(ink)].bounds;
  std::uint32_t best = paper;
  int most = -1;
  for (int y = r.y; y < r.bottom(); ++y) {
    for (int x = r.x; x < r.right(); ++x) {
      if (a.s.ink_at(x, y) != ink) continue;
      const std::uint32_t c = a.s.segments[static_cast<std::size_t>(a.s.at(x, y))].rgb;
      int d = 0;
      for (const int shift : {0, 8, 16})
        d += std::abs(static_cast<int>((c >> shift) & 0xff) - static_cast<int>((paper >> shift) & 0xff));
      if (d > most) {
        most = d;
        best = c;
      }
    }
  }
  return best;
}

bool bluish(std::uint32_t c) {
  const int r = static_cast<int>(c >> 16);
  const int g = static_cast<int>((c >> 8) & 0xff);
  const int b = static_cast<int>(c & 0xff);
  return b >= r + 48 && b >= g + 16;
}

/// Links in running text: stretches of a line in the colour of links. True when the whole line is one.
bool links(Arrangement& a, const Unit& u) {
  const Line& line = a.ink.lines[static_cast<std::size_t>(u.line)];
  if (line.on < 0) return false;
  const std::uint32_t paper = a.s.segments[static_cast<std::size_t>(line.on)].rgb;
  if (bluish(paper)) return false;
  std::vector<int> inks = line.inks;
  std::sort(inks.begin(), inks.end(), [&](int p, int q) {
    return a.s.inks[static_cast<std::size_t>(p)].bounds.x < a.s.inks[static_cast<std::size_t>(q)].bounds.x;
  });
  std::vector<PictureRect> runs;
  int inside = 0;
  bool open = false;
  for (const int i : inks) {
    const PictureRect& r = a.s.inks[static_cast<std::size_t>(i)].bounds;
    const bool speck = r.h <= 3 && r.w <= 3;
    if (bluish(ink_colour(a, i, paper))) {
      ++inside;
      if (open)
        runs.back() = unite(runs.back(), r);
      else
        runs.push_back(r);
      open = true;
    } else if (!speck) {
      open = false;
    }
  }
  if (inside == 0) return false;
  if (inside * 10 >= static_cast<int>(inks.size()) * 9) return true;
  for (const PictureRect& r : runs) {
    if (r.w < a.px(14)) continue;
    a.drafts.push_back({{r.x, u.bounds.y, r.w, u.bounds.h}, RegionKind::Link, 0.55, {u.line}, {}, false});
  }
  return false;
}

/// The selected tab is one with its page, the others are not: short texts on one level, side by side or one below the
/// other, of which one lies on another fill than its neighbours.
void tab_strips(Arrangement& a) {
  struct Item {
    std::size_t draft;
    int line;
    PictureRect extent;
  };
  std::vector<Item> items;
  for (std::size_t d = 0; d < a.drafts.size(); ++d) {
    const Draft& draft = a.drafts[d];
    const bool text = draft.kind == RegionKind::Text;
    const bool boxed =
        draft.kind == RegionKind::Button || draft.kind == RegionKind::Tab || draft.kind == RegionKind::ListRow;
    if ((!text && !boxed) || draft.text.size() != 1 || !draft.indicator.empty()) continue;
    const PictureRect& r = a.line(draft.text.front());
    if (r.w > a.px(160) || r.w < a.px(10) || draft.bounds.h > a.px(46)) continue;
    items.push_back({d, draft.text.front(), draft.bounds});
  }
  const auto on = [&](const Item& i) { return a.ink.lines[static_cast<std::size_t>(i.line)].on; };
  for (const bool across : {true, false}) {
    std::sort(items.begin(), items.end(), [&](const Item& p, const Item& q) {
      const PictureRect& r = a.line(p.line);
      const PictureRect& t = a.line(q.line);
      return across ? std::pair{r.x, r.y} < std::pair{t.x, t.y} : std::pair{r.y, r.x} < std::pair{t.y, t.x};
    });
    std::vector<bool> seen(items.size(), false);
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (seen[i]) continue;
      std::vector<std::size_t> run{i};
      for (std::size_t k = i + 1; k < items.size(); ++k) {
        const Item& last = items[run.back()];
        const PictureRect& p = a.line(last.line);
        const PictureRect& q = a.line(items[k].line);
        if (across) {
          const int gap = items[k].extent.x - last.extent.right();
          if (std::abs(mid_y(p) - mid_y(q)) <= a.px(3) && gap >= -2 && gap <= a.px(44)) run.push_back(k);
        } else {
          const int gap = items[k].extent.y - last.extent.bottom();
          if (std::abs(p.x - q.x) <= a.px(3) && gap >= -2 && gap <= a.px(24)) run.push_back(k);
        }
      }
      if (run.size() < 2 || run.size() > 12) continue;
      // Exactly one on a fill of its own that is a large one: its page.
      std::map<int, int> fills;
      for (const std::size_t k : run) ++fills[on(items[k])];
      std::size_t selected = run.size();
      for (const std::size_t k : run) {
        const int fill = on(items[k]);
        const PictureRect& page = a.s.segments[static_cast<std::size_t>(fill)].bounds;
        const PictureRect& r = a.line(items[k].line);
        const bool at_edge = across ? std::min(r.y - page.y, page.bottom() - r.bottom()) <= a.px(24)
                                    : std::min(r.x - page.x, page.right() - r.right()) <= a.px(70);
        const bool page_like =
            page.w >= a.px(120) && page.h >= a.px(60) && a.drafts[items[k].draft].kind == RegionKind::Text;
        if (fills[fill] == 1 && page_like && at_edge) selected = k;
      }
      if (selected == run.size()) continue;
      for (const std::size_t k : run) {
        seen[k] = true;
        Draft& d = a.drafts[items[k].draft];
        const bool text = d.kind == RegionKind::Text;
        d.kind = RegionKind::Tab;
        d.confidence = 0.5;
        if (text)
          d.bounds = intersect(
              PictureRect{d.bounds.x - a.px(8), d.bounds.y - a.px(6), d.bounds.w + a.px(16), d.bounds.h + a.px(12)},
              PictureRect{0, 0, a.s.width, a.s.height});
      }
    }
  }
}

}  // namespace

void arrange_surfaces(Arrangement& a) {
  for (auto& [fill, s] : surfaces(a)) {
    if (fill < 0) continue;
    symbols(a, s);
    join_units(a, s);
    indicators(a, s);
    header_cells(a, s);
    grids(a, s);
    lists(a, s);
    std::erase_if(s.units, [](const Unit& u) { return u.ghost; });
    bars(a, s);
    for (Unit& u : s.units) {
      if (u.taken) continue;
      const bool link = u.line >= 0 && (a.ink.lines[static_cast<std::size_t>(u.line)].underlined || links(a, u));
      emit(a, u, u.bounds, link ? RegionKind::Link : RegionKind::Text, link ? 0.6 : 0.5);
    }
  }
  tab_strips(a);
}

}  // namespace deskmark::vision
