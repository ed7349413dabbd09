// Ink to lines of text and icons.
#pragma once

#include <vector>

#include "perception/vision/regions.hpp"
#include "perception/vision/segments.hpp"

namespace deskmark::vision {

struct Line {
  PictureRect bounds;
  int on = -1;     ///< fill it lies on (index into Segmentation::segments)
  int height = 0;  ///< typical height of its taller glyphs, pixels
  bool underlined = false;
  std::vector<int> inks;  ///< indices into Segmentation::inks
};

struct Icon {
  PictureRect bounds;
  int on = -1;
};

/// A thin groove with one knob on it.
struct Groove {
  PictureRect bounds;
  PictureRect knob;
};

struct InkGroups {
  std::vector<Line> lines;
  std::vector<PictureRect> pieces;  ///< ink that is no text, outline or long line: parts of icons
  std::vector<int> frames;          ///< inks that are outlines of a box
  std::vector<int> separators;      ///< thin straight inks
  std::vector<PictureRect> pictures;
  std::vector<Groove> sliders;
  int letter = 10;   ///< typical height of the taller letters, pixels
  double scale = 1;  ///< guess: device pixels per logical pixel
};

[[nodiscard]] InkGroups group_ink(const Segmentation& s, double scale);
[[nodiscard]] TextRegion describe(const Image& image, const Segmentation& s, const Line& line);

}  // namespace deskmark::vision
