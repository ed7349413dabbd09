#include "perception/vision/symbols.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <vector>

namespace deskmark {
namespace {

/// Ink of a symbol, cut to its bounds.
struct Mask {
  int w = 0;
  int h = 0;
  std::vector<bool> ink;
  [[nodiscard]] bool at(int x, int y) const {
    return ink[static_cast<std::size_t>(y) * static_cast<std::size_t>(w) + static_cast<std::size_t>(x)];
  }
  /// Part of a cell of the n x n grid over the mask that is ink.
  [[nodiscard]] double cell(int column, int row, int n) const {
    const int x0 = column * w / n;
    const int x1 = std::max(x0 + 1, (column + 1) * w / n);
    const int y0 = row * h / n;
    const int y1 = std::max(y0 + 1, (row + 1) * h / n);
    int count = 0;
    for (int y = y0; y < std::min(y1, h); ++y) {
      for (int x = x0; x < std::min(x1, w); ++x) count += at(x, y);
    }
    return static_cast<double>(count) / ((x1 - x0) * (y1 - y0));
  }
};

int distance(std::uint32_t a, std::uint32_t b) {
  int d = 0;
  for (const int shift : {0, 8, 16}) {
    d = std::max(d, std::abs(static_cast<int>((a >> shift) & 0xff) - static_cast<int>((b >> shift) & 0xff)));
  }
  return d;
}

/// Stretches of ink along the middle line: how many, and where the ink reaches in each row or column.
int stretches(const Mask& m, bool down) {
  int n = 0;
  bool before = false;
  for (int i = 0; i < (down ? m.h : m.w); ++i) {
    int count = 0;
    for (int k = 0; k < (down ? m.w : m.h); ++k) count += down ? m.at(k, i) : m.at(i, k);
    const bool now = count > 0;
    n += now && !before;
    before = now;
  }
  return n;
}

/// Widths of the ink from the near to the far end of a direction: steadily shrinking for a head that points there.
bool points(const Mask& m, int dx, int dy) {
  const int length = dx != 0 ? m.w : m.h;
  const int breadth = dx != 0 ? m.h : m.w;
  if (length < 3 || breadth < 5 || breadth * 10 < length * 11) return false;
  int last = breadth + 1;
  int first = 0;
  for (int i = 0; i < length; ++i) {
    const int along = dx + dy > 0 ? i : length - 1 - i;
    int low = -1;
    int high = -1;
    for (int k = 0; k < breadth; ++k) {
      if (!(dx != 0 ? m.at(along, k) : m.at(k, along))) continue;
      if (low < 0) low = k;
      high = k;
    }
    const int width = low < 0 ? 0 : high - low + 1;
    if (width == 0 || width > last + 1) return false;
    if (i == 0) first = width;
    // The head lies on the middle.
    if (i == length - 1 && std::abs(low + high - (breadth - 1)) > std::max(2, breadth / 4)) return false;
    last = width;
  }
  return first * 10 >= breadth * 6 && last * 10 <= breadth * 5;
}

std::string colour_word(std::uint32_t c) {
  const int r = static_cast<int>(c >> 16);
  const int g = static_cast<int>((c >> 8) & 0xff);
  const int b = static_cast<int>(c & 0xff);
  const int high = std::max({r, g, b});
  const int low = std::min({r, g, b});
  if (high - low < 48) return {};
  if (r == high && g - low > (high - low) * 6 / 10) return "yellow";
  if (r == high && g - low > (high - low) / 4 && b == low) return "orange";
  if (r == high && b - low > (high - low) / 2) return "pink";
  if (r == high) return "red";
  if (g == high) return "green";
  return r - low > (high - low) / 2 ? "purple" : "blue";
}

std::string shape_word(const Mask& m) {
  const int bars = stretches(m, true);
  const int posts = stretches(m, false);
  const auto ink =
      static_cast<double>(std::count(m.ink.begin(), m.ink.end(), true)) / static_cast<double>(m.ink.size());
  if (bars == 1 && posts == 1 && m.w >= 3 * m.h && ink > 0.7) return "minus";
  if (bars == 3 && posts == 1 && m.w * 10 >= m.h * 8 && ink > 0.25) return "three bars";
  if ((bars == 3 && posts == 1 && m.w * 2 <= m.h) || (posts == 3 && bars == 1 && m.h * 2 <= m.w)) return "three dots";
  const bool square = std::abs(m.w - m.h) <= std::max(2, m.w / 6);
  if (square && m.w >= 5) {
    const bool corners =
        m.cell(0, 0, 3) > 0.2 && m.cell(2, 0, 3) > 0.2 && m.cell(0, 2, 3) > 0.2 && m.cell(2, 2, 3) > 0.2;
    const bool no_corners =
        m.cell(0, 0, 3) < 0.1 && m.cell(2, 0, 3) < 0.1 && m.cell(0, 2, 3) < 0.1 && m.cell(2, 2, 3) < 0.1;
    const bool middle = m.cell(1, 1, 3) > 0.4;
    const double arms = std::min({m.cell(1, 0, 3), m.cell(0, 1, 3), m.cell(2, 1, 3), m.cell(1, 2, 3)});
    const double most = std::max({m.cell(1, 0, 3), m.cell(0, 1, 3), m.cell(2, 1, 3), m.cell(1, 2, 3)});
    if (middle && no_corners && arms > 0.25) return "plus";
    if (middle && corners && most < 0.35) return "cross";
  }
  if (points(m, 0, 1)) return "arrow down";
  if (points(m, 0, -1)) return "arrow up";
  if (points(m, 1, 0)) return "arrow right";
  if (points(m, -1, 0)) return "arrow left";
  return {};
}

}  // namespace

std::string symbol_word(const Image& picture, const PictureRect& area) {
  // A button's border and corners are not part of its symbol.
  const int margin = std::min(area.w, area.h) >= 20 ? std::min(area.w, area.h) / 8 : 0;
  const PictureRect r = intersect(area.inflated(-margin), PictureRect{0, 0, picture.width, picture.height});
  if (r.w < 3 || r.h < 3 || r.w > 256 || r.h > 256) return {};
  std::map<std::uint32_t, int> seen;
  for (int y = r.y; y < r.bottom(); ++y) {
    for (int x = r.x; x < r.right(); ++x) ++seen[picture.rgb(x, y)];
  }
  const auto common = [](const auto& p, const auto& q) { return p.second < q.second; };
  const std::uint32_t paper = std::max_element(seen.begin(), seen.end(), common)->first;
  int strongest = 0;
  for (const auto& [rgb, n] : seen) strongest = std::max(strongest, distance(rgb, paper));
  if (strongest < 24) return {};
  PictureRect bounds;
  std::array<std::int64_t, 3> sum{};
  std::int64_t count = 0;
  for (int y = r.y; y < r.bottom(); ++y) {
    for (int x = r.x; x < r.right(); ++x) {
      const std::uint32_t c = picture.rgb(x, y);
      if (distance(c, paper) * 2 < strongest) continue;
      bounds = unite(bounds, PictureRect{x, y, 1, 1});
      for (std::size_t k = 0; k < 3; ++k) sum[k] += (c >> (16 - 8 * k)) & 0xff;
      ++count;
    }
  }
  if (bounds.w < 3 || bounds.h < 1 || count < 6) return {};
  Mask m{bounds.w, bounds.h, {}};
  for (int y = bounds.y; y < bounds.bottom(); ++y) {
    for (int x = bounds.x; x < bounds.right(); ++x)
      m.ink.push_back(distance(picture.rgb(x, y), paper) * 2 >= strongest);
  }
  std::string word = shape_word(m);
  if (!word.empty()) return word;
  const auto mean = static_cast<std::uint32_t>((sum[0] / count) << 16 | (sum[1] / count) << 8 | (sum[2] / count));
  const std::string colour = colour_word(mean);
  return colour.empty() ? "icon" : colour + " icon";
}

}  // namespace deskmark
