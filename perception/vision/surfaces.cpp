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
      at(a.ink.lines[static_cast<std::size_t>(i)].on).units.push_back({a.line(i), i, -1, false});
  }
  for (int i = 0; i < static_cast<int>(a.shapes.icons.size()); ++i) {
    if (!a.icon_used[static_cast<std::size_t>(i)])
      at(a.shapes.icons[static_cast<std::size_t>(i)].on).units.push_back({a.icon(i), -1, i, false});
  }
  for (int i = 0; i < static_cast<int>(a.shapes.boxes.size()); ++i) {
    if (a.box_leaf[static_cast<std::size_t>(i)] && a.box(i).on >= 0) at(a.box(i).on).widgets.push_back(a.box(i).outer);
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
  Draft d{intersect(bounds, PictureRect{0, 0, a.s.width, a.s.height}), kind, confidence, {}, mark};
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
      if (text.taken || text.line < 0 || text.icon >= 0) continue;
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
        if (text.taken || text.line < 0 || text.icon >= 0) continue;
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
          if (text.taken || text.line < 0 || text.icon >= 0) continue;
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

/// Filled check boxes and radio buttons: a small solid square or disc right before a text.
void indicators(Arrangement& a, Surface& s) {
  for (Unit& u : s.units) {
    if (u.taken || u.icon < 0) continue;
    const PictureRect& r = a.icon(u.icon);
    if (std::max(r.w, r.h) > a.px(22) || std::min(r.w, r.h) < a.px(10) || std::abs(r.w - r.h) > a.px(2)) continue;
    const double solid = coverage(a, r, s.fill);
    if (solid < 0.70) continue;
    const RegionKind kind = solid < 0.86 ? RegionKind::RadioButton : RegionKind::CheckBox;
    if (u.line >= 0 && a.line(u.line).x > r.x) emit(a, u, u.bounds, kind, 0.7, r);
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

bool has_widget(const Surface& s, const PictureRect& row) {
  return std::any_of(s.widgets.begin(), s.widgets.end(), [&](const PictureRect& w) {
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
  return intersect(PictureRect{l, r.y - dy, e - l, r.h + 2 * dy}, area);
}

/// Rows at a steady pitch over at least three lines: a list, a tree or a table.
void lists(Arrangement& a, Surface& s) {
  std::vector<Row> rows = rows_of(s);
  std::erase_if(rows, [&](const Row& row) { return has_widget(s, span_of(row)); });
  if (rows.size() < 3) return;
  std::size_t first = 0;
  while (first + 2 < rows.size()) {
    // The longest run of rows from `first` on whose distances agree.
    std::size_t last = first + 1;
    const int pitch = mid_y(span_of(rows[first + 1])) - mid_y(span_of(rows[first]));
    while (last + 1 < rows.size()) {
      const int step = mid_y(span_of(rows[last + 1])) - mid_y(span_of(rows[last]));
      if (std::abs(step - pitch) > std::max(a.px(3), pitch / 8)) break;
      ++last;
    }
    const int n = static_cast<int>(last - first + 1);
    int height = 0;
    int full = 0;
    int left_aligned = 0;
    int left = 1 << 30;
    for (std::size_t i = first; i <= last; ++i) left = std::min(left, span_of(rows[i]).x);
    for (std::size_t i = first; i <= last; ++i) {
      const PictureRect r = span_of(rows[i]);
      height = std::max(height, r.h);
      full += r.w * 10 > s.area.w * 7 && rows[i].size() == 1;
      left_aligned += r.x - left <= a.px(40);
    }
    const bool steady = pitch >= a.px(12) && pitch <= a.px(72) && height <= pitch * 3 / 2;
    const bool prose = full * 2 > n && rows[first].front()->icon < 0;
    if (n >= 3 && steady && !prose && left_aligned * 10 >= n * 8) {
      for (std::size_t i = first; i <= last; ++i) {
        const PictureRect r = span_of(rows[i]);
        const PictureRect whole = intersect(PictureRect{s.area.x, mid_y(r) - pitch / 2, s.area.w, pitch}, s.area);
        Unit* head = rows[i].front();
        Draft d{whole, RegionKind::ListRow, 0.6, {}, {}};
        for (Unit* u : rows[i]) {
          use(a, *u);
          if (u->line >= 0) d.text.push_back(u->line);
        }
        (void)head;
        a.drafts.push_back(std::move(d));
      }
      first = last + 1;
    } else {
      first = last;
    }
  }
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
    if (texts >= 3 && short_texts == texts && (top || thin)) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i]->icon < 0)
          emit(a, *row[i], widened(row, i, s.area, a.px(9), a.px(7)), top ? RegionKind::MenuItem : RegionKind::Tab,
               0.6);
      }
    } else if (thin && texts >= 2 && short_texts == texts && span.bottom() < a.s.height * 9 / 10) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i]->icon < 0) emit(a, *row[i], widened(row, i, s.area, a.px(10), a.px(8)), RegionKind::Tab, 0.5);
      }
    }
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i]->taken || row[i]->icon < 0) continue;
      const PictureRect& r = row[i]->bounds;
      const int dx = row[i]->line >= 0 ? a.px(6) : std::max(a.px(3), (a.px(30) - r.w) / 2);
      const int dy = row[i]->line >= 0 ? a.px(6) : std::max(a.px(3), (a.px(30) - r.h) / 2);
      emit(a, *row[i], widened(row, i, s.area, dx, dy), row[i]->line >= 0 ? RegionKind::Button : RegionKind::Icon,
           icons > 1 ? 0.6 : 0.45);
    }
  }
}

}  // namespace

void arrange_surfaces(Arrangement& a) {
  for (auto& [fill, s] : surfaces(a)) {
    if (fill < 0) continue;
    join_units(a, s);
    indicators(a, s);
    lists(a, s);
    bars(a, s);
    for (Unit& u : s.units) {
      if (u.taken) continue;
      const bool link = u.line >= 0 && a.ink.lines[static_cast<std::size_t>(u.line)].underlined;
      emit(a, u, u.bounds, link ? RegionKind::Link : RegionKind::Text, link ? 0.6 : 0.5);
    }
  }
}

}  // namespace deskmark::vision
