// Evidence: what two looks at a window, before and after an action, show to have changed. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "input/plan.hpp"
#include "perception/model/observation.hpp"

namespace deskmark {

/// One observed change. Texts of fields are told by length: evidence is logged.
struct Evidence {
  std::string kind;  ///< checked, pressed, selected, expanded, focused, text, value, windows, gone, content
  std::optional<std::string> before;
  std::optional<std::string> after;
};

/// What was asked for, in the terms of the observation.
struct Wanted {
  Promise promise = Promise::None;
  ObjectRef object;
  std::string text;      ///< TextBecomes, TextGains; Selects by option: its label
  double number = 0;     ///< ValueBecomes
  double tolerance = 0;  ///< of `number`: half a step
};

struct Judgement {
  bool kept = false;               ///< the promise is seen to be kept
  std::vector<Evidence> evidence;  ///< changes that the action explains
};

/// `earlier` is an older look than `before`: what already changed between these two (a clock, a progress bar) changes
/// by itself and is no evidence. Changes elsewhere in the window count only for an action without a promise of its own
/// (a button that writes to a display).
[[nodiscard]] Judgement judge(const Wanted& wanted, const Observation& earlier, const Observation& before,
                              const Observation& after);

}  // namespace deskmark
