#include "src/engine/execute.hpp"

#include <algorithm>
#include <utility>

#include "src/engine/act.hpp"

namespace deskmark {
namespace {

constexpr int kOptions = 2000;

Delivered nothing(std::string code, std::string message) {
  Delivered out;
  out.code = std::move(code);
  out.message = std::move(message);
  return out;
}

std::string listed(const std::vector<Option>& options) {
  std::string out;
  for (std::size_t i = 0; i < options.size() && i < 40; ++i) out += (i ? ", \"" : "\"") + options[i].name + "\"";
  if (options.size() > 40) out += ", … (" + std::to_string(options.size()) + " in all)";
  return out;
}

std::string folded(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  return text;
}

/// Chooses by label: exactly, else in any case when only one fits.
Delivered choose(AccessibleSink& sink, const ChooseOption& step, const Deadline& deadline) {
  const std::vector<Option> options = sink.options(step.object, kOptions, deadline);
  const Option* chosen = nullptr;
  for (const Option& o : options) {
    if (o.name == step.label) {
      chosen = &o;
      break;
    }
  }
  if (!chosen) {
    int fitting = 0;
    for (const Option& o : options) {
      if (folded(o.name) != folded(step.label)) continue;
      chosen = &o;
      ++fitting;
    }
    if (fitting != 1) chosen = nullptr;
  }
  if (!chosen) {
    if (options.empty())
      return nothing("background_unavailable",
                     "The element does not tell its options: open it with a click and capture again.");
    return nothing("no_such_option", "value: expected one of " + listed(options) + ".");
  }
  if (chosen->container_selects) {
    Delivered done = sink.select_child(step.object, static_cast<int>(chosen - options.data()), deadline);
    if (done.sent != Sent::Nothing) return done;
  }
  if (chosen->parent_selects) {
    Delivered done = sink.select_child(chosen->parent, chosen->index_in_parent, deadline);
    if (done.sent != Sent::Nothing) return done;
  }
  for (const char* name : {"click", "press", "select", "toggle", "activate", "jump"}) {
    if (std::find(chosen->actions.begin(), chosen->actions.end(), name) == chosen->actions.end()) continue;
    return sink.do_action(chosen->ref, name, deadline);
  }
  return nothing(
      "background_unavailable",
      "The option cannot be chosen through accessibility: open the element with a click and click the option.");
}

struct Executor {
  const Sinks& sinks;
  const Request& request;
  const std::optional<ActTarget>& from;
  const ActTarget& to;
  const Deadline& deadline;

  [[nodiscard]] bool keep_front() const { return request.bring_to_front; }
  static Delivered no_pointer() {
    return nothing("background_unavailable", "This needs a pointer or keyboard, which this build cannot deliver yet.");
  }
  [[nodiscard]] PointerPlace place(const ActTarget& target, DevicePoint at) const { return {target.window, at}; }

  Delivered operator()(const DoAction& s) const { return sinks.accessible->do_action(s.object, s.name, deadline); }
  Delivered operator()(const SetText& s) const { return sinks.accessible->set_text(s.object, s.text, deadline); }
  Delivered operator()(const InsertText& s) const { return sinks.accessible->insert_text(s.object, s.text, deadline); }
  Delivered operator()(const SetNumber& s) const { return sinks.accessible->set_number(s.object, s.value, deadline); }
  Delivered operator()(const ChooseOption& s) const { return choose(*sinks.accessible, s, deadline); }
  Delivered operator()(const SelectItem& s) const {
    return sinks.accessible->select_child(s.container, s.index, deadline);
  }
  Delivered operator()(const FocusObject& s) const { return sinks.accessible->focus(s.object, deadline); }
  Delivered operator()(const PointerClick& s) const {
    if (!sinks.input) return no_pointer();
    return sinks.input->click(place(to, s.at), s.button, s.count, s.held, request.delivery, keep_front(), {}, deadline);
  }
  Delivered operator()(const PointerDrag& s) const {
    if (!sinks.input || !from) return no_pointer();
    return sinks.input->drag(place(*from, s.from), place(to, s.to), s.button, s.held, request.delivery, keep_front(),
                             {}, deadline);
  }
  Delivered operator()(const PointerScroll& s) const {
    if (!sinks.input) return no_pointer();
    return sinks.input->scroll(place(to, s.at), s.direction, s.ticks, s.held, request.delivery, keep_front(), {},
                               deadline);
  }
  Delivered operator()(const PressKeys& s) const {
    if (!sinks.input) return no_pointer();
    return sinks.input->press(to.window, s.combo, request.delivery, keep_front(), {}, deadline);
  }
  Delivered operator()(const TypeText& s) const {
    if (!sinks.input) return no_pointer();
    return sinks.input->type(to.window, s.text, request.delivery, keep_front(), false, {}, deadline);
  }
};

bool accessible_step(const Step& step) {
  return std::holds_alternative<DoAction>(step) || std::holds_alternative<SetText>(step) ||
         std::holds_alternative<InsertText>(step) || std::holds_alternative<SetNumber>(step) ||
         std::holds_alternative<ChooseOption>(step) || std::holds_alternative<SelectItem>(step) ||
         std::holds_alternative<FocusObject>(step);
}

}  // namespace

Delivered execute(const Sinks& sinks, const Plan& plan, const Request& request, const std::optional<ActTarget>& from,
                  const ActTarget& to, const Deadline& deadline) {
  Delivered last = nothing("background_unavailable", "There is no way to do this in the background here.");
  const Executor executor{sinks, request, from, to, deadline};
  for (const Attempt& attempt : plan.ladder) {
    if (deadline.passed()) return nothing("timeout", "The deadline passed before anything was sent.");
    Delivered delivered;
    for (const Step& step : attempt.steps) {
      if (accessible_step(step) && !sinks.accessible) continue;
      delivered = std::visit(executor, step);
      if (delivered.sent != Sent::All) break;
    }
    if (delivered.sent != Sent::Nothing) return delivered;
    last = std::move(delivered);
    // A wrong option or number is wrong on every rung.
    if (last.code == "no_such_option") return last;
  }
  return last;
}

}  // namespace deskmark
