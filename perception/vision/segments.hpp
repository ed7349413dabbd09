// Flat-colour segmentation: the first step from pixels to widgets. Interfaces are drawn from few flat fills; what is
// left between the fills is ink: glyphs, icons, borders, separators.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perception/model/image.hpp"

namespace deskmark::vision {

/// Side of the smallest square that makes a segment a fill; strokes of text up to 20 px fonts are thinner.
inline constexpr int kFillThickness = 6;

/// A connected area in which neighbouring pixels differ by no more than the tolerance.
struct Segment {
  PictureRect bounds;
  int area = 0;       ///< pixels
  int row_fill = 0;   ///< sum over its rows of (last - first + 1): what it covers once holes are filled
  PictureRect core;   ///< around the squares of kFillThickness that fit into it: without the thin lines that lead away
  int thickness = 0;  ///< side of the largest square that fits into it, at most 255
  std::uint32_t rgb = 0;  ///< mean colour
  bool fill = false;      ///< thick enough to be a background of something, not a stroke
  /// row_fill over the bounding box: 1 for a rectangle, pi/4 for a disc.
  [[nodiscard]] double rectangularity() const {
    const auto box = static_cast<double>(bounds.area());
    return box > 0 ? row_fill / box : 0;
  }
};

/// A connected piece of ink (pixels of no fill).
struct Ink {
  PictureRect bounds;
  int area = 0;
  int on = -1;        ///< the fill that surrounds it (index into segments), -1: several or none
  bool edge = false;  ///< a speck between two fills: where a rounded corner blends into what is behind it
};

struct Segmentation {
  int width = 0;
  int height = 0;
  std::vector<std::int32_t> label;      ///< per pixel: index into segments
  std::vector<std::int32_t> ink_label;  ///< per pixel: index into inks, -1 on fills
  std::vector<Segment> segments;
  std::vector<Ink> inks;
  [[nodiscard]] int at(int x, int y) const { return label[static_cast<std::size_t>(y) * width + x]; }
  [[nodiscard]] int ink_at(int x, int y) const { return ink_label[static_cast<std::size_t>(y) * width + x]; }
};

/// Linear in the pixels. `tolerance`: largest difference of neighbouring pixels in any channel within one segment,
/// 0..255.
[[nodiscard]] Segmentation segment(const Image& image, int tolerance);

/// Rectangles of photographs and the like: where hardly anything is a large even surface, over at least `least` pixels
/// both ways.
[[nodiscard]] std::vector<PictureRect> photographs(const Segmentation& s, int least);

/// The value met most often among `values` (the earliest of equals), -1: none.
[[nodiscard]] int most_common(std::span<const int> values);

/// Tolerance that fits the picture: small for rendered pixels, larger where compression left noise.
[[nodiscard]] int noise_tolerance(const Image& image);

}  // namespace deskmark::vision
