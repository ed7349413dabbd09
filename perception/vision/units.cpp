#include "perception/vision/units.hpp"

#include <algorithm>
#include <cstdlib>

namespace deskmark::vision {

bool level(const PictureRect& a, const PictureRect& b) {
  const int common = std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y);
  return common * 2 >= std::min(a.h, b.h);
}

std::map<int, Surface> find_surfaces(const Arrangement& a) {
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

void emit(Arrangement& a, Unit& u, const PictureRect& bounds, RegionKind kind, double confidence, PictureRect mark) {
  use(a, u);
  Draft d{intersect(bounds, PictureRect{0, 0, a.s.width, a.s.height}), kind, confidence, {}, mark, !mark.empty()};
  if (u.line >= 0) d.text.push_back(u.line);
  a.drafts.push_back(std::move(d));
}

namespace {

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
      nearest = icon.bounds.h >= a.px(32) ? a.px(26) : a.px(16);  // large icons stand further off their names
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
    int nearest = a.px(60);
    for (const Unit& other : s.units) {
      if (&other == &u || !level(other.bounds, u.bounds)) continue;
      const int gap = std::max(other.bounds.x - u.bounds.right(), u.bounds.x - other.bounds.right());
      if (gap > a.px(60)) continue;
      nearest = std::min(nearest, gap);
      if (other.icon >= 0 || other.symbol || compact(other))
        ++icons;
      else
        ++texts;
    }
    // Two letters as high as text beside an icon are its caption ("OK").
    const std::size_t glyphs = a.ink.lines[static_cast<std::size_t>(u.line)].inks.size();
    const bool caption = (glyphs >= 2 && u.bounds.h <= a.ink.letter * 5 / 4) ||
                         (glyphs >= 3 && u.bounds.h <= a.ink.letter * 8 / 5 && u.bounds.w * 10 >= u.bounds.h * 15);
    const bool alone =
        icons + texts == 0 && std::abs(u.bounds.w - u.bounds.h) <= a.px(3) && u.bounds.h >= a.px(7) && !caption;
    // As wide as high and far from any text: the cross that closes something. Digits of a column are narrower.
    const bool cross =
        glyphs == 1 && nearest >= a.px(20) && std::abs(u.bounds.w - u.bounds.h) <= a.px(1) && u.bounds.h >= a.px(7);
    if ((icons > texts && !caption) || alone || cross) u.symbol = true;
  }
}

}  // namespace

void make_units(Arrangement& a, Surface& s) {
  symbols(a, s);
  join_units(a, s);
}

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

PictureRect widened(const Row& row, std::size_t i, const PictureRect& area, int dx, int dy) {
  const PictureRect& r = row[i]->bounds;
  int l = r.x - dx;
  int e = r.right() + dx;
  if (i > 0) l = std::max(l, (row[i - 1]->bounds.right() + r.x) / 2);
  if (i + 1 < row.size()) e = std::min(e, (r.right() + row[i + 1]->bounds.x) / 2);
  const PictureRect room = intersect(PictureRect{l, r.y - dy, e - l, r.h + 2 * dy}, area);
  return room.empty() ? r : room;
}

}  // namespace deskmark::vision
