#include <algorithm>
#include <vector>

#include "perception/vision/segments.hpp"

namespace deskmark::vision {
namespace {

constexpr int kCell = 16;
/// Even surfaces as large as this are paper, window or widget; smaller ones in numbers are a picture.
constexpr int kLargeFill = 400;

}  // namespace

std::vector<PictureRect> photographs(const Segmentation& s, int least) {
  const int columns = s.width / kCell;
  const int rows = s.height / kCell;
  std::vector<bool> dense(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), false);
  const auto cell = [&](int x, int y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(x);
  };
  for (int cy = 0; cy < rows; ++cy) {
    for (int cx = 0; cx < columns; ++cx) {
      int even = 0;
      for (int y = cy * kCell; y < (cy + 1) * kCell; y += 2) {
        for (int x = cx * kCell; x < (cx + 1) * kCell; x += 2) {
          even += s.segments[static_cast<std::size_t>(s.at(x, y))].area >= kLargeFill;
        }
      }
      // Text leaves at least a third of its paper free.
      dense[cell(cx, cy)] = even * 10 < kCell * kCell / 4 * 3;
    }
  }
  std::vector<PictureRect> out;
  std::vector<bool> seen(dense.size(), false);
  for (int cy = 0; cy < rows; ++cy) {
    for (int cx = 0; cx < columns; ++cx) {
      if (!dense[cell(cx, cy)] || seen[cell(cx, cy)]) continue;
      std::vector<std::pair<int, int>> todo{{cx, cy}};
      seen[cell(cx, cy)] = true;
      PictureRect cells;
      int n = 0;
      while (!todo.empty()) {
        const auto [x, y] = todo.back();
        todo.pop_back();
        cells = unite(cells, PictureRect{x, y, 1, 1});
        ++n;
        for (const auto& [nx, ny] : {std::pair{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}}) {
          if (nx < 0 || ny < 0 || nx >= columns || ny >= rows || seen[cell(nx, ny)] || !dense[cell(nx, ny)]) continue;
          seen[cell(nx, ny)] = true;
          todo.emplace_back(nx, ny);
        }
      }
      const PictureRect r{cells.x * kCell, cells.y * kCell, cells.w * kCell, cells.h * kCell};
      if (r.w >= least && r.h >= least && n * 100 >= cells.area() * 45) out.push_back(r.inflated(kCell / 2));
    }
  }
  return out;
}

}  // namespace deskmark::vision
