#include "perception/marks/snap.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

namespace deskmark {
namespace {

/// Paddings of up to 12 x 8 logical pixels are usual; twice that at scale 2.
constexpr int kReachX = 30;
constexpr int kReachY = 20;
/// No theme leaves more around a button, at scale 2.
constexpr int kMargin = 24;
/// Sum over the channels that makes two neighbouring pixels different: above dithering and gradients.
constexpr int kStep = 8;
/// What a box of one colour may vary by: its gradient.
constexpr int kShade = 40;

/// One side of a rectangle, seen from inside: distance 0 is the outermost line of the content, 1 the first outside.
struct Side {
  int dx, dy;     ///< outward
  bool vertical;  ///< a column of pixels (left, right), else a row
};
constexpr std::array<Side, 4> kSides{{{-1, 0, true}, {1, 0, true}, {0, -1, false}, {0, 1, false}}};

int difference(std::uint32_t a, std::uint32_t b) {
  const auto channel = [](std::uint32_t x, int shift) { return static_cast<int>((x >> shift) & 0xffU); };
  return std::abs(channel(a, 16) - channel(b, 16)) + std::abs(channel(a, 8) - channel(b, 8)) +
         std::abs(channel(a, 0) - channel(b, 0));
}

class Snapper {
 public:
  Snapper(const Image& image, const PictureRect& content, const PictureRect& limit)
      : image_(image), content_(content), limit_(intersect(limit, PictureRect{0, 0, image.width, image.height})) {}

  PictureRect run() {
    if (!limit_.contains(content_) || content_.w < 4 || content_.h < 4) return content_;
    std::array<std::vector<int>, 4> edges;
    for (std::size_t s = 0; s < 4; ++s) edges[s] = edges_of(kSides[s]);
    // A box is symmetric around its content: of all pairs of opposite edges the nearest that match are its border.
    const auto [left, right] = pair(edges[0], edges[1], room(kSides[0]), room(kSides[1]));
    const auto [top, bottom] = pair(edges[2], edges[3], room(kSides[2]), room(kSides[3]));
    if (left + right == 0 || top + bottom == 0) return content_;
    return {content_.x - left, content_.y - top, content_.w + left + right, content_.h + top + bottom};
  }

  /// The box of one colour around `content`, however round its ends are: followed outwards along its middle lines.
  PictureRect fill() {
    if (!limit_.contains(content_) || content_.w < 4 || content_.h < 4) return content_;
    std::array<int, 4> ends{};
    const std::uint32_t ground = pixel(kSides[0], 1, content_.h / 2);
    for (std::size_t s = 0; s < 4; ++s) {
      const Side& side = kSides[s];
      const int middle = (side.vertical ? content_.h : content_.w) / 2;
      const int reach = free(side);
      int d = 1;
      while (d <= reach && inside(side, d + 1) && difference(pixel(side, d, middle), ground) < kShade) ++d;
      if (d == 1 || d > reach || !inside(side, d + 1)) return content_;
      ends[s] = d - 1;
    }
    if (std::abs(ends[0] - ends[1]) > 1 || std::abs(ends[2] - ends[3]) > 1) return content_;
    return {content_.x - ends[0], content_.y - ends[2], content_.w + ends[0] + ends[1], content_.h + ends[2] + ends[3]};
  }

  /// The border inside `content`, where nothing is drawn at the edge itself.
  PictureRect shrink() {
    if (!PictureRect{0, 0, image_.width, image_.height}.contains(content_)) return content_;
    std::array<int, 4> insets{};
    for (std::size_t s = 0; s < 4; ++s) insets[s] = inset(kSides[s]);
    // A margin is the same on opposite sides, and in one direction only: an icon alone is no frame.
    if (*std::min_element(insets.begin(), insets.end()) < 0) return content_;
    // (A shadow below makes it look smaller there.)
    const auto alike = [](int a, int b) { return std::abs(a - b) <= std::max(1, std::max(a, b) / 3); };
    if (!alike(insets[0], insets[1]) || !alike(insets[2], insets[3])) return content_;
    if (insets[0] > 0 && insets[2] > 0) return content_;
    return {content_.x + insets[0], content_.y + insets[2], content_.w - insets[0] - insets[1],
            content_.h - insets[2] - insets[3]};
  }

 private:
  /// How far inside the outermost step in colour is; 0 at the edge, -1: none.
  [[nodiscard]] int inset(const Side& side) const {
    const int length = side.vertical ? content_.h : content_.w;
    const int across = side.vertical ? content_.w : content_.h;
    for (int d = 2; d > -std::min(across / 4, kMargin); --d) {
      if (!inside(side, d) || !steps(side, d, length) || goes_on(side, d, length)) continue;
      return std::max(0, 1 - d) <= 1 ? 0 : 1 - d;
    }
    return -1;
  }

  /// The step is there beside the box, too: the edge of the bar that it is in.
  [[nodiscard]] bool goes_on(const Side& side, int d, int length) const {
    int seen = 0;
    for (const int k : {-4, -3, -2, length + 1, length + 2, length + 3}) {
      const int at = side.vertical ? content_.y + k : content_.x + k;
      if (at < 0 || at >= (side.vertical ? image_.height : image_.width)) continue;
      if (difference(pixel(side, d - 1, k), pixel(side, d, k)) < kStep) return false;
      ++seen;
    }
    return seen > 0;
  }

  [[nodiscard]] int room(const Side& side) const { return std::min(side.vertical ? kReachX : kReachY, free(side)); }

  /// As far as `limit_` goes.
  [[nodiscard]] int free(const Side& side) const {
    if (side.vertical) return side.dx < 0 ? content_.x - limit_.x : limit_.right() - content_.right();
    return side.dy < 0 ? content_.y - limit_.y : limit_.bottom() - content_.bottom();
  }

  /// Pixel `along` of the line at `distance` outside the content.
  [[nodiscard]] std::uint32_t pixel(const Side& side, int distance, int along) const {
    if (side.vertical) {
      const int x = side.dx < 0 ? content_.x - distance : content_.right() - 1 + distance;
      return image_.rgb(x, content_.y + along);
    }
    const int y = side.dy < 0 ? content_.y - distance : content_.bottom() - 1 + distance;
    return image_.rgb(content_.x + along, y);
  }

  /// Growths at which a border ends: the last of a run of neighbouring steps in colour that hold along the side.
  [[nodiscard]] std::vector<int> edges_of(const Side& side) const {
    const int length = side.vertical ? content_.h : content_.w;
    const int reach = room(side);
    std::vector<int> ends;
    int last_step = -10;
    for (int d = 1; d <= reach; ++d) {
      // The step from line d - 1 to line d; needs line d to exist in the picture.
      if (!inside(side, d)) break;
      if (!steps(side, d, length)) continue;
      const int growth = d - 1;  // line d is the first beyond the edge
      if (growth == 0) {
        last_step = d;
        continue;
      }
      if (!ends.empty() && d - last_step <= 3)
        ends.back() = growth;
      else
        ends.push_back(growth);
      last_step = d;
    }
    return ends;
  }

  [[nodiscard]] bool inside(const Side& side, int d) const {
    if (side.vertical) {
      const int x = side.dx < 0 ? content_.x - d : content_.right() - 1 + d;
      return x >= 0 && x < image_.width;
    }
    const int y = side.dy < 0 ? content_.y - d : content_.bottom() - 1 + d;
    return y >= 0 && y < image_.height;
  }

  [[nodiscard]] bool steps(const Side& side, int d, int length) const {
    // The middle part: corners are round.
    const int from = length / 5;
    const int to = length - from;
    int differ = 0;
    for (int k = from; k < to; ++k) {
      if (difference(pixel(side, d - 1, k), pixel(side, d, k)) >= kStep) ++differ;
    }
    return differ * 10 >= (to - from) * 8;
  }

  /// The nearest edges of two opposite sides that are equally far. When the room ends before one of them (a neighbour
  /// shares the border), the other side stands for both. Else none: half a box is no box.
  static std::pair<int, int> pair(const std::vector<int>& a, const std::vector<int>& b, int room_a, int room_b) {
    for (const int x : a) {
      for (const int y : b) {
        if (std::abs(x - y) <= 1) return {x, y};
      }
    }
    if (!a.empty() && a.front() >= room_b) return {a.front(), room_b};
    if (!b.empty() && b.front() >= room_a) return {room_a, b.front()};
    return {0, 0};
  }

  const Image& image_;
  PictureRect content_;
  PictureRect limit_;
};

}  // namespace

PictureRect snapped(const Image& image, const PictureRect& content, const PictureRect& limit) {
  return Snapper{image, content, limit}.run();
}

PictureRect filled(const Image& image, const PictureRect& content, const PictureRect& limit) {
  return Snapper{image, content, limit}.fill();
}

PictureRect without_margin(const Image& image, const PictureRect& reported) {
  return Snapper{image, reported, reported.inflated(2)}.shrink();
}

PictureRect first_lines(const Image& image, const PictureRect& box) {
  const PictureRect r = intersect(box, PictureRect{0, 0, image.width, image.height});
  if (r.empty() || r != box) return box;
  constexpr int kGap = 4;  // blank lines that end it: more than between a letter and its underline
  const std::uint32_t ground = image.rgb(r.x, r.y);
  int first = -1;
  int last = -1;
  for (int y = r.y; y < r.bottom() && (last < 0 || y - last <= kGap); ++y) {
    for (int x = r.x; x < r.right(); ++x) {
      if (difference(image.rgb(x, y), ground) < kStep) continue;
      if (first < 0) first = y;
      last = y;
      break;
    }
  }
  if (first < 0) return box;
  const int bottom = std::min(r.bottom(), last + 1 + (first - r.y));
  return {r.x, r.y, r.w, bottom - r.y};
}

}  // namespace deskmark
