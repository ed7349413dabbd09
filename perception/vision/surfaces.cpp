#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

#include "perception/vision/units.hpp"

namespace deskmark::vision {
namespace {

/// Part of a rectangle that is not the surface behind it.
double coverage(const Arrangement& a, const PictureRect& r, int on) {
  int n = 0;
  for (int y = r.y; y < r.bottom(); ++y) {
    for (int x = r.x; x < r.right(); ++x) n += a.s.at(x, y) != on;
  }
  return r.area() > 0 ? static_cast<double>(n) / static_cast<double>(r.area()) : 0;
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
    if (!disc && plain(a, r, s.fill) < 0.2) continue;
    if (!disc && (solid < 0.86 || least < 0.6)) continue;
    const RegionKind kind = disc ? RegionKind::RadioButton : RegionKind::CheckBox;
    if (u.line >= 0 && a.line(u.line).x > r.x) found.emplace_back(&u, kind);
  }
  for (const auto& [u, kind] : found) {
    const PictureRect& r = a.icon(u->icon);
    // A dozen of them in one column are the icons of a list's rows.
    const auto column = std::count_if(found.begin(), found.end(), [&](const auto& other) {
      return std::abs(a.icon(other.first->icon).x - r.x) <= a.px(2);
    });
    if (column > 8) continue;
    emit(a, *u, with_caption(a, r, a.line(u->line)), kind, 0.7, r);
  }
}

/// A column of check boxes: what stands among empty ones and is as large is one that is checked.
void checked_cells(Arrangement& a, Surface& s) {
  std::vector<Draft> empty;
  for (const Draft& d : a.drafts) {
    const bool box = d.kind == RegionKind::CheckBox || d.kind == RegionKind::RadioButton;
    if (box && !d.checked && d.indicator == d.bounds && s.area.contains(d.bounds)) empty.push_back(d);
  }
  for (Unit& u : s.units) {
    if (u.taken || u.icon < 0) continue;
    const PictureRect& r = a.icon(u.icon);
    const auto alike = std::find_if(empty.begin(), empty.end(), [&](const Draft& d) {
      return std::abs(mid_x(d.bounds) - mid_x(r)) <= a.px(2) && std::abs(d.bounds.w - r.w) <= a.px(4) &&
             std::abs(d.bounds.h - r.h) <= a.px(4) && intersect(d.bounds, r).empty();
    });
    if (alike == empty.end()) continue;
    if (u.line < 0) {
      emit(a, u, r, alike->kind, 0.6, r);
      continue;
    }
    // Its text stays in the row.
    a.icon_used[static_cast<std::size_t>(u.icon)] = true;
    a.drafts.push_back({r, alike->kind, 0.6, {}, r, true});
    u.icon = -1;
    u.bounds = a.line(u.line);
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

/// A document, source code or a terminal: many lines whose pieces start anywhere, on a surface without widgets. One
/// thing to type into or read, not a hundred to click.
bool running_text(Arrangement& a, Surface& s) {
  if (s.area.w < a.px(200) || s.area.h < a.px(150)) return false;
  if (s.area.w >= a.s.width - 2 && s.area.h >= a.s.height - 2) return false;
  const auto large = [&](const PictureRect& w) {
    return w.w > a.px(24) && w.h > a.px(12) && w.right() < s.area.right() - a.px(24);
  };
  if (std::any_of(s.widgets.begin(), s.widgets.end(), large)) return false;
  const std::vector<Row> rows = rows_of(s);
  if (rows.size() < 8) return false;
  std::vector<int> starts;
  int icons = 0;
  int sentences = 0;
  for (const Row& row : rows) {
    for (const Unit* u : row) {
      starts.push_back(u->bounds.x / a.px(4));
      icons += u->icon >= 0;
      sentences += u->line >= 0 && u->bounds.w > 28 * a.ink.lines[static_cast<std::size_t>(u->line)].height;
    }
  }
  const std::size_t units = starts.size();
  std::sort(starts.begin(), starts.end());
  const auto distinct = static_cast<std::size_t>(std::unique(starts.begin(), starts.end()) - starts.begin());
  // Columns of a table or an icon view repeat their places; words of running text do not.
  const bool scattered = units >= rows.size() * 3 / 2 && distinct * 5 >= units * 2;
  const bool wordy = sentences * 7 >= static_cast<int>(rows.size());
  if (icons * 8 > static_cast<int>(units) || (!scattered && !wordy)) return false;
  Draft d{s.area, RegionKind::TextArea, 0.5, {}, {}, false};
  for (const Row& row : rows) {
    for (Unit* u : row) {
      use(a, *u);
      if (u->line >= 0) d.text.push_back(u->line);
    }
  }
  a.drafts.push_back(std::move(d));
  return true;
}

/// Hardly told from what it lies on: a handle that shows when pointed at, a watermark.
bool faint(const Arrangement& a, const PictureRect& r, int on) {
  const std::uint32_t paper = a.s.segments[static_cast<std::size_t>(on)].rgb;
  for (int y = r.y; y < r.bottom(); ++y) {
    for (int x = r.x; x < r.right(); ++x) {
      const std::uint32_t c = a.s.segments[static_cast<std::size_t>(a.s.at(x, y))].rgb;
      for (const int shift : {0, 8, 16}) {
        if (std::abs(static_cast<int>((c >> shift) & 0xff) - static_cast<int>((paper >> shift) & 0xff)) > 14)
          return false;
      }
    }
  }
  return true;
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
      if (u->icon >= 0 || u->symbol)
        ++icons;
      else {
        ++texts;
        short_texts += u->bounds.w <= a.px(130);
      }
    }
    const bool thin = s.area.h <= a.px(64);
    const bool top = span.y < a.px(70);
    // Where most letters are small ones, those of a menu bar still are as high as a line.
    const bool wordy = texts > 2 * icons && span.h <= std::max(a.ink.letter * 2, a.px(18));
    if (wordy && texts >= 3 && short_texts == texts && (top || thin)) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i]->icon < 0 && !row[i]->symbol)
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
      const bool divider = row[i]->bounds.w <= a.px(4) && row[i]->bounds.h >= a.px(18);
      if (!labelled && (divider || faint(a, row[i]->bounds, s.fill))) {
        use(a, *row[i]);
        continue;
      }
      const PictureRect& r = row[i]->bounds;
      // A tool button is its icon and some 7 pixels all around, rarely less than 32 in all.
      const int button = std::max(a.px(32), std::min(std::max(r.w, r.h), a.px(40)) + a.px(14));
      const int dx = labelled ? a.px(9) : std::max(a.px(4), (button - r.w) / 2);
      int dy = labelled ? a.px(7) : std::max(a.px(4), (button - r.h) / 2);
      // Set close, they are as high as there is room beside them.
      const int room = widened(row, i, s.area, dx, 0).w;
      if (!labelled && room * 4 < button * 3) dy = std::min(dy, std::max(a.px(1), (room - r.h) / 2));
      emit(a, *row[i], widened(row, i, s.area, dx, dy), labelled ? RegionKind::Button : RegionKind::Icon,
           icons > 1 ? 0.6 : 0.45);
    }
  }
}

/// Icons that ran into one another are pieces of one larger drawing.
void join_icons(Arrangement& a) {
  const auto icons =
      std::count_if(a.drafts.begin(), a.drafts.end(), [](const Draft& d) { return d.kind == RegionKind::Icon; });
  if (icons > 400) return;  // a texture, not icons
  const int largest = a.px(128);
  bool joined = true;
  while (joined) {
    joined = false;
    for (std::size_t i = 0; i < a.drafts.size() && !joined; ++i) {
      if (a.drafts[i].kind != RegionKind::Icon || !a.drafts[i].text.empty()) continue;
      for (std::size_t k = i + 1; k < a.drafts.size(); ++k) {
        if (a.drafts[k].kind != RegionKind::Icon || !a.drafts[k].text.empty()) continue;
        const PictureRect& p = a.drafts[i].bounds;
        const PictureRect& q = a.drafts[k].bounds;
        const PictureRect both = unite(p, q);
        if (intersect(p, q).area() * 6 < std::min(p.area(), q.area()) || both.w > largest || both.h > largest) continue;
        a.drafts[i].bounds = both;
        a.drafts.erase(a.drafts.begin() + static_cast<std::ptrdiff_t>(k));
        joined = true;
        break;
      }
    }
  }
}

}  // namespace

void arrange_surfaces(Arrangement& a) {
  for (auto& [fill, s] : find_surfaces(a)) {
    if (fill < 0) continue;
    make_units(a, s);
    if (find_terminal(a, s) || find_drawing(a, s)) continue;
    indicators(a, s);
    checked_cells(a, s);
    header_cells(a, s);
    if (running_text(a, s)) continue;
    find_grids(a, s);
    find_lists(a, s);
    std::erase_if(s.units, [](const Unit& u) { return u.ghost; });
    bars(a, s);
    for (Unit& u : s.units) {
      if (u.taken) continue;
      const bool link = u.line >= 0 && (a.ink.lines[static_cast<std::size_t>(u.line)].underlined || find_links(a, u));
      emit(a, u, u.bounds, link ? RegionKind::Link : RegionKind::Text, link ? 0.6 : 0.5);
    }
  }
  join_icons(a);
  boxes_among_icons(a);
  find_tab_strips(a);
}

}  // namespace deskmark::vision
