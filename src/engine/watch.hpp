// Watching what an action does, for a bounded time: cheap questions to the object, whole looks at the window, pixels
// last.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "input/evidence.hpp"
#include "src/engine/execute.hpp"

namespace deskmark {

struct Watched {
  Judgement judgement;
  /// The last look at the whole window, null when what was seen of the object alone was enough.
  std::shared_ptr<const Observation> last;
};

/// What was known of the object just before sending.
struct Beforehand {
  const Observation* earlier = nullptr;  ///< an older look, nothing sent since; may be null
  std::optional<std::string> text;       ///< the field's whole text, where it may be read
  int length = -1;                       ///< of a secret: how long it was
  ObjectRef own_field;                   ///< the field that has the caret by our doing: it blinks
  bool more_rungs = false;               ///< another way can be tried: no need for all patience
  bool pressed = false;                  ///< the button was seen held down while the click was sent
};

[[nodiscard]] Watched watch(const Actor& actor, const Wanted& wanted, const Beforehand& known);

/// Looks, while something is sent, whether a button goes down: a click that a button takes shows so in no other way.
class PressWatch {
 public:
  PressWatch(AccessibleSink* sink, ObjectRef object, const Deadline& deadline);
  ~PressWatch();
  PressWatch(const PressWatch&) = delete;
  PressWatch& operator=(const PressWatch&) = delete;
  /// Ends the watching.
  [[nodiscard]] bool went_down();

 private:
  std::atomic<bool> down_{false};
  std::jthread thread_;
};

}  // namespace deskmark
