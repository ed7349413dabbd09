#include "perception/marks/controls.hpp"

#include <algorithm>

#include "perception/marks/fold.hpp"
#include "perception/marks/overlap.hpp"
#include "perception/marks/toolkit_rules.hpp"

namespace deskmark {

Controls find_controls(const Tree& tree, const std::vector<Sight>& sights) {
  const std::vector<bool> reach = in_reach(tree, sights);
  const auto count = static_cast<std::size_t>(tree.size());
  Controls found;
  found.of_node.assign(count, -1);
  found.row.assign(count, -1);

  const auto add = [&](int node, Part part, const DeviceRect& rect) -> Control& {
    const Sight& sight = sights[static_cast<std::size_t>(node)];
    Control c;
    c.node = c.actor = c.box = node;
    c.part = part;
    c.rect = rect;
    c.enabled = sight.enabled;
    c.live = sight.enabled && reach[static_cast<std::size_t>(node)];
    found.of_node[static_cast<std::size_t>(node)] = static_cast<int>(found.all.size());
    found.all.push_back(std::move(c));
    return found.all.back();
  };

  std::vector<int> row_at(count, -1);  // cell that comes first in the tree -> index in `rows`
  std::vector<Row> rows;
  for (const int i : tree.preorder()) {
    const Sight& sight = sights[static_cast<std::size_t>(i)];
    if (sight.visible.empty()) continue;
    if (has_rows_of_cells(tree.node(i)) && !is_grid(tree, i)) {
      for (Row& row : rows_of(tree, sights, i)) {
        const int first = *std::min_element(row.cells.begin(), row.cells.end(),
                                            [&](int a, int b) { return tree.enter(a) < tree.enter(b); });
        row_at[static_cast<std::size_t>(first)] = static_cast<int>(rows.size());
        rows.push_back(std::move(row));
      }
    }
    if (const int r = row_at[static_cast<std::size_t>(i)]; r >= 0) {
      Row& row = rows[static_cast<std::size_t>(r)];
      // The row acts through its first cell that has nothing of its own to do.
      const auto plain = std::find_if(row.cells.begin(), row.cells.end(),
                                      [&](int c) { return !acts_by_itself(tree, c) && !tree.node(c).name.empty(); });
      // A row of nothing but cells that are marked themselves leaves no place that means the row.
      const bool all_act =
          std::all_of(row.cells.begin(), row.cells.end(), [&](int c) { return acts_by_itself(tree, c); });
      if (!all_act) {
        const int lead = plain != row.cells.end() ? *plain
                                                  : *std::find_if(row.cells.begin(), row.cells.end(),
                                                                  [&](int c) { return !acts_by_itself(tree, c); });
        Control& control = add(lead, Part::Item, row.rect);
        control.cells = row.cells;
        const int index = static_cast<int>(found.all.size()) - 1;
        for (const int c : row.cells)
          found.of_node[static_cast<std::size_t>(c)] = found.row[static_cast<std::size_t>(c)] = index;
      }
    }
    const Part part = part_of(tree, i);
    if (part != Part::None) add(i, part, sight.visible);
  }
  fold_controls(tree, sights, found);
  uncover_controls(tree, sights, found);
  add_steppers(tree, sights, found);
  return found;
}

}  // namespace deskmark
