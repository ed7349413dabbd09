#include <array>

#include "schema/request.hpp"

namespace deskmark {
namespace {

// In the order of the enums.
constexpr std::array<std::string_view, 16> kActions{
    "capture",       "click",     "double_click", "right_click", "middle_click",
    "drag",          "scroll",    "type",         "key",         "set_value",
    "wait",          "list_apps", "list_windows", "focus_app",   "request_handoff",
    "wait_for_human"};
constexpr std::array<std::string_view, 3> kModes{"som", "vision", "ax"};

}  // namespace

std::string_view action_word(Action action) { return kActions[static_cast<std::size_t>(action)]; }

std::optional<Action> action_from_word(std::string_view word) {
  for (std::size_t i = 0; i < kActions.size(); ++i)
    if (kActions[i] == word) return static_cast<Action>(i);
  return std::nullopt;
}

std::string_view mode_word(Mode mode) { return kModes[static_cast<std::size_t>(mode)]; }

}  // namespace deskmark
