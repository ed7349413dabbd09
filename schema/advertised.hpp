// What the tool says of itself to a client: the schema of its arguments and its description, for what is allowed.
#pragma once

#include <string>

#include "schema/action_set.hpp"

namespace deskmark {

/// The schema that advertises `allowed` only: no other action, no property that only others read, no sentence that
/// names them. For all actions the frozen text itself, byte for byte; flat like it in every case.
[[nodiscard]] std::string tool_schema_text(ActionSet allowed);
/// The description for `allowed`.
[[nodiscard]] std::string tool_description(ActionSet allowed);

}  // namespace deskmark
