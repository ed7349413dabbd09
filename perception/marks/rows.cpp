#include <algorithm>

#include "perception/marks/controls.hpp"
#include "perception/marks/toolkit_rules.hpp"

namespace deskmark {
namespace {

/// Gap between drawn rows that still belongs to them: GTK 3 leaves 2 pixels between cells, nobody more than this.
constexpr int kRowGap = 6;

bool same_line(const DeviceRect& a, const DeviceRect& b) {
  const int common = std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y);
  return common * 2 > std::min(a.h, b.h);
}

}  // namespace

std::vector<Row> rows_of(const Tree& tree, const std::vector<Sight>& sights, int container) {
  const auto sight = [&](int i) -> const Sight& { return sights[static_cast<std::size_t>(i)]; };
  std::vector<int> cells;
  for (int c = tree.first_child(container); c >= 0; c = tree.next_sibling(c)) {
    const Role role = tree.role(c);
    if ((role == Role::TableCell || role == Role::TreeItem || role == Role::ListItem) && !sight(c).visible.empty()) {
      cells.push_back(c);
    }
  }
  std::stable_sort(cells.begin(), cells.end(), [&](int a, int b) { return sight(a).extents.y < sight(b).extents.y; });

  std::vector<Row> rows;
  for (const int c : cells) {
    if (rows.empty() || !same_line(sight(rows.back().cells.front()).extents, sight(c).extents)) rows.emplace_back();
    rows.back().cells.push_back(c);
    rows.back().rect = unite(rows.back().rect, sight(c).extents);
  }

  const Accessible& table = tree.node(container);
  const DeviceRect whole = sight(container).clipped;
  const int unknown_gap = table.toolkit == Toolkit::Gtk3 ? 2 : 0;  // a single row has no neighbour to measure by
  const auto grow = [](int gap) { return gap > 0 && gap <= kRowGap ? gap : 0; };
  int row_above_ends = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    Row& row = rows[r];
    std::stable_sort(row.cells.begin(), row.cells.end(),
                     [&](int a, int b) { return sight(a).extents.x < sight(b).extents.x; });
    DeviceRect seen;
    for (const int c : row.cells) seen = unite(seen, sight(c).clipped);
    // Toolkits report cells without the separators around them; the row is drawn, and reacts, over the table's width.
    const DeviceRect told = row.rect;
    const int above = r > 0 ? told.y - row_above_ends : unknown_gap;
    const int below = r + 1 < rows.size() ? rows[r + 1].rect.y - told.bottom() : unknown_gap;
    row_above_ends = told.bottom();
    const int top = seen.y == told.y ? seen.y - (grow(above) + 1) / 2 : seen.y;
    const int bottom = seen.bottom() == told.bottom() ? seen.bottom() + grow(below) / 2 : seen.bottom();
    const int right = is_qt(table.toolkit) ? seen.right() : whole.right();
    row.rect = intersect(DeviceRect{whole.x, top, right - whole.x, bottom - top}, whole);
  }
  return rows;
}

}  // namespace deskmark
