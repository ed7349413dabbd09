// What the outline says of one thing, and in which order it meets things: functions of the tree and what is seen of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perception/marks/controls.hpp"

namespace deskmark {

/// The role word of a control: its object's, but for rows made of cells, which are rows.
[[nodiscard]] std::string control_word(const Tree& tree, const Control& control);

/// `push button "Save"`, then ` = "value"` and ` [states]` where there are any.
[[nodiscard]] std::string control_phrase(std::string_view role, std::string_view label,
                                         const std::optional<std::string>& value,
                                         const std::vector<std::string>& states);

/// `progress bar "Copying" = 40%` of an object that has a value.
[[nodiscard]] std::string amount_phrase(const Accessible& node, const std::string& name);

/// The visible cells of a table row, joined with ` | `; empty: none has words.
[[nodiscard]] std::string cells_phrase(const Tree& tree, const std::vector<Sight>& sights, int row);

/// The siblings from `first` on as a person meets them. Widget toolkits add children in any order; what is inside a
/// page (`in_page`) is in reading order already, and its inline text must not be shuffled.
[[nodiscard]] std::vector<int> siblings_as_met(const Tree& tree, const std::vector<Sight>& sights, int first,
                                               bool in_page);

[[nodiscard]] bool has_visible_text_below(const Tree& tree, const std::vector<Sight>& sights, int node);

}  // namespace deskmark
