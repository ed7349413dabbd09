// An action's outcome as the contract's reply. Pure.
#include "src/engine/act.hpp"

namespace deskmark {
namespace {

bool denies(Code code) {
  return code == Code::NotImplemented || code == Code::PolicyDenied || code == Code::ApprovalRequired ||
         code == Code::BlockedKeyCombo || code == Code::BlockedText || code == Code::HumanHasControl;
}

}  // namespace

OrderedJson action_reply(const Request& request, const Outcome& outcome) {
  const bool ok = outcome.effect == "planned" || outcome.effect == "confirmed" || outcome.effect == "suspected_noop" ||
                  (outcome.effect == "unverifiable" && !outcome.code);
  OrderedJson r;
  r["ok"] = ok;
  r["action"] = std::string{action_word(request.action)};
  r["message"] = valid_utf8(outcome.message);
  if (outcome.code) r["code"] = std::string{code_word(*outcome.code)};
  r["effect"] = outcome.effect;
  if (outcome.effect == "partial") {
    r["completed_steps"] = outcome.completed;
    r["total_steps"] = outcome.total;
  }
  if (!outcome.plan.empty()) r["plan"] = valid_utf8(outcome.plan);
  OrderedJson evidence = OrderedJson::array();
  for (const Evidence& e : outcome.evidence) {
    OrderedJson j;
    j["kind"] = e.kind;
    if (e.before) j["before"] = valid_utf8(*e.before);
    if (e.after) j["after"] = valid_utf8(*e.after);
    evidence.push_back(std::move(j));
  }
  r["evidence"] = std::move(evidence);
  if (!outcome.route.empty()) r["route"] = outcome.route;
  r["delivery_mode"] = request.delivery == Delivery::Foreground ? "foreground" : "background";
  r["verified"] = outcome.effect == "confirmed";
  if (outcome.recommended) {
    const std::string target = *outcome.recommended == "px" ? "pixel" : "foreground";
    r["escalation"] = {
        {"recommended", *outcome.recommended}, {"target", target}, {"reason", valid_utf8(outcome.message)}};
  }
  OrderedJson verdict;
  if (outcome.effect == "confirmed" || outcome.effect == "planned")
    verdict["decision"] = "done";
  else if (outcome.recommended)
    verdict["decision"] = "escalate";
  else if (outcome.code && denies(*outcome.code))
    verdict["decision"] = "deny";
  else
    verdict["decision"] = "verify_fresh_state";
  if (outcome.recommended) verdict["recommended"] = *outcome.recommended;
  if (outcome.code) verdict["hint"] = std::string{code_meaning(*outcome.code)};
  r["verdict"] = std::move(verdict);
  return r;
}

}  // namespace deskmark
