#include "src/policy/profile.hpp"

#include <nlohmann/json.hpp>

#include "schema/wording.hpp"

namespace deskmark {

std::optional<ActionSet> profile_actions(std::string_view name) {
  ActionSet set = ActionSet::all();
  if (name == "full") return set;
  if (name == "desktop-only") {
    set.remove(Action::RequestHandoff);
    set.remove(Action::WaitForHuman);
    return set;
  }
  if (name == "observation-only")
    return ActionSet{Action::Capture, Action::Wait, Action::ListApps, Action::ListWindows};
  return std::nullopt;
}

std::variant<ActionSet, std::string> allow_list(const std::vector<std::string>& words) {
  ActionSet set;
  for (const std::string& word : words) {
    const auto action = action_from_word(word);
    if (!action) return "there is no action " + shown(std::string_view{word});
    if (set.has(*action)) return word + " is given twice";
    set.add(*action);
  }
  if (set.empty()) return "expected at least one action";
  return set;
}

std::optional<Failure> denied_by_profile(const nlohmann::json& arguments, ActionSet allowed) {
  if (!arguments.is_object()) return std::nullopt;
  const auto word = arguments.find("action");
  if (word == arguments.end() || !word->is_string()) return std::nullopt;
  const auto action = action_from_word(word->get_ref<const std::string&>());
  if (!action) return std::nullopt;
  if (!allowed.has(*action)) {
    return Failure{Code::PolicyDenied, "The action " + std::string{action_word(*action)} +
                                           " is not allowed by the profile this deskmark was started with."};
  }
  const auto after = arguments.find("capture_after");
  if (!allowed.has(Action::Capture) && after != arguments.end() && after->is_boolean() && after->get<bool>()) {
    return Failure{Code::PolicyDenied,
                   "capture_after: captures are not allowed by the profile this deskmark was started with."};
  }
  return std::nullopt;
}

}  // namespace deskmark
