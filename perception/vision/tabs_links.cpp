#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "perception/vision/units.hpp"

namespace deskmark::vision {
namespace {

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

}  // namespace

bool find_links(Arrangement& a, const Unit& u) {
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
void find_tab_strips(Arrangement& a) {
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
    if (r.w > a.px(160) || r.w < a.px(14) || draft.bounds.h > a.px(46)) continue;
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
        const PictureRect& head = a.line(items[run.front()].line);
        const PictureRect& tail = a.line(items[run.back()].line);
        const bool along =
            across ? page.w >= (tail.right() - head.x) / 2 : page.y <= head.y + 4 && page.bottom() >= tail.bottom() - 4;
        if (fills[fill] == 1 && page_like && at_edge && along) selected = k;
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

}  // namespace deskmark::vision
