// Closed boxes: fills with a rectangular, rounded or round outline, with what lies directly on them.
#pragma once

#include <vector>

#include "perception/vision/segments.hpp"
#include "perception/vision/text_lines.hpp"

namespace deskmark::vision {

struct Box {
  int fill = -1;           ///< its fill (index into Segmentation::segments)
  int also = -1;           ///< second fill of a two-toned box, -1: none
  PictureRect inner;       ///< the fill
  PictureRect outer;       ///< with its border
  bool round = false;      ///< a disc, not a rectangle
  bool dead = false;       ///< turned out to be part of an icon
  bool bordered = false;   ///< a drawn line separates it from its surroundings on at least three sides
  int on = -1;             ///< fill it lies on, -1: unknown or the picture's edge
  int parent = -1;         ///< smallest box that holds it
  std::vector<int> lines;  ///< text lines directly on it
  std::vector<int> icons;  ///< icons directly on it
  std::vector<int> boxes;  ///< boxes whose parent it is
};

struct Shapes {
  std::vector<Box> boxes;   ///< by falling area: parents come before what they hold
  std::vector<Icon> icons;  ///< clusters of ink and irregular small fills
};

/// `whole` is a cluster of `pieces`: the icons of a row when it is a row of them at one pitch, else itself.
[[nodiscard]] std::vector<PictureRect> icons_of_row(const PictureRect& whole, const std::vector<PictureRect>& pieces);

[[nodiscard]] Shapes find_shapes(const Segmentation& s, const InkGroups& ink);

}  // namespace deskmark::vision
