// Which nodes a person can act on, and as what: a judgement by role, states and action names; docs/marks.md says it in
// words.
#pragma once

#include <cstdint>

#include "perception/marks/tree.hpp"

namespace deskmark {

/// What kind of control a node is; decides how its parts fold into it and where its label and value come from.
enum class Part : std::uint8_t {
  None,
  Button,  ///< anything that is pressed: buttons, check boxes, links, menu items, icons, sortable column headers
  Tab,     ///< page tab; what it holds may be its page
  Field,   ///< text that is edited or selected: entries, text areas, terminals
  Combo,
  Spin,
  Range,    ///< slider, scroll bar, dial
  Item,     ///< row of a list, tree or table that is one object
  Cell,     ///< cell that is acted on by itself
  Generic,  ///< a container or image that declares a click of its own
};

[[nodiscard]] Part part_of(const Tree& tree, int i);

/// The container's rows are made of cells that share a line (there is no object for a row).
[[nodiscard]] bool has_rows_of_cells(const Accessible& container);
/// Such a container whose cells are chosen one by one: a spreadsheet, a table with row headers, a palette or calendar.
[[nodiscard]] bool is_grid(const Tree& tree, int container);
/// A cell of a row with something of its own to do, as far as the toolkit tells: a toggle, an edit.
[[nodiscard]] bool acts_by_itself(const Tree& tree, int cell);

}  // namespace deskmark
