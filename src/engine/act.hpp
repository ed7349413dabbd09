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
#include "src/engine/execute.hpp"
#include "src/engine/observe.hpp"
#include "src/engine/replies.hpp"

namespace deskmark {

/// What came of an action, in the terms of the contract's outcome table.
struct Outcome {
  std::string effect;  ///< confirmed, partial, unverifiable, suspected_noop, refused; planned (dry run)
  std::optional<Code> code;
  std::string message;
  std::string route;  ///< empty: nothing was sent
  std::vector<Evidence> evidence;
  std::optional<std::string> recommended;  ///< escalation: px or foreground
  std::string plan;                        ///< the plan in words, of a dry run
  int completed = 0;                       ///< steps done of `total`, when partial
  int total = 0;
};

/// Carries out a click, drag, scroll, type, key or set_value for `client`. Nothing is sent twice; nothing is sent when
/// the target changed.
/// `dry_run`: everything up to sending; the outcome holds the plan.
[[nodiscard]] Outcome act(const Sources& sources, const Sinks& sinks, const Request& request, bool dry_run,
                          Engine::Client& client, const Deadline& deadline);

/// The capture (or the window of focus_app) a request is about; null: there is none.
[[nodiscard]] std::shared_ptr<const Snapshot> acting_on(const Engine::Client& client, const Request& request);

[[nodiscard]] OrderedJson action_reply(const Request& request, const Outcome& outcome);

}  // namespace deskmark
