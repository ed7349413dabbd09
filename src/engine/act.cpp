#include "src/engine/act.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "src/engine/execute.hpp"
#include "src/engine/resolve.hpp"

namespace deskmark {
namespace {

using std::chrono::milliseconds;

/// How long an effect is watched for. A promise is worth more patience than a click that may do anything.
constexpr milliseconds kWatchPromise{1200};
constexpr milliseconds kWatchAny{500};

Outcome refused(const Failure& failure) {
  Outcome out;
  out.effect = "refused";
  out.code = failure.code;
  out.message = failure.message;
  if (failure.code == Code::BackgroundUnavailable) out.recommended = "foreground";
  return out;
}

bool is_field(const Accessible& a) {
  return a.states.has(State::Editable) || a.role == Role::Entry || a.role == Role::PasswordText ||
         a.role == Role::Terminal;
}

/// The field that text goes to when the request names none: the one deskmark last used in this window, else the one
/// with the focus.
std::variant<ActTarget, Failure> focused_field(const Snapshot& snapshot, const FreshLook& now, const ObjectRef& last) {
  const Observation& o = now.observation;
  ActTarget target;
  target.window = o.target;
  target.at = o.target.bounds.center();
  if (o.nodes.empty()) return target;  // no tree: the window takes keys as a whole
  const auto found = [&](auto test) {
    return std::find_if(o.nodes.begin(), o.nodes.end(), [&](const Accessible& a) { return is_field(a) && test(a); });
  };
  auto it = last.null() ? o.nodes.end() : found([&](const Accessible& a) { return a.ref == last; });
  if (it == o.nodes.end()) it = found([](const Accessible& a) { return a.states.has(State::Focused); });
  if (it == o.nodes.end()) {
    // A toolkit drops FOCUSED when its window is inactive; the capture may have seen it.
    for (const Accessible& a : snapshot.observation.nodes) {
      if (!is_field(a) || !a.states.has(State::Focused)) continue;
      it = found([&](const Accessible& b) { return b.ref == a.ref; });
      break;
    }
  }
  if (it == o.nodes.end()) {
    return Failure{Code::NoFocusedField,
                   "No field of this window is known to have the caret: click one first, or give element."};
  }
  target.object = *it;
  target.role = it->role;
  if (!it->extents.empty()) target.at = it->extents.center();
  return target;
}

std::variant<ActTarget, Failure> resolve_end(const Snapshot& snapshot, const FreshLook& now,
                                             const std::optional<int>& element, const std::optional<Pixel>& pixel) {
  if (element) return resolve_element(snapshot, now, *element);
  if (pixel) return resolve_pixel(snapshot, now, *pixel);
  ActTarget target;
  target.window = now.observation.target;
  target.at = target.window.bounds.center();
  return target;
}

struct Ends {
  std::optional<ActTarget> from;
  ActTarget to;
};

std::variant<Ends, Failure> resolve_ends(const Request& request, const Snapshot& snapshot, const FreshLook& now,
                                         const ObjectRef& last_field) {
  Ends ends;
  if (request.action == Action::Drag) {
    auto from = resolve_end(snapshot, now, request.from_element, request.from_coordinate);
    if (const Failure* failure = std::get_if<Failure>(&from)) return *failure;
    auto to = resolve_end(snapshot, now, request.to_element, request.to_coordinate);
    if (const Failure* failure = std::get_if<Failure>(&to)) return *failure;
    ends.from = std::get<ActTarget>(std::move(from));
    ends.to = std::get<ActTarget>(std::move(to));
    return ends;
  }
  const bool keyboard = request.action == Action::Type;
  auto to = keyboard && !request.element ? focused_field(snapshot, now, last_field)
                                         : resolve_end(snapshot, now, request.element, request.coordinate);
  if (const Failure* failure = std::get_if<Failure>(&to)) return *failure;
  ends.to = std::get<ActTarget>(std::move(to));
  return ends;
}

Wanted wanted_of(const Request& request, const Plan& plan, const ActTarget& to) {
  Wanted wanted;
  wanted.promise = plan.promise;
  if (to.object) wanted.object = to.object->ref;
  if (request.action == Action::Type) wanted.text = request.text.value_or("");
  if (request.action == Action::SetValue) wanted.text = request.value.value_or("");
  if (plan.promise == Promise::ValueBecomes && to.object && to.object->value) {
    wanted.number = std::strtod(request.value.value_or("0").c_str(), nullptr);
    wanted.tolerance =
        std::max(to.object->value->increment / 2, (to.object->value->maximum - to.object->value->minimum) * 1e-3);
  }
  if (plan.promise == Promise::Selects && request.action != Action::SetValue) wanted.text.clear();
  return wanted;
}

bool held_down(const Observation& o, const ObjectRef& object) {
  return std::any_of(o.nodes.begin(), o.nodes.end(), [&](const Accessible& a) {
    return a.ref == object && a.role == Role::PushButton && a.states.has(State::Pressed);
  });
}

/// Watches the window until the promise is kept, something that the action explains changed, or the time is up.
Judgement watch(const Sources& sources, const Snapshot& snapshot, const FreshLook& before, const Wanted& wanted,
                const Deadline& deadline) {
  const Deadline until = deadline.at_most(wanted.promise == Promise::None ? kWatchAny : kWatchPromise);
  Judgement judgement;
  bool was_held = false;
  do {
    auto look = look_again(sources, snapshot, false, deadline);
    if (const Failure* failure = std::get_if<Failure>(&look)) {
      if (failure->code == Code::WindowGone)
        judgement.evidence.push_back({"window_closed", before.observation.target.title, std::nullopt});
      return judgement;
    }
    const Observation& now = std::get<FreshLook>(look).observation;
    judgement = judge(wanted, snapshot.observation, before.observation, now);
    // A button that is held down has taken the click but not acted on it yet (Qt presses for 100 ms): wait for it to
    // come up.
    if (wanted.promise == Promise::None && held_down(now, wanted.object)) {
      was_held = true;
      continue;
    }
    if (was_held && judgement.evidence.empty()) judgement.evidence.push_back({"pressed", "no", "yes, then released"});
    if (judgement.kept || (wanted.promise == Promise::None && !judgement.evidence.empty())) return judgement;
  } while (!until.passed());
  return judgement;
}

Outcome judged(const Wanted& wanted, Judgement judgement, const Delivered& delivered) {
  Outcome out;
  out.route = delivered.route;
  out.evidence = std::move(judgement.evidence);
  if (delivered.sent == Sent::Unknown) {
    out.effect = judgement.kept ? "confirmed" : "unverifiable";
    if (!judgement.kept) out.code = Code::OutcomeUnknown;
    out.message = judgement.kept ? "Done: " + std::string{promise_word(wanted.promise)} + "."
                                 : "It was sent, but no answer came: look again, do not repeat.";
    return out;
  }
  if (delivered.sent == Sent::Part) {
    out.effect = "partial";
    out.message = delivered.message;
    return out;
  }
  if (judgement.kept || (wanted.promise == Promise::None && !out.evidence.empty())) {
    out.effect = "confirmed";
    out.message = "Done.";
  } else if (wanted.promise != Promise::None && out.evidence.empty()) {
    out.effect = "suspected_noop";
    out.message =
        "It was sent, but nothing changed that should have: " + std::string{promise_word(wanted.promise)} + ".";
    out.recommended = "foreground";
  } else {
    out.effect = "unverifiable";
    out.message = "Sent; nothing tells whether it worked. Look again, do not repeat.";
  }
  return out;
}

}  // namespace

Outcome act(const Sources& sources, const Sinks& sinks, const Request& request, Engine::Client& client,
            const Deadline& deadline) {
  const auto snapshot = client.newest();
  if (!snapshot)
    return refused({Code::NoCapture, "There is no capture to act on (or the last one failed): capture first."});
  // Numbers out of range are refused before anything is read.
  for (const auto& element : {request.element, request.from_element, request.to_element}) {
    if (element && (*element < 1 || *element > static_cast<int>(snapshot->scene.marks.size()))) {
      return refused({Code::ElementNotFound, "element: the newest capture has marks 1.." +
                                                 std::to_string(snapshot->scene.marks.size()) + "."});
    }
  }
  auto looked = look_again(sources, *snapshot, false, deadline);
  if (const Failure* failure = std::get_if<Failure>(&looked)) return refused(*failure);
  const FreshLook& before = std::get<FreshLook>(looked);
  auto resolved = resolve_ends(request, *snapshot, before, client.last_field);
  if (const Failure* failure = std::get_if<Failure>(&resolved)) return refused(*failure);
  const Ends& ends = std::get<Ends>(resolved);

  const Plan steps = plan(request, ends.from, ends.to);
  if (steps.refusal) return refused(*steps.refusal);
  if (steps.already) {
    Outcome out;
    out.effect = "confirmed";
    out.message = "Nothing to do: it is so already.";
    out.route = std::string{route_word(Route::Accessibility)};
    out.evidence.push_back({"already", std::nullopt, request.value});
    return out;
  }
  const Delivered delivered = execute(sinks, steps, request, ends.from, ends.to, deadline);
  if (ends.to.object && is_field(*ends.to.object) && delivered.sent != Sent::Nothing)
    client.last_field = ends.to.object->ref;
  if (delivered.sent == Sent::Nothing) {
    return refused({code_from_word(delivered.code).value_or(Code::BackgroundUnavailable), delivered.message});
  }
  const Wanted wanted = wanted_of(request, steps, ends.to);
  return judged(wanted, watch(sources, *snapshot, before, wanted, deadline), delivered);
}

OrderedJson action_reply(const Request& request, const Outcome& outcome) {
  const bool ok = outcome.effect == "confirmed" || outcome.effect == "suspected_noop" ||
                  (outcome.effect == "unverifiable" && !outcome.code);
  OrderedJson r;
  r["ok"] = ok;
  r["action"] = std::string{action_word(request.action)};
  r["message"] = valid_utf8(outcome.message);
  if (outcome.code) r["code"] = std::string{code_word(*outcome.code)};
  r["effect"] = outcome.effect;
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
  if (outcome.effect == "confirmed")
    verdict["decision"] = "done";
  else if (outcome.recommended)
    verdict["decision"] = "escalate";
  else if (outcome.code && (*outcome.code == Code::NotImplemented || *outcome.code == Code::PolicyDenied))
    verdict["decision"] = "deny";
  else
    verdict["decision"] = "verify_fresh_state";
  if (outcome.recommended) verdict["recommended"] = *outcome.recommended;
  if (outcome.code) verdict["hint"] = std::string{code_meaning(*outcome.code)};
  r["verdict"] = std::move(verdict);
  return r;
}

}  // namespace deskmark
