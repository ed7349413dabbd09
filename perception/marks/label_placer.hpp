// Puts every mark's number somewhere: near its mark, off everything there is to read, off the other numbers.
#pragma once

#include <span>
#include <vector>

#include "perception/marks/detail_map.hpp"
#include "perception/marks/glyphs.hpp"

namespace deskmark {

struct LabelRequest {
  int number = 0;
  PictureRect mark;  ///< picture pixels, clipped to the picture
};

struct LabelPlace {
  PictureRect box;  ///< empty: found no room
  DigitSize size = DigitSize::Medium;
  bool leader = false;
  PicturePoint from;  ///< leader line: on the label's edge ...
  PicturePoint to;    ///< ... to the mark's edge
};

/// One place per request, in order. Labels never overlap each other nor the content of any mark. The most cramped mark
/// chooses first; a mark left without a place may move one other label aside; then a place further off with a leader
/// line is tried; then the label is left off. `preferred` is the size tried first, smaller ones follow.
[[nodiscard]] std::vector<LabelPlace> place_labels(int width, int height, const DetailMap& details,
                                                   std::span<const LabelRequest> requests, DigitSize preferred);

}  // namespace deskmark
