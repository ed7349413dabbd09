// What a request acts on: its mark, its pixel, the field that has the caret, or the window as a whole.
#pragma once

#include <optional>
#include <variant>

#include "input/plan.hpp"
#include "src/engine/client.hpp"
#include "src/engine/resolve.hpp"

namespace deskmark {

struct Ends {
  std::optional<ActTarget> from;  ///< of a drag
  ActTarget to;
};

[[nodiscard]] std::variant<Ends, Failure> resolve_ends(const Request& request, const Snapshot& snapshot,
                                                       const FreshLook& now, const Keyboard& keyboard);

}  // namespace deskmark
