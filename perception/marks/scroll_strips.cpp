#include "perception/marks/scroll_strips.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

namespace deskmark {
namespace {

constexpr int kBorder = 4;      // pixels of border outside the strip at most
constexpr int kThickest = 6;    // border at scale 3
constexpr int kNarrowest = 8;   // of a strip
constexpr int kWidest = 48;     // at scale 3
constexpr int kShortest = 40;   // box this long can have a thumb in it
constexpr int kTolerance = 2;   // per channel: the track may differ from the page by 3
constexpr int kRound = 12;      // pixels of a thumb's round end
constexpr int kLeastThumb = 6;  // pixels along

int channel(std::uint32_t pixel, int shift) { return static_cast<int>((pixel >> shift) & 0xFFU); }

bool same(std::uint32_t a, std::uint32_t b) {
  return std::abs(channel(a, 0) - channel(b, 0)) <= kTolerance &&
         std::abs(channel(a, 8) - channel(b, 8)) <= kTolerance &&
         std::abs(channel(a, 16) - channel(b, 16)) <= kTolerance;
}

enum class Edge : char { Left, Top, Right, Bottom };

/// The box seen from one of its edges: `deep` pixels in from it, `along` it from its start.
class Side {
 public:
  Side(const Image& image, const PictureRect& box, Edge edge) : image_(image), box_(box), edge_(edge) {}

  [[nodiscard]] int length() const { return level() ? box_.w : box_.h; }
  [[nodiscard]] int depth() const { return level() ? box_.h : box_.w; }
  [[nodiscard]] std::uint32_t pixel(int deep, int along) const {
    switch (edge_) {
      case Edge::Left: return image_.rgb(box_.x + deep, box_.y + along);
      case Edge::Top: return image_.rgb(box_.x + along, box_.y + deep);
      case Edge::Right: return image_.rgb(box_.right() - 1 - deep, box_.y + along);
      case Edge::Bottom: return image_.rgb(box_.x + along, box_.bottom() - 1 - deep);
    }
    return 0;
  }

 private:
  [[nodiscard]] bool level() const { return edge_ == Edge::Top || edge_ == Edge::Bottom; }

  const Image& image_;
  PictureRect box_;
  Edge edge_;
};

/// Margin, thickness and colour of what one line across the strip shows.
struct Across {
  int margin = 0;
  int thick = 0;
  std::uint32_t color = 0;
  friend bool operator==(const Across& a, const Across& b) {
    return a.margin == b.margin && a.thick == b.thick && same(a.color, b.color);
  }
};

Across across(const Side& side, int border, int along, std::uint32_t track, int limit) {
  Across line;
  int deep = border;
  while (deep < limit && same(side.pixel(deep, along), track)) ++deep;
  line.margin = deep - border;
  if (deep >= limit || line.margin < 1) return {};
  line.color = side.pixel(deep, along);
  while (deep < limit && same(side.pixel(deep, along), line.color)) ++deep;
  line.thick = deep - border - line.margin;
  // As much track behind it as before it.
  const int behind = line.margin > 2 ? line.margin - 1 : line.margin;
  for (int k = 0; k < behind; ++k) {
    if (deep + k >= limit || !same(side.pixel(deep + k, along), track)) return {};
  }
  const int width = 2 * line.margin + line.thick;
  return line.thick >= 4 && line.thick > line.margin && width >= kNarrowest && width <= kWidest ? line : Across{};
}

/// The colour most of a line along the edge has; nothing when there is none.
bool track_color(const Side& side, int deep, std::uint32_t& color) {
  std::map<std::uint32_t, int> counts;
  for (int along = 0; along < side.length(); ++along) ++counts[side.pixel(deep, along)];
  const auto most =
      std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  color = most->first;
  return most->second * 10 >= side.length() * 8;
}

int strip_with_border(const Side& side, int border) {
  std::uint32_t track = 0;
  const int limit = std::min(border + kWidest + 2, side.depth());
  if (border + 1 >= limit || !track_color(side, border, track)) return 0;
  Across thumb;
  int run = 0;
  int best = 0;
  int first = 0;
  Across last;
  for (int along = 0; along < side.length(); ++along) {
    const Across line = across(side, border, along, track, limit);
    run = line.thick > 0 && line == last ? run + 1 : 1;
    last = line;
    if (line.thick > 0 && run > best) {
      best = run;
      thumb = line;
      first = along - run + 1;
    }
  }
  const int width = 2 * thumb.margin + thumb.thick;
  if (best < kLeastThumb || width * 3 > side.length()) return 0;
  // Beyond the thumb there is track, and near the ends perhaps an arrow.
  int odd = 0;
  int step = 0;
  for (int along = 0; along < side.length(); ++along) {
    if (border + width < side.depth() && !same(side.pixel(border + width, along), track)) ++step;
    // The other bar's strip may be at the end, too.
    const bool near_end = along < width || along >= side.length() - 2 * width;
    const bool near_thumb = along >= first - kRound && along < first + best + kRound;
    if (near_end || near_thumb) continue;
    for (int deep = border; deep < border + width && deep < side.depth(); ++deep) {
      if (same(side.pixel(deep, along), track)) continue;
      ++odd;
      break;
    }
  }
  if (odd > 2) return 0;

  // The track can be told from the page beside it, or the thumb is long enough to be nothing else.
  if (step * 2 < side.length() && best < 3 * thumb.thick) return 0;
  return border + width;
}

/// A line of one colour along the edge, thinner than anything that is drawn in the box.
int border_of(const Image& image, const PictureRect& box, Edge edge) {
  const Side side(image, box, edge);
  if (side.length() < kNarrowest || side.depth() < 4 * kThickest) return 0;
  std::uint32_t line = 0;
  if (!track_color(side, 0, line)) return 0;
  for (int deep = 1; deep <= kThickest; ++deep) {
    std::uint32_t color = 0;
    if (!track_color(side, deep, color) || !same(color, line)) return deep;
  }
  return 0;
}

int strip(const Image& image, const PictureRect& box, Edge edge) {
  const Side side(image, box, edge);
  if (side.length() < kShortest || side.depth() < 2 * kNarrowest) return 0;
  for (int border = 0; border <= kBorder; ++border) {
    if (const int width = strip_with_border(side, border); width > 0) return width;
  }
  return 0;
}

}  // namespace

ScrollStrips find_scroll_strips(const Image& image, const PictureRect& box) {
  const PictureRect inside = intersect(box, PictureRect{0, 0, image.width, image.height});
  ScrollStrips strips;
  if (inside.empty()) return strips;
  const bool left = inside.x == box.x;
  const bool right = inside.right() == box.right();
  const bool bottom = inside.bottom() == box.bottom();
  // The other bar's strip is no part of this one's track; its corner is odd at most.
  if (right) strips.right = strip(image, inside, Edge::Right);
  if (strips.right == 0 && left) strips.left = strip(image, inside, Edge::Left);
  if (bottom) strips.bottom = strip(image, inside, Edge::Bottom);
  if (left && strips.left == 0) strips.left = border_of(image, inside, Edge::Left);
  if (right && strips.right == 0) strips.right = border_of(image, inside, Edge::Right);
  if (bottom && strips.bottom == 0) strips.bottom = border_of(image, inside, Edge::Bottom);
  if (inside.y == box.y) strips.top = border_of(image, inside, Edge::Top);
  return strips;
}

}  // namespace deskmark
