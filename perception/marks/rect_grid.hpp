// Which rectangles touch this one: a uniform grid over the picture.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "perception/model/geometry.hpp"

namespace deskmark {

/// Rectangles are clipped to the picture; empty ones are never found. Visits are in ascending order of insertion per
/// cell, each rectangle once.
class RectGrid {
 public:
  RectGrid(int width, int height)
      : columns_{std::max(1, (width + kCell - 1) / kCell)},
        rows_{std::max(1, (height + kCell - 1) / kCell)},
        cells_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_)) {}

  void insert(std::size_t id, const PictureRect& rect) {
    if (rect.empty()) return;
    const std::size_t entry = entries_.size();
    entries_.push_back({id, rect, 0});
    each_cell(rect, [&](std::vector<std::size_t>& cell) { cell.push_back(entry); });
  }

  /// Calls visit(id, rect) for every rectangle that has a pixel in common with `area`.
  template <class Visit>
  void visit(const PictureRect& area, Visit&& visit) {
    if (area.empty()) return;
    ++round_;
    each_cell(area, [&](std::vector<std::size_t>& cell) {
      for (const std::size_t index : cell) {
        Entry& entry = entries_[index];
        if (entry.seen == round_) continue;
        entry.seen = round_;
        if (!intersect(entry.rect, area).empty()) visit(entry.id, std::as_const(entry.rect));
      }
    });
  }

 private:
  static constexpr int kCell = 48;
  struct Entry {
    std::size_t id;
    PictureRect rect;
    std::size_t seen;
  };

  template <class Each>
  void each_cell(const PictureRect& rect, Each&& each) {
    const int left = std::clamp(rect.x / kCell, 0, columns_ - 1);
    const int right = std::clamp((rect.right() - 1) / kCell, 0, columns_ - 1);
    const int top = std::clamp(rect.y / kCell, 0, rows_ - 1);
    const int bottom = std::clamp((rect.bottom() - 1) / kCell, 0, rows_ - 1);
    for (int y = top; y <= bottom; ++y) {
      for (int x = left; x <= right; ++x) {
        each(cells_[static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(x)]);
      }
    }
  }

  int columns_;
  int rows_;
  std::vector<std::vector<std::size_t>> cells_;
  std::vector<Entry> entries_;
  std::size_t round_ = 0;
};

}  // namespace deskmark
