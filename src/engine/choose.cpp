#include "src/engine/choose.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <utility>

namespace deskmark {
namespace {

constexpr int kOptions = 2000;
constexpr std::chrono::milliseconds kOpening{1500};  // a menu fades in, a list fills
constexpr std::chrono::milliseconds kAgain{30};

std::string listed(const std::vector<std::string>& options) {
  std::string out;
  for (std::size_t i = 0; i < options.size() && i < 40; ++i) out += (i ? ", \"" : "\"") + options[i] + "\"";
  if (options.size() > 40) out += ", … (" + std::to_string(options.size()) + " in all)";
  return out;
}

std::string folded(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  return text;
}

/// Exactly, else in any case when only one fits; -1: none.
int fitting(const std::vector<std::string>& names, const std::string& label) {
  const auto exact = std::find(names.begin(), names.end(), label);
  if (exact != names.end()) return static_cast<int>(exact - names.begin());
  int found = -1;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (folded(names[i]) != folded(label)) continue;
    if (found >= 0) return -1;
    found = static_cast<int>(i);
  }
  return found;
}

constexpr std::array<const char*, 6> kChoosing{"click", "press", "select", "toggle", "activate", "jump"};

std::string choosing_action(const std::vector<std::string>& actions) {
  for (const char* name : kChoosing) {
    if (std::find(actions.begin(), actions.end(), name) != actions.end()) return name;
  }
  return "";
}

bool option_role(Role role) {
  switch (role) {
    case Role::MenuItem:
    case Role::CheckMenuItem:
    case Role::RadioMenuItem:
    case Role::ListItem:
    case Role::TreeItem:
    case Role::TableRow:
    case Role::TableCell: return true;
    default: return false;
  }
}

/// A mark that was not there before the object was opened: what it shows to choose from.
struct Shown {
  std::vector<std::string> names;
  std::vector<const Mark*> marks;
};

Shown options_shown(const FreshLook& before, const FreshLook& now) {
  Shown shown;
  for (const Mark& m : now.scene.marks) {
    if (m.node < 0) continue;
    const Accessible& node = now.observation.nodes[static_cast<std::size_t>(m.node)];
    const bool known = std::any_of(before.scene.marks.begin(), before.scene.marks.end(), [&](const Mark& b) {
      return b.node >= 0 && before.observation.nodes[static_cast<std::size_t>(b.node)].ref == node.ref;
    });
    if (known || !option_role(node.role)) continue;
    shown.names.push_back(m.label.empty() ? node.name : m.label);
    shown.marks.push_back(&m);
  }
  return shown;
}

}  // namespace

Delivered choose(AccessibleSink& sink, const ChooseOption& step, const Deadline& deadline) {
  const std::vector<Option> options = sink.options(step.object, kOptions, deadline);
  std::vector<std::string> names;
  for (const Option& o : options) names.push_back(o.name);
  const bool told = std::any_of(names.begin(), names.end(), [](const std::string& n) { return !n.empty(); });
  if (!told)
    return nothing_sent("background_unavailable",
                        "The element does not tell its options: open it with a click and capture again.");
  const int index = fitting(names, step.label);
  if (index < 0) return nothing_sent("no_such_option", "value: expected one of " + listed(names) + ".");
  const Option& chosen = options[static_cast<std::size_t>(index)];
  if (chosen.container_selects) {
    Delivered done = sink.select_child(step.object, index, deadline);
    if (done.sent != Sent::Nothing) return done;
  }
  const std::string action = choosing_action(chosen.actions);
  // "toggle" of a row (Qt) adds it to what is selected and leaves the current one where it was.
  const bool row = chosen.role == Role::ListItem || chosen.role == Role::TreeItem || chosen.role == Role::TableRow ||
                   chosen.role == Role::TableCell;
  // The option's own action before its list's selection: Chromium says yes to selecting in a closed list and does
  // nothing.
  if (!action.empty() && !(row && action == "toggle")) {
    Delivered done = sink.do_action(chosen.ref, action, deadline);
    if (done.sent != Sent::Nothing) return done;
  }
  if (chosen.parent_selects) {
    Delivered done = sink.select_child(chosen.parent, chosen.index_in_parent, deadline);
    if (done.sent != Sent::Nothing) return done;
  }
  return nothing_sent("background_unavailable",
                      "The option cannot be chosen through accessibility: open the element and click the option.");
}

Delivered open_and_choose(const Actor& actor, const OpenAndChoose& step) {
  const Request& request = actor.request;
  InputSink* const input = actor.sinks.input;
  if (!input && step.open.empty())
    return nothing_sent("background_unavailable", "Opening this needs a pointer, which cannot be had here.");
  const auto click = [&](const Window& window, DevicePoint at) {
    return input->click({window, at}, Button::Left, 1, {}, request.delivery, request.bring_to_front, actor.sinks.pacing,
                        actor.deadline);
  };
  Delivered opened = step.open.empty() ? click(actor.to.window, step.at)
                                       : actor.sinks.accessible->do_action(step.object, step.open, actor.deadline);
  if (opened.sent != Sent::All) return opened;
  const Deadline until = actor.deadline.at_most(kOpening);
  Shown shown;
  std::optional<FreshLook> now;
  do {
    auto look = look_again(actor.sources, actor.target, {}, actor.deadline);
    if (std::holds_alternative<Failure>(look)) break;
    now = std::get<FreshLook>(std::move(look));
    shown = options_shown(actor.before, *now);
    if (!shown.names.empty()) break;
    std::this_thread::sleep_for(kAgain);
  } while (!until.passed());
  const int index = fitting(shown.names, step.label);
  if (index < 0) {
    // Only what was seen to open is closed again: Escape would close a dialog.
    if (input && !shown.names.empty())
      (void)input->press(actor.to.window, std::get<KeyCombo>(parse_keys("Escape")), request.delivery, false,
                         actor.sinks.pacing, actor.deadline);
    if (!shown.names.empty())
      return nothing_sent("no_such_option", "value: expected one of " + listed(shown.names) + ".");
    Delivered part = opened;
    part.sent = Sent::Part;
    part.completed = 1;
    part.total = 2;
    part.message = "The element was clicked but shows no options.";
    return part;
  }
  const Mark& mark = *shown.marks[static_cast<std::size_t>(index)];
  const Accessible& option = now->observation.nodes[static_cast<std::size_t>(mark.node)];
  const Window* window = window_by_id(now->list, mark.surface ? mark.surface : actor.to.window.id);
  Delivered chosen;
  if (input && window) chosen = click(*window, mark.device.center());
  if (chosen.sent == Sent::Nothing && actor.sinks.accessible) {
    const std::string action = choosing_action(option.actions);
    if (!action.empty()) chosen = actor.sinks.accessible->do_action(option.ref, action, actor.deadline);
  }
  if (chosen.sent == Sent::Nothing) {
    chosen.sent = Sent::Part;
    chosen.route = opened.route;
    chosen.completed = 1;
    chosen.total = 2;
    if (chosen.message.empty()) chosen.message = "The element was opened but the option could not be clicked.";
  }
  return chosen;
}

namespace {

/// Browsers activate and raise their window when a part of it is asked to take the focus (measured: Chromium 156).
/// Where that would disturb the user, a click focuses a select as well, and opens nothing while its window is inactive.
Delivered focus_quietly(const Actor& actor, const ObjectRef& object) {
  AccessibleSink& tree = *actor.sinks.accessible;
  const auto focused = [&] {
    const auto now = tree.peek(object, actor.deadline);
    return now && now->states.has(State::Focused);
  };
  Delivered done;
  done.sent = Sent::All;
  if (focused()) return done;
  if (actor.request.delivery == Delivery::Foreground || (actor.to.window.focused && !actor.to.covered))
    return tree.focus(object, actor.deadline);
  done = actor.sinks.input->click({actor.to.window, actor.to.at}, Button::Left, 1, {}, actor.request.delivery,
                                  actor.request.bring_to_front, actor.sinks.pacing, actor.deadline);
  if (done.sent != Sent::All) return done;
  const Deadline until = actor.deadline.at_most(std::chrono::milliseconds{400});
  while (!focused()) {
    if (until.passed())
      return nothing_sent("background_unavailable", "The element does not take the focus: keys would go elsewhere.");
    std::this_thread::sleep_for(kAgain);
  }
  return done;
}

}  // namespace

Delivered keys_to_option(const Actor& actor, const KeysToOption& step) {
  constexpr int kMost = 60;  // presses; each takes a moment
  if (!actor.sinks.input || !actor.sinks.accessible)
    return nothing_sent("background_unavailable", "Choosing an option needs a keyboard, which cannot be had here.");
  AccessibleSink& tree = *actor.sinks.accessible;
  std::vector<std::string> names;
  for (const Option& o : tree.options(step.object, kOptions, actor.deadline)) names.push_back(o.name);
  const int index = fitting(names, step.label);
  if (index < 0 || index > kMost)
    return nothing_sent("background_unavailable", "Keys do not lead to this option: open the element and click it.");
  Delivered done = focus_quietly(actor, step.object);
  if (done.sent != Sent::All) return nothing_sent(done.code, done.message);
  for (int i = 0; i <= index; ++i) {
    const KeyCombo combo = std::get<KeyCombo>(parse_keys(i == 0 ? "Home" : "Down"));
    done = actor.sinks.input->press(actor.to.window, combo, actor.request.delivery, actor.request.bring_to_front,
                                    actor.sinks.pacing, actor.deadline);
    if (done.sent == Sent::All) continue;
    if (i > 0) done.sent = Sent::Part;
    return done;
  }
  return done;
}

Delivered click_option(const Actor& actor, const ClickOption& step) {
  if (!actor.sinks.input)
    return nothing_sent("background_unavailable", "Clicking an option needs a pointer, which cannot be had here.");
  const Observation& o = actor.before.observation;
  Shown shown;
  for (const Mark& m : actor.before.scene.marks) {
    for (int n = m.node; n >= 0; n = o.nodes[static_cast<std::size_t>(n)].parent) {
      if (o.nodes[static_cast<std::size_t>(n)].ref != step.container) continue;
      shown.names.push_back(m.label);
      shown.marks.push_back(&m);
      break;
    }
  }
  const int index = fitting(shown.names, step.label);
  if (index < 0) return nothing_sent("background_unavailable", "The option is not in view: scroll there and click it.");
  const Mark& mark = *shown.marks[static_cast<std::size_t>(index)];
  const Window* window = window_by_id(actor.before.list, mark.surface ? mark.surface : actor.to.window.id);
  return actor.sinks.input->click({window ? *window : actor.to.window, mark.device.center()}, Button::Left, 1, {},
                                  actor.request.delivery, actor.request.bring_to_front, actor.sinks.pacing,
                                  actor.deadline);
}

}  // namespace deskmark
