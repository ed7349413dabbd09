// How the outline treats a role: what is a line, a group, a value, or silent.
#pragma once

#include <string_view>

#include "perception/model/accessible.hpp"

namespace deskmark {

/// Containers that are worth a line of their own even without a name.
[[nodiscard]] bool opens_a_section(Role role);
/// Containers whose name, where they have one, says what their contents are.
[[nodiscard]] bool is_named_group(Role role);
/// Read-only amounts.
[[nodiscard]] bool shows_amount(Role role);
/// Says nothing to a reader.
[[nodiscard]] bool is_silent(Role role);
/// Text that only decorates: bullets and separators.
[[nodiscard]] bool is_ornament(std::string_view text);

}  // namespace deskmark
