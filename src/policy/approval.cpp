#include "src/policy/approval.hpp"

namespace deskmark {
namespace {

const char* scope_word(Scope scope) {
  switch (scope) {
    case Scope::None: return "none";
    case Scope::Background: return "background";
    case Scope::Foreground: return "foreground";
    case Scope::All: return "all";
  }
  return "all";
}

}  // namespace

Scope needed_scope(const Request& request) {
  switch (request.action) {
    case Action::Capture:
    case Action::ListApps:
    case Action::ListWindows:
    case Action::Wait:
    case Action::RequestHandoff:
    case Action::WaitForHuman: return Scope::None;
    default: break;
  }
  if (request.bring_to_front || request.raise_window) return Scope::All;
  return request.delivery == Delivery::Foreground ? Scope::Foreground : Scope::Background;
}

std::optional<Scope> scope_from_word(const std::string& word) {
  for (const Scope scope : {Scope::None, Scope::Background, Scope::Foreground, Scope::All}) {
    if (word == scope_word(scope)) return scope;
  }
  return std::nullopt;
}

std::optional<Failure> check_approval(const Request& request, Scope approved) {
  const Scope needed = needed_scope(request);
  if (needed <= approved) return std::nullopt;
  return Failure{Code::ApprovalRequired, "The action " + std::string{action_word(request.action)} +
                                             " needs approval for \"" + scope_word(needed) +
                                             "\": start deskmark with --approve " + scope_word(needed) + "."};
}

}  // namespace deskmark
