// Lines of text cut where two things stand side by side, and stretched to where they begin. Pixels of the picture.
#pragma once

#include <vector>

#include "perception/vision/text_lines.hpp"

namespace deskmark::vision {

/// The value below which `part` (0..1) of `values` lie; 0 for none.
[[nodiscard]] int percentile(std::vector<int> values, double part);
/// Around all of `inks` (indices into Segmentation::inks).
[[nodiscard]] PictureRect bounds_of(const Segmentation& s, const std::vector<int>& inks);
/// Captions of two widgets side by side stand further apart than the words of one: lines of proportional letters are
/// cut there. (A space of a fixed-width font is as wide as a letter: those lines stay whole.)
void cut_wide_gaps(const Segmentation& s, std::vector<Line>& lines);
/// Where a list or field gives its text no margin, the first letter runs into the outline and is lost to the line: the
/// line begins at the outline then.
void reach_outline(const Segmentation& s, Line& line);
/// An icon set close to a text is taller than its letters, or stands off by more than a letter space does: cut it from
/// the line.
void cut_icons(const Segmentation& s, std::vector<Line>& lines, std::vector<std::vector<int>>& loose);
/// Four and more compact signs, each standing off from the next by more than letters of its size do, all at one
/// distance: the icons of a row.
[[nodiscard]] bool row_of_signs(const Segmentation& s, const Line& line);

}  // namespace deskmark::vision
