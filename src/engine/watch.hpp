// Watching what an action does, for a bounded time: cheap questions to the object, whole looks at the window, pixels
// last.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "input/evidence.hpp"
#include "src/engine/execute.hpp"

namespace deskmark {

struct Watched {
  Judgement judgement;
  /// The last look at the whole window, null when what was seen of the object alone was enough.
  std::shared_ptr<const Observation> last;
};

/// `earlier` may be null. `text_before`: the field's whole text before a text was sent, where it may be read.
/// `own_field`: the field that has the caret by our doing; its caret blinks.
[[nodiscard]] Watched watch(const Actor& actor, const Wanted& wanted, const Observation* earlier,
                            const std::optional<std::string>& text_before, const ObjectRef& own_field);

}  // namespace deskmark
