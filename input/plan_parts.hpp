// What the parts of plan share. Private to plan*.cpp.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "input/plan.hpp"

namespace deskmark {

[[nodiscard]] Plan refused_plan(Code code, std::string message);
[[nodiscard]] Attempt pointer_attempt(const Request& request, Step step);
[[nodiscard]] Route key_route(const Request& request);
/// Steps after which keys sent to the window reach the object; none when they do already. A failure where that cannot
/// be had: a click would do more than focus, and the toolkit's own focusing raises windows.
[[nodiscard]] std::variant<std::vector<Step>, Failure> focus_steps(const Request& request, const ActTarget& to);
[[nodiscard]] Plan plan_set_value(const Request& request, const ActTarget& to);

}  // namespace deskmark
