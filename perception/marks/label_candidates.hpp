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

  /// Adds to `found` places that touch mark `m`, cover no content and hide no other mark, and sorts by cost. `extra` is
  /// added to the cost of each.
  void beside(std::size_t m, int number, DigitSize size, float extra, std::vector<LabelCandidate>& found);

  /// Places that touch mark `m` and cover no ink, though they may reach into the box around a line of text.
  void between_ink(std::size_t m, int number, DigitSize size, std::vector<LabelCandidate>& found);

  /// Like beside() for all places there are, in steps of two pixels, not only the usual ones. Small marks only: it is
  /// slow.
  void everywhere(std::size_t m, int number, DigitSize size, float extra, std::vector<LabelCandidate>& found);

  /// Places at `distance` pixels from mark `m` (for a leader line), cheapest first, line not considered.
  [[nodiscard]] std::vector<LabelCandidate> around(std::size_t m, int number, DigitSize size, int distance);

  /// Pixels of the line from `a` to `b` that run through marks other than `mark` and those around it.
  [[nodiscard]] float line_in_other_marks(PicturePoint a, PicturePoint b, const PictureRect& mark);

 private:
  void find_neighbours(const PictureRect& area, std::size_t m);
  void try_slots(std::size_t m, int number, DigitSize size, float extra, bool strict,
                 std::vector<LabelCandidate>& found);
  [[nodiscard]] std::optional<float> judge_pixels(const PictureRect& mark, const PictureRect& box, bool strict) const;
  [[nodiscard]] std::optional<float> judge_neighbours(const PictureRect& mark, const PictureRect& box,
                                                      bool detached) const;
  [[nodiscard]] std::optional<float> judge(const PictureRect& mark, const PictureRect& box, bool strict) const;

  PictureRect picture_;
  const DetailMap& details_;
  std::span<const PictureRect> marks_;
  RectGrid grid_;
  std::vector<PictureRect> neighbours_;  ///< marks near the one looked at, those around it left out
};

}  // namespace deskmark
