// One entry per control in the picture, before numbering: what folds into it, where it is, which object acts for it.
#pragma once

#include <vector>

#include "perception/marks/interactive.hpp"
#include "perception/marks/visibility.hpp"

namespace deskmark {

struct Control {
  int node = -1;   ///< the object it is named after: role, states, label
  int actor = -1;  ///< the object to act on; `node` unless a part of it carries the action
  int box = -1;    ///< the object whose rectangle it has; `node` unless a part of it is all that reacts
  Part part = Part::None;
  DeviceRect rect;    ///< visible part, device pixels
  bool live = false;  ///< enabled, and not locked by an open menu or modal dialog: gets a number
  bool enabled = false;
  std::vector<int> cells;  ///< of a row that has no object of its own: its cells, left to right
  int field = -1;          ///< text object that holds its value: the entry of a combo box or spin button
  int stepper = 0;         ///< -1, +1: the button of a spin button that has no object of its own
  bool split = false;      ///< the entry is a mark of its own: this one is only the arrow beside it
};

struct Controls {
  std::vector<Control> all;  ///< in tree order
  std::vector<int> of_node;  ///< per node: index in `all` of the control it is, or is folded into; -1
  std::vector<int> row;      ///< per node: index in `all` of the row it is a cell of, be it a control itself or not; -1
  std::vector<int> owner;    ///< per node: index in `all` of the innermost control around or at it; -1
};

/// Nodes that something open keeps from being used: per node, true when it may be marked.
[[nodiscard]] std::vector<bool> in_reach(const Tree& tree, const std::vector<Sight>& sights);

/// Finds the visible controls and folds each one's parts into it (contract: one mark for one control).
[[nodiscard]] Controls find_controls(const Tree& tree, const std::vector<Sight>& sights);

/// Spin buttons of GTK 4 have two buttons that no object stands for: they become controls of their own, by their usual
/// size.
void add_steppers(const Tree& tree, const std::vector<Sight>& sights, Controls& controls);

/// Rows of a container whose cells have no row object: cells grouped by the line they share.
struct Row {
  std::vector<int> cells;  ///< left to right
  DeviceRect rect;         ///< the drawn row, clipped
};
[[nodiscard]] std::vector<Row> rows_of(const Tree& tree, const std::vector<Sight>& sights, int container);

}  // namespace deskmark
