// Geometry with the coordinate space in the type, so that a device rectangle cannot be handed where a picture
// rectangle is meant. Conversions between spaces live in Mapping and nowhere else.
#pragma once

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>

namespace deskmark {

/// Screen pixels of the X screen, origin at its top-left corner, before any scaling.
struct DeviceSpace {};
/// Pixels of one delivered picture, origin at its top-left corner.
struct PictureSpace {};

template <class Space>
struct Point {
  int x = 0;
  int y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

/// Half-open rectangle: covers x <= px < x + w and y <= py < y + h. Empty when w or h is not positive.
template <class Space>
struct Rect {
  int x = 0;
  int y = 0;
  int w = 0;
  int h = 0;

  friend bool operator==(const Rect&, const Rect&) = default;

  [[nodiscard]] int right() const { return x + w; }
  [[nodiscard]] int bottom() const { return y + h; }
  [[nodiscard]] bool empty() const { return w <= 0 || h <= 0; }
  [[nodiscard]] std::int64_t area() const { return empty() ? 0 : std::int64_t{w} * h; }
  [[nodiscard]] Point<Space> center() const { return {x + w / 2, y + h / 2}; }
  [[nodiscard]] bool contains(Point<Space> p) const { return p.x >= x && p.y >= y && p.x < right() && p.y < bottom(); }
  [[nodiscard]] bool contains(const Rect& o) const {
    return !o.empty() && o.x >= x && o.y >= y && o.right() <= right() && o.bottom() <= bottom();
  }
  [[nodiscard]] Rect translated(int dx, int dy) const { return {x + dx, y + dy, w, h}; }
  [[nodiscard]] Rect inflated(int by) const { return {x - by, y - by, w + 2 * by, h + 2 * by}; }
};

template <class Space>
[[nodiscard]] Rect<Space> intersect(const Rect<Space>& a, const Rect<Space>& b) {
  const int x = std::max(a.x, b.x);
  const int y = std::max(a.y, b.y);
  const int r = std::min(a.right(), b.right());
  const int t = std::min(a.bottom(), b.bottom());
  return r > x && t > y ? Rect<Space>{x, y, r - x, t - y} : Rect<Space>{x, y, 0, 0};
}

/// Smallest rectangle that holds both; an empty one adds nothing.
template <class Space>
[[nodiscard]] Rect<Space> unite(const Rect<Space>& a, const Rect<Space>& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  const int x = std::min(a.x, b.x);
  const int y = std::min(a.y, b.y);
  return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

/// Intersection over union, 0..1; 0 when either is empty.
template <class Space>
[[nodiscard]] double iou(const Rect<Space>& a, const Rect<Space>& b) {
  const auto common = static_cast<double>(intersect(a, b).area());
  const auto all = static_cast<double>(a.area() + b.area()) - common;
  return all > 0 ? common / all : 0.0;
}

using DevicePoint = Point<DeviceSpace>;
using DeviceRect = Rect<DeviceSpace>;
using PicturePoint = Point<PictureSpace>;
using PictureRect = Rect<PictureSpace>;

/// How one picture lies on the screen: device = origin + picture / scale (contract, section Coordinates).
struct Mapping {
  DevicePoint origin;  ///< top-left of the picture, device pixels
  double scale_x = 1;  ///< picture pixels per device pixel, 0 < scale <= 1
  double scale_y = 1;
  friend bool operator==(const Mapping&, const Mapping&) = default;

  [[nodiscard]] PictureRect to_picture(const DeviceRect& r) const {
    // Edges are rounded, not sizes, so that neighbours which touch on the screen touch in the picture.
    const auto edge = [](int v, int o, double s) { return static_cast<int>(std::lround((v - o) * s)); };
    const int x0 = edge(r.x, origin.x, scale_x);
    const int y0 = edge(r.y, origin.y, scale_y);
    const int x1 = edge(r.right(), origin.x, scale_x);
    const int y1 = edge(r.bottom(), origin.y, scale_y);
    return {x0, y0, std::max(x1 - x0, r.w > 0 ? 1 : 0), std::max(y1 - y0, r.h > 0 ? 1 : 0)};
  }
  /// The device pixel under the centre of a picture pixel.
  [[nodiscard]] DevicePoint to_device(PicturePoint p) const {
    return {origin.x + static_cast<int>(std::floor((p.x + 0.5) / scale_x)),
            origin.y + static_cast<int>(std::floor((p.y + 0.5) / scale_y))};
  }
};

}  // namespace deskmark
