#include "src/engine/execute.hpp"

#include <utility>

#include "src/engine/choose.hpp"
#include "src/engine/process_life.hpp"

namespace deskmark {
namespace {

struct Executor {
  const Actor& actor;

  [[nodiscard]] InputSink* input() const { return actor.sinks.input; }
  [[nodiscard]] AccessibleSink& tree() const { return *actor.sinks.accessible; }
  [[nodiscard]] Delivery delivery() const { return actor.request.delivery; }
  [[nodiscard]] bool keep_front() const { return actor.request.bring_to_front; }
  [[nodiscard]] const Deadline& deadline() const { return actor.deadline; }
  static Delivered no_input() {
    return nothing_sent("background_unavailable", "This needs a pointer or keyboard, which cannot be had here.");
  }

  Delivered operator()(const DoAction& s) const { return tree().do_action(s.object, s.name, deadline()); }
  Delivered operator()(const SetText& s) const { return tree().set_text(s.object, s.text, deadline()); }
  Delivered operator()(const InsertText& s) const {
    return tree().insert_text(s.object, s.text, s.toolkit, deadline());
  }
  Delivered operator()(const SetNumber& s) const { return tree().set_number(s.object, s.value, deadline()); }
  Delivered operator()(const ChooseOption& s) const { return choose(tree(), s, deadline()); }
  Delivered operator()(const SelectItem& s) const { return tree().select_child(s.container, s.index, deadline()); }
  Delivered operator()(const OpenAndChoose& s) const { return open_and_choose(actor, s); }
  Delivered operator()(const KeysToOption& s) const { return keys_to_option(actor, s); }
  Delivered operator()(const ClickOption& s) const { return click_option(actor, s); }
  Delivered operator()(const FocusObject& s) const { return tree().focus(s.object, deadline()); }
  Delivered operator()(const PlaceCaret& s) const { return tree().place_caret(s.object, s.offset, deadline()); }
  Delivered operator()(const PointerClick& s) const {
    if (!input()) return no_input();
    return input()->click({actor.to.window, s.at}, s.button, s.count, s.held, delivery(), keep_front(),
                          actor.sinks.pacing, deadline());
  }
  Delivered operator()(const PointerDrag& s) const {
    if (!input() || !actor.from) return no_input();
    return input()->drag({actor.from->window, s.from}, {actor.to.window, s.to}, s.button, s.held, delivery(),
                         keep_front(), actor.sinks.pacing, deadline());
  }
  Delivered operator()(const PointerScroll& s) const {
    if (!input()) return no_input();
    return input()->scroll({actor.to.window, s.at}, s.direction, s.ticks, s.held, delivery(), keep_front(),
                           actor.sinks.pacing, deadline());
  }
  Delivered operator()(const PressKeys& s) const {
    if (!input()) return no_input();
    return input()->press(actor.to.window, s.combo, delivery(), keep_front(), actor.sinks.pacing, deadline());
  }
  Delivered operator()(const TypeText& s) const {
    if (!input()) return no_input();
    return input()->type(actor.to.window, s.text, delivery(), keep_front(), does_process_live_on(), actor.sinks.pacing,
                         deadline());
  }
};

bool by_tree(const Step& step) {
  return std::holds_alternative<DoAction>(step) || std::holds_alternative<SetText>(step) ||
         std::holds_alternative<InsertText>(step) || std::holds_alternative<SetNumber>(step) ||
         std::holds_alternative<ChooseOption>(step) || std::holds_alternative<SelectItem>(step) ||
         std::holds_alternative<FocusObject>(step) || std::holds_alternative<PlaceCaret>(step);
}

}  // namespace

Delivered nothing_sent(std::string code, std::string message) {
  Delivered out;
  out.code = std::move(code);
  out.message = std::move(message);
  return out;
}

Delivered execute(const Actor& actor, const Attempt& attempt) {
  const Executor executor{actor};
  Delivered last = nothing_sent("background_unavailable", "There is nothing to send.");
  const std::size_t total = attempt.steps.size();
  for (std::size_t i = 0; i < total; ++i) {
    if (std::holds_alternative<PlaceCaret>(attempt.steps[i])) {
      // Where the caret stands is a nicety: it neither makes nor breaks an attempt.
      if (actor.sinks.accessible) (void)std::visit(executor, attempt.steps[i]);
      continue;
    }
    if (actor.deadline.passed()) {
      last = nothing_sent("timeout", "The deadline passed before all was sent.");
    } else if (by_tree(attempt.steps[i]) && !actor.sinks.accessible) {
      last = nothing_sent("accessibility_unavailable", "The accessibility bus cannot be reached.");
    } else {
      last = std::visit(executor, attempt.steps[i]);
    }
    if (last.sent == Sent::All) continue;
    if (last.sent == Sent::Nothing && i > attempt.preparing) {
      last.sent = Sent::Part;
      last.route = std::string{route_word(attempt.route)};
    }
    if (last.sent == Sent::Part && last.total == 0) {
      last.completed = static_cast<int>(i);
      last.total = static_cast<int>(total);
    }
    return last;
  }
  return last;
}

}  // namespace deskmark
