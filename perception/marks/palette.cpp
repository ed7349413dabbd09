#include "perception/marks/palette.hpp"

#include <array>
#include <cmath>

#include "perception/marks/rect_grid.hpp"

namespace deskmark {
namespace {

constexpr std::array<std::uint32_t, 10> kPalette = {
    0xd50000,  // red
    0x1f5fe0,  // blue
    0x12862a,  // green
    0xd81bb0,  // magenta
    0xc85a00,  // orange
    0x007fa0,  // cyan
    0x7a1fd0,  // violet
    0x6b7500,  // olive
    0x7a4420,  // brown
    0x5c5c66,  // grey
};

/// Marks closer than this, in pixels, must be told apart at a glance.
constexpr int kNear = 24;
/// Colours this far apart are as good as any.
constexpr double kFarApart = 90;

double linear(std::uint32_t channel) {
  const double v = static_cast<double>(channel & 0xff) / 255;
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

double luminance(std::uint32_t rgb) {
  return 0.2126 * linear(rgb >> 16) + 0.7152 * linear(rgb >> 8) + 0.0722 * linear(rgb);
}

struct Lab {
  double l, a, b;
};

Lab to_lab(std::uint32_t rgb) {
  const double r = linear(rgb >> 16);
  const double g = linear(rgb >> 8);
  const double b = linear(rgb);
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  const double x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const double y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const double z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double distance(const Lab& p, const Lab& q) { return std::hypot(p.l - q.l, p.a - q.a, p.b - q.b); }

/// 0 for colours far apart, 1 for equal ones, steep where they get hard to tell.
double likeness(double distance) {
  const double t = std::max(0.0, 1 - distance / kFarApart);
  return t * t;
}

/// Mean colour of the pixels that the mark's outline will be drawn on.
std::uint32_t rim_colour(const Image& picture, const PictureRect& mark) {
  const PictureRect r = intersect(mark, PictureRect{0, 0, picture.width, picture.height});
  if (r.empty()) return 0xffffff;
  std::uint32_t sum[3] = {};
  std::uint32_t count = 0;
  const auto take = [&](int x, int y) {
    const std::uint32_t rgb = picture.rgb(x, y);
    for (int i = 0; i < 3; ++i) sum[i] += (rgb >> (8 * i)) & 0xff;
    ++count;
  };
  const int step_x = std::max(1, r.w / 32);
  const int step_y = std::max(1, r.h / 32);
  for (int x = r.x; x < r.right(); x += step_x) take(x, r.y), take(x, r.bottom() - 1);
  for (int y = r.y; y < r.bottom(); y += step_y) take(r.x, y), take(r.right() - 1, y);
  return ((sum[2] / count) << 16) | ((sum[1] / count) << 8) | (sum[0] / count);
}

}  // namespace

double contrast(std::uint32_t a, std::uint32_t b) {
  const double la = luminance(a) + 0.05;
  const double lb = luminance(b) + 0.05;
  return la > lb ? la / lb : lb / la;
}

double colour_distance(std::uint32_t a, std::uint32_t b) { return distance(to_lab(a), to_lab(b)); }

std::span<const std::uint32_t> palette() { return kPalette; }

std::vector<std::uint32_t> mark_colours(const Image& picture, std::span<const PictureRect> marks) {
  constexpr std::size_t kColours = kPalette.size();
  std::array<Lab, kColours> labs{};
  for (std::size_t i = 0; i < kColours; ++i) labs[i] = to_lab(kPalette[i]);
  std::array<std::array<double, kColours>, kColours> alike{};
  for (std::size_t i = 0; i < kColours; ++i) {
    for (std::size_t j = 0; j < kColours; ++j) alike[i][j] = likeness(distance(labs[i], labs[j]));
  }

  RectGrid coloured{picture.width, picture.height};
  std::vector<std::size_t> choice(marks.size());
  std::array<int, kColours> used{};
  for (std::size_t m = 0; m < marks.size(); ++m) {
    std::array<double, kColours> cost{};
    const Lab under = to_lab(rim_colour(picture, marks[m]));
    for (std::size_t c = 0; c < kColours; ++c) {
      cost[c] = 0.6 * likeness(distance(labs[c], under)) + 0.01 * used[c];
    }
    coloured.visit(marks[m].inflated(kNear), [&](std::size_t n, const PictureRect& other) {
      // A container around hundreds of marks is told apart by its size.
      const double weight = other.area() > 20 * marks[m].area() || marks[m].area() > 20 * other.area() ? 0.3 : 1.0;
      for (std::size_t c = 0; c < kColours; ++c) cost[c] += weight * alike[c][choice[n]];
    });
    std::size_t best = 0;
    for (std::size_t c = 1; c < kColours; ++c) {
      if (cost[c] < cost[best]) best = c;
    }
    choice[m] = best;
    ++used[best];
    coloured.insert(m, marks[m]);
  }
  std::vector<std::uint32_t> colours(marks.size());
  for (std::size_t m = 0; m < marks.size(); ++m) colours[m] = kPalette[choice[m]];
  return colours;
}

}  // namespace deskmark
