// Profiles: which actions there are at all. Read at start; nothing in a request changes them. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "schema/action_set.hpp"

namespace deskmark {

/// full: everything. desktop-only: without the hand-off to a person, for desktops nobody sits at. observation-only:
/// capture, lists and wait. Nothing for another name.
[[nodiscard]] std::optional<ActionSet> profile_actions(std::string_view name);
inline constexpr std::string_view kProfileNames = "full, desktop-only, observation-only";

/// An allow-list as written; the problem in words for an unknown action, one given twice, or none at all.
[[nodiscard]] std::variant<ActionSet, std::string> allow_list(const std::vector<std::string>& words);

/// policy_denied when `arguments` ask for an action that is known but not in `allowed`, whatever else is wrong with
/// them, or for a capture after it where captures are not allowed.
[[nodiscard]] std::optional<Failure> denied_by_profile(const nlohmann::json& arguments, ActionSet allowed);

}  // namespace deskmark
