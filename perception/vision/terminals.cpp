#include <algorithm>
#include <cstdlib>
#include <vector>

#include "perception/vision/units.hpp"

namespace deskmark::vision {
namespace {

constexpr int kLeastGlyphs = 8;  ///< fewer say nothing about a grid

/// Twice the horizontal centres of the glyphs of a surface's lines, and the widths of those glyphs.
struct Glyphs {
  std::vector<int> centres;
  std::vector<int> widths;
};

Glyphs glyphs_of(const Arrangement& a, const Surface& s) {
  Glyphs g;
  for (const Unit& u : s.units) {
    if (u.line < 0) continue;
    for (const int i : a.ink.lines[static_cast<std::size_t>(u.line)].inks) {
      const PictureRect& r = a.s.inks[static_cast<std::size_t>(i)].bounds;
      g.centres.push_back(2 * r.x + r.w);
      g.widths.push_back(r.w);
    }
  }
  return g;
}

/// Part of the glyphs whose centre is within a pixel of one phase of `advance`. Letters that ran together and signs
/// with an accent of their own are counted against it.
double on_grid(const Glyphs& g, int advance) {
  const int period = 2 * advance;
  std::vector<int> at(static_cast<std::size_t>(period), 0);
  for (const int c : g.centres) ++at[static_cast<std::size_t>(((c % period) + period) % period)];
  int best = 0;
  for (int phase = 0; phase < period; ++phase) {
    int n = 0;
    for (int d = -2; d <= 2; ++d) n += at[static_cast<std::size_t>((phase + d + period) % period)];
    best = std::max(best, n);
  }
  return static_cast<double>(best) / static_cast<double>(g.centres.size());
}

/// All glyphs stand in the columns of one fixed-width font, over all lines.
bool columns(const Arrangement& a, const Surface& s) {
  const Glyphs g = glyphs_of(a, s);
  if (static_cast<int>(g.centres.size()) < kLeastGlyphs) return false;
  std::vector<int> widths = g.widths;
  std::nth_element(widths.begin(), widths.begin() + static_cast<std::ptrdiff_t>(widths.size() * 4 / 5), widths.end());
  const int wide = widths[widths.size() * 4 / 5];
  // An advance is about as wide as its wide letters, or a little more. Within 2.5 of `period` pixels half the glyphs
  // stand by chance when the advance is 5, so it has to be nearly all of them.
  for (int advance = std::max(5, wide - 1); advance <= wide + std::max(3, wide / 2); ++advance) {
    const double by_chance = 5.0 / (2.0 * advance);
    if (on_grid(g, advance) >= std::max(0.85, by_chance + (1 - by_chance) * 0.7)) return true;
  }
  return false;
}

/// A solid upright block: the cursor of a terminal that has printed nothing yet.
bool cursor(const Arrangement& a, const Unit& u, int on) {
  const PictureRect& r = u.bounds;
  if (u.icon < 0 || r.w < 4 || r.h * 2 < r.w * 3 || r.h > 3 * r.w || r.h > a.px(40)) return false;
  int solid = 0;
  for (int y = r.y; y < r.bottom(); ++y) {
    for (int x = r.x; x < r.right(); ++x) solid += a.s.at(x, y) != on;
  }
  return solid * 20 >= r.area() * 19;
}

}  // namespace

bool find_terminal(Arrangement& a, Surface& s) {
  // The whole window is one fill with nothing but lines of text on it.
  if (s.area.w < a.s.width * 9 / 10 || s.area.h < a.s.height * 9 / 10) return false;
  if (s.area.w < a.px(160) || s.area.h < a.px(80)) return false;
  const auto box = [&](const PictureRect& w) { return w.h > a.px(30) && w.w < s.area.w * 9 / 10; };
  if (std::count_if(s.widgets.begin(), s.widgets.end(), box) > 1) return false;
  int lines = 0;
  int icons = 0;
  for (const Unit& u : s.units) {
    lines += u.line >= 0;
    icons += u.icon >= 0 && u.line < 0;
  }
  // The cursor, perhaps with a letter that touches it, is taken for an icon; a dozen of them are no terminal.
  const bool fresh = lines == 0 && s.widgets.empty() && s.units.size() == 1 && cursor(a, s.units.front(), s.fill);
  if (!fresh && (lines == 0 || icons > 2 + lines / 4 || !columns(a, s))) return false;
  Draft d{s.area, RegionKind::Terminal, 0.6, {}, {}, false};
  for (Unit& u : s.units) {
    if (u.taken) continue;
    use(a, u);
    if (u.line >= 0) d.text.push_back(u.line);
  }
  a.drafts.push_back(std::move(d));
  return true;
}

}  // namespace deskmark::vision
