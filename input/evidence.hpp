// Evidence: what two looks at a window, before and after an action, show to have changed. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "input/plan.hpp"
#include "perception/model/observation.hpp"

namespace deskmark {

/// One observed change. Texts of fields are told by length: evidence is logged.
struct Evidence {
  std::string
      kind;  ///< checked, pressed, selected, expanded, focused, text, caret, value, name, window_opened…, content
  std::optional<std::string> before;
  std::optional<std::string> after;
};

/// What was asked for, in the terms of the observation.
struct Wanted {
  Promise promise = Promise::None;
  Action action = Action::Click;
  ObjectRef object;
  std::string text;      ///< TextBecomes, TextGains; Selects by option: its label
  double number = 0;     ///< ValueBecomes
  double tolerance = 0;  ///< of `number`: half a step
};

/// One look: the window with its popups and dialogs, and all windows of the screen.
struct Seen {
  const Observation& observation;
  const std::vector<Window>& windows;
};

struct Judgement {
  bool kept = false;               ///< the promise is seen to be kept
  std::vector<Evidence> evidence;  ///< changes that the action explains
  /// Objects elsewhere whose number went on, as a clock's or a meter's does by itself, and what they show: evidence
  /// only if they rest afterwards.
  std::map<ObjectRef, std::string> ticking;
};

/// `earlier` is an older look than `before`, nothing was sent in between: what already changed between these two (a
/// clock, a progress bar) changes by itself and is no evidence. Changes elsewhere in the window count only for an
/// action without a promise of its own (a button that writes to a display).
[[nodiscard]] Judgement judge(const Wanted& wanted, const Observation& earlier, const Seen& before, const Seen& after);

/// Qt never says of a tab that it is selected; the current one is the one that has the focus (QAccessibleTabButton).
[[nodiscard]] bool tab_came_up(const Accessible& was, const StateSet& is);

/// Words for what changed between pressing and now, for objects that are asked alone (Peek in accessible_sink.hpp).
[[nodiscard]] std::vector<Evidence> compare_states(const StateSet& was, const StateSet& is);

}  // namespace deskmark
