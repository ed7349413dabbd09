// execute: the plan's ladder, attempt by attempt, while nothing was sent. The only place that touches the desktop.
#pragma once

#include <optional>

#include "input/accessible_sink.hpp"
#include "input/plan.hpp"
#include "input/sink.hpp"

namespace deskmark {

struct Sinks;

/// The last attempt's word. Sent::Nothing: no attempt could be made; its code and message say why.
[[nodiscard]] Delivered execute(const Sinks& sinks, const Plan& plan, const Request& request,
                                const std::optional<ActTarget>& from, const ActTarget& to, const Deadline& deadline);

}  // namespace deskmark
