// execute: one attempt of a plan, step by step. The only place that touches the desktop.
#pragma once

#include <optional>

#include "input/accessible_sink.hpp"
#include "input/plan.hpp"
#include "input/sink.hpp"
#include "src/engine/resolve.hpp"

namespace deskmark {

/// Sinks an action is carried out with. Either may be null: then that rung of the ladder is not there.
struct Sinks {
  AccessibleSink* accessible = nullptr;
  InputSink* input = nullptr;
  Pacing pacing;
};

/// What the steps of one request work with; everything outlives the request.
struct Actor {
  const Sources& sources;
  const Sinks& sinks;
  const Request& request;
  const Target& target;  ///< the captured window
  const std::optional<ActTarget>& from;
  const ActTarget& to;
  const FreshLook& before;  ///< the look everything was resolved in
  const Deadline& deadline;
};

/// Sent::Nothing: nothing that matters was sent (steps that only lead there may have been); code and message say why.
/// Sent::Part: some steps were, `completed` of `total`.
[[nodiscard]] Delivered execute(const Actor& actor, const Attempt& attempt);

/// Nothing was sent, because of `code`.
[[nodiscard]] Delivered nothing_sent(std::string code, std::string message);

}  // namespace deskmark
