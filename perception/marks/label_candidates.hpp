// Where the number of one mark could go: on, in or beside it, each place with a cost. Pure geometry and a DetailMap.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "perception/marks/detail_map.hpp"
#include "perception/marks/glyphs.hpp"
#include "perception/marks/rect_grid.hpp"

namespace deskmark {

struct LabelCandidate {
  PictureRect box;
  DigitSize size = DigitSize::Medium;
  float cost = 0;  ///< lower is better; the scale is explained at the weights in label_candidates.cpp
};

/// What every candidate is judged against. The references outlive the survey.
class LabelSurvey {
 public:
  /// `marks`: bounds in picture pixels, clipped to the picture of width x height; empty ones are ignored.
  LabelSurvey(int width, int height, const DetailMap& details, std::span<const PictureRect> marks);

  /// Places that touch mark `m`, cover no content, hide no other mark; cheapest first. Each of `sizes` is tried, later
  /// ones at a higher cost.
  [[nodiscard]] std::vector<LabelCandidate> beside(std::size_t m, int number, std::span<const DigitSize> sizes);

  /// Places at `distance` pixels from mark `m` (for a leader line), cheapest first, line not considered.
  [[nodiscard]] std::vector<LabelCandidate> around(std::size_t m, int number, DigitSize size, int distance);

  /// Is there a mark at `p` that does not surround `mark`?
  [[nodiscard]] bool in_other_mark(PicturePoint p, const PictureRect& mark);

 private:
  struct Neighbour {
    PictureRect rect;
    enum class Kind { Around, Inside, Other } kind;  ///< contains the mark, is contained in it, neither
  };

  void find_neighbours(const PictureRect& mark, int reach, std::size_t m);
  [[nodiscard]] std::optional<float> judge(const PictureRect& mark, const PictureRect& box, bool detached) const;

  PictureRect picture_;
  const DetailMap& details_;
  std::span<const PictureRect> marks_;
  RectGrid grid_;
  std::vector<Neighbour> neighbours_;  ///< of the mark looked at
};

}  // namespace deskmark
