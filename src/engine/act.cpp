#include "src/engine/act.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <utility>

#include "src/engine/ends.hpp"
#include "src/engine/watch.hpp"

namespace deskmark {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kScrolling{1200};  // some toolkits glide

Outcome refused(const Failure& failure) {
  Outcome out;
  out.effect = "refused";
  out.code = failure.code;
  out.message = failure.message;
  if (failure.code == Code::BackgroundUnavailable) out.recommended = "foreground";
  return out;
}

Wanted wanted_of(const Request& request, const Plan& plan, const ActTarget& to) {
  Wanted wanted;
  wanted.promise = plan.promise;
  wanted.action = request.action;
  if (to.object)
    wanted.object = to.object->ref;
  else if (to.under)
    wanted.object = to.under->ref;
  if (request.action == Action::Type) wanted.text = request.text.value_or("");
  if (request.action == Action::SetValue) wanted.text = request.value.value_or("");
  // A part of a list was told to show another one: the list shows it.
  if (request.action == Action::SetValue && plan.promise == Promise::Selects && to.container && to.object &&
      !is_chooser(to.object->role))
    wanted.object = *to.container;
  if (plan.promise == Promise::ValueBecomes && to.object && to.object->value) {
    wanted.number = number_of(request.value.value_or("")).value_or(0);
    wanted.tolerance =
        std::max(to.object->value->increment / 2, (to.object->value->maximum - to.object->value->minimum) * 1e-3);
    if (to.object->role == Role::SpinButton)
      wanted.tolerance = to.object->value->increment > 0 ? wanted.tolerance : 0.5;
  }
  return wanted;
}

Outcome judged(const Wanted& wanted, Judgement judgement, const Delivered& delivered, bool at_mark) {
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
    out.message = delivered.message.empty() ? "Only a part of it was sent: look again." : delivered.message;
    out.code = code_from_word(delivered.code);
    out.completed = delivered.completed;
    out.total = delivered.total;
    return out;
  }
  // A click that had to put the caret somewhere may do so unseen: toolkits hide the focus of inactive windows.
  const bool visible_promise = wanted.promise != Promise::None && wanted.promise != Promise::Focuses && at_mark;
  if (judgement.kept || (wanted.promise == Promise::None && !out.evidence.empty())) {
    out.effect = "confirmed";
    out.message = "Done.";
  } else if (visible_promise && out.evidence.empty()) {
    out.effect = "suspected_noop";
    out.message =
        "It was sent, but nothing changed that should have: " + std::string{promise_word(wanted.promise)} + ".";
    out.recommended = delivered.route == "accessibility" ? "px" : "foreground";
  } else {
    out.effect = "unverifiable";
    out.message = "Sent; nothing tells whether it worked. Look again, do not repeat.";
  }
  return out;
}

/// Keys after which the focus may be elsewhere.
bool may_move_focus(const std::string& combo) {
  static constexpr std::array<std::string_view, 7> kMoving{"tab",    "iso_left_tab", "return", "kp_enter",
                                                           "escape", "menu",         "f10"};
  const auto plus = combo.find_last_of('+');
  const std::string key = plus == std::string::npos || plus + 1 == combo.size() ? combo : combo.substr(plus + 1);
  return combo.find("alt+") != std::string::npos || combo.find("super+") != std::string::npos || key == "f6" ||
         std::find(kMoving.begin(), kMoving.end(), key) != kMoving.end();
}

/// What is known of the caret after an action was sent.
void remember_keyboard(Keyboard& keyboard, const Request& request, const Snapshot& snapshot, const ActTarget& to,
                       const std::string& route) {
  const std::optional<Accessible>& object = to.object ? to.object : to.under;
  const bool through_tree = route == "accessibility";
  switch (request.action) {
    case Action::Click:
    case Action::DoubleClick:
    case Action::MiddleClick:
    case Action::Type:
    case Action::SetValue:
      if (object && is_field(*object)) {
        const bool same = keyboard.field == object->ref && keyboard.window == snapshot.target.window.id;
        keyboard = {object->ref, snapshot.target.window.id, !through_tree || to.has_focus || (same && keyboard.focused),
                    false, false};
      } else if (!through_tree && request.action != Action::Type) {
        keyboard.focused = false;  // the click may have taken the focus along
        keyboard.elsewhere = true;
      }
      return;
    case Action::Key:
      if (object && is_field(*object)) keyboard = {object->ref, snapshot.target.window.id, true, false, false};
      if (const auto combo = parse_keys(request.keys.value_or("")); std::holds_alternative<KeyCombo>(combo))
        keyboard.moved = keyboard.moved || may_move_focus(std::get<KeyCombo>(combo).canonical);
      return;
    default: return;
  }
}

/// Marks that were scrolled out since the capture: scrolled into view by their own program.
std::optional<FreshLook> scrolled_into_view(const Sources& sources, const Sinks& sinks, const Target& target,
                                            const Snapshot& snapshot, const std::optional<int>& element,
                                            const Deadline& deadline) {
  if (!element || !sinks.accessible) return std::nullopt;
  const Mark& mark = snapshot.scene.marks[static_cast<std::size_t>(*element - 1)];
  if (mark.node < 0) return std::nullopt;
  const Accessible& node = snapshot.observation.nodes[static_cast<std::size_t>(mark.node)];
  if (!sinks.accessible->alive(node.ref, deadline)) return std::nullopt;
  if (sinks.accessible->scroll_to(node.ref, deadline).sent != Sent::All) return std::nullopt;
  const Deadline until = deadline.at_most(kScrolling);
  std::optional<DevicePoint> at;
  do {
    auto look = look_again(sources, target, {}, deadline);
    if (!std::holds_alternative<FreshLook>(look)) return std::nullopt;
    const auto found = resolve_element(snapshot, std::get<FreshLook>(look), *element);
    if (const ActTarget* there = std::get_if<ActTarget>(&found)) {
      // Come to rest: twice at the same place.
      if (at == there->at) return std::get<FreshLook>(std::move(look));
      at = there->at;
    }
    std::this_thread::sleep_for(milliseconds{40});
  } while (!until.passed());
  return std::nullopt;
}

/// The window that is looked at: the captured one, or on a picture of the screen the one under the pixel.
std::variant<Target, Failure> looked_at(const Snapshot& snapshot, const Request& request) {
  if (snapshot.target.kind == TargetKind::Window) return snapshot.target;
  const auto pixel = request.from_coordinate ? request.from_coordinate : request.coordinate;
  if (!pixel)
    return Failure{Code::InvalidRequest, "The newest capture is of the screen: give coordinate, or capture a window."};
  if (pixel->x < 0 || pixel->y < 0 || pixel->x >= snapshot.scene.width || pixel->y >= snapshot.scene.height)
    return Failure{Code::InvalidRequest, "coordinate: expected a pixel of the newest picture."};
  const DevicePoint at = snapshot.scene.mapping.to_device({pixel->x, pixel->y});
  const Window* top = nullptr;
  for (const Window& w : snapshot.windows) {
    if (!w.minimized && !w.off_screen && w.bounds.contains(at) && (!top || w.z > top->z)) top = &w;
  }
  if (top) return Target{TargetKind::Window, *top, top->wm_class};
  return Failure{Code::StaleElement, "No window lies under that pixel. Capture again."};
}

bool has_place(const Request& request) {
  return request.element || request.coordinate || request.from_element || request.from_coordinate ||
         request.to_element || request.to_coordinate;
}

std::optional<std::string> whole_text(const Sinks& sinks, const Plan& plan, const ActTarget& to,
                                      const Deadline& deadline) {
  if (plan.promise != Promise::TextBecomes && plan.promise != Promise::TextGains) return std::nullopt;
  if (!to.object || !sinks.accessible || !to.object->interfaces.has(Iface::Text)) return std::nullopt;
  if (to.object->role == Role::PasswordText || to.object->role == Role::Terminal) return std::nullopt;
  return sinks.accessible->text(to.object->ref, deadline.at_most(milliseconds{1500}));
}

bool by_click(const Attempt& attempt) {
  return !attempt.steps.empty() && std::holds_alternative<PointerClick>(attempt.steps.back());
}

/// It goes to a place on the screen, whatever is there.
bool by_place(const Attempt& attempt) {
  return std::any_of(attempt.steps.begin(), attempt.steps.end(), [](const Step& step) {
    return std::holds_alternative<PointerClick>(step) || std::holds_alternative<PointerDrag>(step) ||
           std::holds_alternative<PointerScroll>(step) || std::holds_alternative<OpenAndChoose>(step);
  });
}

/// Why the ends of an action are not where they were any more; nothing when they are.
std::optional<Failure> elsewhere_now(const Sources& sources, const Request& request, const Target& target,
                                     const Snapshot& snapshot, const Keyboard& keyboard, const Ends& ends,
                                     const Deadline& deadline) {
  const auto look = look_again(sources, target, {}, deadline);
  if (const Failure* failure = std::get_if<Failure>(&look)) return *failure;
  const auto now = resolve_ends(request, snapshot, std::get<FreshLook>(look), keyboard);
  if (const Failure* failure = std::get_if<Failure>(&now)) return *failure;
  if (std::get<Ends>(now).to.at == ends.to.at) return std::nullopt;
  return Failure{Code::StaleElement, "The element moved while it was about to be acted on. Capture again."};
}

bool is_button(const FreshLook& look, const ObjectRef& object) {
  return std::any_of(look.observation.nodes.begin(), look.observation.nodes.end(), [&](const Accessible& a) {
    return a.ref == object && (a.role == Role::PushButton || a.role == Role::PushButtonMenu);
  });
}

}  // namespace

std::shared_ptr<const Snapshot> acting_on(const Engine::Client& client, const Request& request) {
  if (!has_place(request) && client.focused()) return client.focused();
  return client.newest();
}

Outcome act(const Sources& sources, const Sinks& sinks, const Request& request, bool dry_run, Engine::Client& client,
            const Deadline& deadline) {
  const auto snapshot = acting_on(client, request);
  if (!snapshot)
    return refused({Code::NoCapture, "There is no capture to act on (or the last one failed): capture first."});
  // Numbers out of range are refused before anything is read.
  for (const auto& element : {request.element, request.from_element, request.to_element}) {
    if (element && (*element < 1 || *element > static_cast<int>(snapshot->scene.marks.size()))) {
      return refused({Code::ElementNotFound, "element: the newest capture has marks 1.." +
                                                 std::to_string(snapshot->scene.marks.size()) + "."});
    }
  }
  const auto aimed = looked_at(*snapshot, request);
  if (const Failure* failure = std::get_if<Failure>(&aimed)) return refused(*failure);
  const Target& target = std::get<Target>(aimed);
  auto looked = look_again(sources, target, {}, deadline);
  if (const Failure* failure = std::get_if<Failure>(&looked)) return refused(*failure);
  FreshLook before = std::get<FreshLook>(std::move(looked));
  auto resolved = resolve_ends(request, *snapshot, before, client.keyboard);
  if (const Failure* failure = std::get_if<Failure>(&resolved);
      failure && !dry_run && (failure->code == Code::ElementGone || failure->code == Code::StaleElement)) {
    for (const auto& element : {request.element, request.from_element, request.to_element}) {
      auto again = scrolled_into_view(sources, sinks, target, *snapshot, element, deadline);
      if (!again) continue;
      before = std::move(*again);
      resolved = resolve_ends(request, *snapshot, before, client.keyboard);
    }
  }
  if (const Failure* failure = std::get_if<Failure>(&resolved)) return refused(*failure);
  const Ends& ends = std::get<Ends>(resolved);

  const Plan steps = plan(request, ends.from, ends.to);
  if (dry_run) {
    Outcome out;
    out.plan = describe(steps);
    if (steps.refusal) {
      out = refused(*steps.refusal);
    } else {
      out.effect = "planned";
      out.message = "Nothing was sent.\n" + out.plan;
    }
    return out;
  }
  if (steps.refusal) return refused(*steps.refusal);
  if (steps.already) {
    Outcome out;
    out.effect = "confirmed";
    out.message = "Nothing to do: it is so already.";
    out.route = std::string{route_word(Route::Accessibility)};
    out.evidence.push_back({"already", std::nullopt, request.value});
    return out;
  }

  const Actor actor{sources, sinks, request, target, ends.from, ends.to, before, deadline};
  const Wanted wanted = wanted_of(request, steps, ends.to);
  Beforehand known;
  known.text = whole_text(sinks, steps, ends.to, deadline);
  if (sinks.accessible && ends.to.object && ends.to.object->role == Role::PasswordText) {
    if (const auto peek = sinks.accessible->peek(ends.to.object->ref, deadline.at_most(milliseconds{500})))
      known.length = peek->text_length;
  }
  // What changed between the last look and this one, with nothing sent in between, changes by itself.
  const auto earlier = client.seen && client.seen->target.id == before.observation.target.id ? client.seen : nullptr;
  known.earlier = earlier.get();
  known.own_field = client.keyboard.field;
  std::optional<Outcome> outcome;
  Delivered last = nothing_sent("background_unavailable", "There is no way to do this in the background here.");
  for (const Attempt& attempt : steps.ladder) {
    // A rung that could not be sent may have failed because the object is just gone: what goes to its place is asked
    // for again, or it would meet what is there now.
    if (&attempt != &steps.ladder.front() && !outcome && by_place(attempt)) {
      if (const auto failure = elsewhere_now(sources, request, target, *snapshot, client.keyboard, ends, deadline))
        return refused(*failure);
    }
    std::optional<PressWatch> presses;
    if (sinks.accessible && by_click(attempt) && is_button(before, wanted.object))
      presses.emplace(sinks.accessible, wanted.object, deadline);
    Delivered delivered = execute(actor, attempt);
    known.pressed = presses && presses->went_down();
    if (delivered.sent == Sent::Nothing) {
      // Wrong on every rung, or too late for any.
      const bool final =
          delivered.code == "no_such_option" || delivered.code == "timeout" || delivered.code == "untypable_text";
      last = std::move(delivered);
      if (final) break;
      continue;
    }
    client.seen = nullptr;
    if (delivered.route.empty()) delivered.route = std::string{route_word(attempt.route)};
    remember_keyboard(client.keyboard, request, *snapshot, ends.to, delivered.route);
    known.more_rungs = steps.repeatable && &attempt != &steps.ladder.back();
    Watched watched = watch(actor, wanted, known);
    client.seen = watched.last;
    const bool kept = watched.judgement.kept;
    outcome = judged(wanted, std::move(watched.judgement), delivered, ends.to.object.has_value());
    if (deadline.passed() && outcome->effect != "confirmed" && outcome->effect != "partial") {
      outcome->effect = "unverifiable";
      outcome->code = Code::OutcomeUnknown;
      outcome->message = "It was sent, but the deadline passed before an effect was seen: look again, do not repeat.";
      outcome->recommended.reset();
    }
    if (kept || !steps.repeatable || delivered.sent == Sent::Unknown || deadline.passed()) break;
  }
  if (outcome) return *outcome;
  return refused({code_from_word(last.code).value_or(Code::BackgroundUnavailable), last.message});
}

}  // namespace deskmark
