// What the toolkits mean by the states and shapes they report, as questions about one node. Measured on GTK 3.24,
// GTK 4.8, Qt 5.15 and 6.4 and Chromium; each rule in the .cpp says which quirk it answers.
#pragma once

#include <string_view>

#include "perception/marks/tree.hpp"

namespace deskmark {

/// Web engines: children may overflow their parents, tree order is reading order.
[[nodiscard]] bool is_web(Toolkit toolkit);
[[nodiscard]] bool is_qt(Toolkit toolkit);

/// Its own states do not hide it (ancestors are the caller's matter).
[[nodiscard]] bool drawn_by_state(const Tree& tree, int i);
/// Its own states do not grey it out.
[[nodiscard]] bool enabled_by_state(const Accessible& node);

[[nodiscard]] bool is_table_header(Role role);
/// Nothing of its children is drawn outside its rectangle.
[[nodiscard]] bool clips_children(const Accessible& node);
[[nodiscard]] bool scrolls_under_headers(const Accessible& node);
/// Of two parts that float the one of the higher layer is drawn over the other; 0: not told, tree order decides.
[[nodiscard]] int layer_of(const Accessible& node);
/// Drawn over what else is in the same window: popovers, in-page dialogs and menus.
[[nodiscard]] bool floats_above(const Tree& tree, int i);
/// May be drawn in a popup window although its parent is not.
[[nodiscard]] bool opens_in_own_window(const Tree& tree, int i);

/// Activation action: what a click does, by its normalised name. GTK 4's `clipboard.copy` and the like are none, nor is
/// an ancestor's click that a text leaf repeats.
[[nodiscard]] bool is_activation(std::string_view action);
[[nodiscard]] bool has_activation(const Accessible& node);
[[nodiscard]] bool has_action(const Accessible& node, std::string_view name);
[[nodiscard]] bool is_password(const Accessible& node);
/// Value of an attribute, empty when there is none.
[[nodiscard]] std::string_view attribute(const Accessible& node, const char* key);

}  // namespace deskmark
