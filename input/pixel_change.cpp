#include "input/pixel_change.hpp"

#include <cstdlib>

namespace deskmark {
namespace {

constexpr int kBlock = 8;   // what changes by itself is left out by blocks: a hand of a clock moves on
constexpr int kNotice = 6;  // of 255, per channel

bool same_size(const Observation& a, const Observation& b) {
  return a.pixels && b.pixels && a.pixels->width == b.pixels->width && a.pixels->height == b.pixels->height &&
         !a.pixels->empty();
}

bool differ(const std::uint8_t* a, const std::uint8_t* b) {
  return std::abs(a[0] - b[0]) > kNotice || std::abs(a[1] - b[1]) > kNotice || std::abs(a[2] - b[2]) > kNotice;
}

/// One flag per block that differs.
std::vector<bool> blocks(const Image& a, const Image& b, int across, int down) {
  std::vector<bool> out(static_cast<std::size_t>(across) * static_cast<std::size_t>(down), false);
  for (int y = 0; y < a.height; ++y) {
    for (int x = 0; x < a.width; ++x) {
      if (differ(a.row(y) + static_cast<std::size_t>(x) * 4, b.row(y) + static_cast<std::size_t>(x) * 4))
        out[static_cast<std::size_t>(y / kBlock) * static_cast<std::size_t>(across) +
            static_cast<std::size_t>(x / kBlock)] = true;
    }
  }
  return out;
}

}  // namespace

PixelChange pixel_change(const Observation* earlier, const Observation& before, const Observation& after,
                         const std::vector<DeviceRect>& except) {
  PixelChange change;
  if (!same_size(before, after)) return change;
  change.comparable = true;
  const Image& was = *before.pixels;
  const Image& is = *after.pixels;
  const int across = (is.width + kBlock - 1) / kBlock;
  const int down = (is.height + kBlock - 1) / kBlock;
  std::vector<bool> restless;
  if (earlier && same_size(*earlier, before)) restless = blocks(*earlier->pixels, was, across, down);
  for (int y = 0; y < is.height; ++y) {
    for (int x = 0; x < is.width; ++x) {
      if (!differ(was.row(y) + static_cast<std::size_t>(x) * 4, is.row(y) + static_cast<std::size_t>(x) * 4)) continue;
      if (!restless.empty() && restless[static_cast<std::size_t>(y / kBlock) * static_cast<std::size_t>(across) +
                                        static_cast<std::size_t>(x / kBlock)])
        continue;
      const DevicePoint at{after.area.x + x, after.area.y + y};
      bool left_out = false;
      for (const DeviceRect& r : except) left_out = left_out || r.contains(at);
      if (left_out) continue;
      ++change.pixels;
      change.box = unite(change.box, DeviceRect{at.x, at.y, 1, 1});
    }
  }
  return change;
}

}  // namespace deskmark
