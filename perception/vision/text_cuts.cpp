#include "perception/vision/text_cuts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <utility>

namespace deskmark::vision {
namespace {

/// Glyphs of a fixed-width font stand at multiples of one advance; those of others anywhere. `centres`: twice the
/// middles of the glyphs of one line, ascending.
bool fixed_width(const std::vector<int>& centres, int cap) {
  std::vector<int> steps;
  std::vector<int> single;
  for (std::size_t i = 1; i < centres.size(); ++i) {
    steps.push_back(centres[i] - centres[i - 1]);
    if (steps.back() < 3 * cap) single.push_back(steps.back());
  }
  const int advance = percentile(single, 0.5);
  if (advance <= 0) return true;
  const auto regular = std::count_if(steps.begin(), steps.end(), [&](int step) {
    const int times = std::max(1, (step + advance / 2) / advance);
    return std::abs(step - times * advance) <= 2 + times / 4;
  });
  return regular * 10 >= static_cast<std::ptrdiff_t>(steps.size()) * 7;
}

}  // namespace

int percentile(std::vector<int> values, double part) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::size_t>(part * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
  return values[at];
}

PictureRect bounds_of(const Segmentation& s, const std::vector<int>& inks) {
  PictureRect r;
  for (const int i : inks) r = unite(r, s.inks[static_cast<std::size_t>(i)].bounds);
  return r;
}

void cut_wide_gaps(const Segmentation& s, std::vector<Line>& lines) {
  std::vector<Line> more;
  for (Line& line : lines) {
    if (line.inks.size() < 6) continue;
    const auto box = [&](int i) -> const PictureRect& { return s.inks[static_cast<std::size_t>(i)].bounds; };
    std::vector<int> inks = line.inks;
    std::sort(inks.begin(), inks.end(), [&](int a, int b) { return box(a).x < box(b).x; });
    std::vector<int> heights;
    std::vector<int> centres;
    std::vector<std::pair<std::size_t, int>> gaps;  // before which ink, how wide
    int right = box(inks.front()).right();
    for (std::size_t k = 0; k < inks.size(); ++k) {
      const PictureRect& r = box(inks[k]);
      if (r.h > 3) {
        heights.push_back(r.h);
        centres.push_back(2 * r.x + r.w);
      }
      if (k > 0 && r.x > right) gaps.emplace_back(k, r.x - right);
      right = std::max(right, r.right());
    }
    const int cap = percentile(heights, 0.75);
    std::vector<std::size_t> cuts;
    for (const auto& [k, gap] : gaps) {
      if (gap * 100 >= cap * 90) cuts.push_back(k);
    }
    if (cap == 0 || cuts.empty() || centres.size() < 6) continue;
    std::sort(centres.begin(), centres.end());
    if (fixed_width(centres, cap)) continue;
    cuts.push_back(inks.size());
    const std::size_t first = cuts.front();
    std::size_t from = 0;
    for (const std::size_t to : cuts) {
      Line part = line;
      part.inks.assign(inks.begin() + static_cast<std::ptrdiff_t>(from),
                       inks.begin() + static_cast<std::ptrdiff_t>(to));
      part.bounds = {};
      part.height = 0;
      for (const int i : part.inks) {
        part.bounds = unite(part.bounds, box(i));
        part.height = std::max(part.height, box(i).h);
      }
      from = to;
      if (to == first)
        line = std::move(part);
      else
        more.push_back(std::move(part));
    }
  }
  lines.insert(lines.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void reach_outline(const Segmentation& s, Line& line) {
  const PictureRect& r = line.bounds;
  const int beyond = line.height;  // a check box before a text is no outline
  const int top = std::max(0, r.y - beyond);
  const int bottom = std::min(s.height, r.bottom() + beyond);
  bool letter = false;
  for (int x = r.x - 1; x >= std::max(0, r.x - line.height * 3 / 2); --x) {
    int inked = 0;
    int whole = 0;
    for (int y = top; y < bottom; ++y) {
      const bool ink = s.at(x, y) != line.on;
      whole += ink;
      inked += ink && y >= r.y && y < r.bottom();
    }
    if (whole == bottom - top) {  // the outline: it goes on above and below the letters
      if (letter) line.bounds = {x + 1, r.y, r.right() - x - 1, r.h};
      return;
    }
    letter = letter || inked > 0;
  }
}

void cut_icons(const Segmentation& s, std::vector<Line>& lines, std::vector<std::vector<int>>& loose) {
  for (Line& line : lines) {
    if (line.inks.size() < 2) continue;
    std::sort(line.inks.begin(), line.inks.end(), [&](int a, int b) {
      return s.inks[static_cast<std::size_t>(a)].bounds.x < s.inks[static_cast<std::size_t>(b)].bounds.x;
    });
    for (const bool front : {true, false}) {
      if (line.inks.size() < 2) break;
      // The end piece: inks from this end on without a gap between them. Dots and underlines go with what they are
      // near.
      std::vector<int> piece;
      std::vector<int> rest;
      PictureRect end;
      bool cut = false;
      const auto visit = [&](int i) {
        const PictureRect& r = s.inks[static_cast<std::size_t>(i)].bounds;
        const bool touches = end.empty() || (front ? r.x <= end.right() + 1 : r.right() >= end.x - 1);
        if (touches && (!cut || r.h <= 3)) {
          piece.push_back(i);
          end = unite(end, r);
          return;
        }
        rest.push_back(i);
        cut = cut || r.h > 3;
      };
      if (front)
        std::for_each(line.inks.begin(), line.inks.end(), visit);
      else
        std::for_each(line.inks.rbegin(), line.inks.rend(), visit);
      if (rest.empty() || end.w > end.h * 2) continue;
      std::vector<int> heights;
      for (const int i : rest) {
        const int h = s.inks[static_cast<std::size_t>(i)].bounds.h;
        if (h > 3) heights.push_back(h);
      }
      if (heights.empty()) continue;
      const PictureRect text = bounds_of(s, rest);
      const int cap = percentile(heights, 0.9);
      const int gap = front ? text.x - end.right() : end.x - text.right();
      const bool over = end.y < text.y && end.bottom() > text.bottom();
      // A filled square or disc before a text is an indicator; letters leave more paper.
      int solid = 0;
      for (const int i : piece) solid += s.inks[static_cast<std::size_t>(i)].area;
      const bool square = std::abs(end.w - end.h) <= 2 + end.h / 8 && gap * 10 >= cap * 3 && piece.size() <= 2;
      const bool indicator =
          square && gap >= 3 && gap * 10 >= end.h * 3 && end.h >= 9 && solid * 10 >= end.w * end.h * 7;
      const bool taller = indicator || ((over || (square && end.y < text.y)) && gap >= 3 && end.h * 10 >= cap * 13 &&
                                        end.w * 10 >= cap * 8);
      const bool stands_off = gap * 10 >= cap * 6 && gap >= 5 && end.w * 10 >= cap * 8 && rest.size() >= 2 &&
                              end.h > cap + 1 && end.y < text.y;
      const bool arrow = !front && gap * 2 >= cap && end.w > end.h && end.h * 10 <= cap * 8 && end.w >= 5 &&
                         std::abs((end.y + end.bottom()) - (text.y + text.bottom())) <= cap / 2 + 2;
      if (gap < 2 || !(taller || stands_off || arrow)) continue;
      loose.push_back(piece);
      line.inks = rest;
      line.bounds = text;
      line.height = cap;
    }
  }
}

bool row_of_signs(const Segmentation& s, const Line& line) {
  if (line.inks.size() < 4) return false;
  std::vector<PictureRect> signs;
  for (const int i : line.inks) signs.push_back(s.inks[static_cast<std::size_t>(i)].bounds);
  std::sort(signs.begin(), signs.end(), [](const PictureRect& a, const PictureRect& b) { return a.x < b.x; });
  // Pieces over one another are one sign (|< has two).
  std::vector<PictureRect> joined;
  for (const PictureRect& r : signs) {
    if (!joined.empty() && r.x <= joined.back().right() + 1)
      joined.back() = unite(joined.back(), r);
    else
      joined.push_back(r);
  }
  if (joined.size() < 4) return false;
  const auto centre = [](const PictureRect& r) { return 2 * r.x + r.w; };
  const int pitch = (centre(joined.back()) - centre(joined.front())) / static_cast<int>(joined.size() - 1);
  int height = 0;
  for (const PictureRect& r : joined) height = std::max(height, r.h);
  // Letters of fixed-width fonts stand at 0.8 of their height, Chinese ones at 1.1.
  if (2 * height * 25 > pitch * 20) return false;
  for (std::size_t i = 0; i < joined.size(); ++i) {
    if (joined[i].w * 2 > height * 3) return false;
    if (std::abs(centre(joined[i]) - centre(joined.front()) - static_cast<int>(i) * pitch) > 3) return false;
  }
  return true;
}

}  // namespace deskmark::vision
