// Actions on marks and pixels: resolve, ask again, plan, execute, watch, answer.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "input/accessible_sink.hpp"
#include "input/evidence.hpp"
#include "input/plan.hpp"
#include "input/sink.hpp"
#include "src/engine/client.hpp"
#include "src/engine/observe.hpp"
#include "src/engine/replies.hpp"

namespace deskmark {

/// Sinks an action is carried out with. Either may be null: then that rung of the ladder is not there.
struct Sinks {
  AccessibleSink* accessible = nullptr;
  InputSink* input = nullptr;
};

/// What came of an action, in the terms of the contract's outcome table.
struct Outcome {
  std::string effect;  ///< confirmed, partial, unverifiable, suspected_noop, refused
  std::optional<Code> code;
  std::string message;
  std::string route;  ///< empty: nothing was sent
  std::vector<Evidence> evidence;
  std::optional<std::string> recommended;  ///< escalation: px or foreground
  std::string plan;                        ///< the plan in words
};

/// Carries out a click, drag, scroll, type, key or set_value for `client`. Nothing is sent twice; nothing is sent when
/// the target changed.
[[nodiscard]] Outcome act(const Sources& sources, const Sinks& sinks, const Request& request, Engine::Client& client,
                          const Deadline& deadline);

[[nodiscard]] OrderedJson action_reply(const Request& request, const Outcome& outcome);

}  // namespace deskmark
