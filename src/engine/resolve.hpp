// From a mark or a pixel of the newest capture to the object or place it means now.
#pragma once

#include <optional>
#include <variant>

#include "input/plan.hpp"
#include "src/engine/client.hpp"
#include "src/engine/observe.hpp"

namespace deskmark {

/// A fresh look at the captured window, with its marks.
struct FreshLook {
  WindowList list;
  Observation observation;
  Scene scene;
};

struct LookOptions {
  bool pixels = true;
  bool marks = true;  ///< fill `scene` too
};

/// Looks at a target's window again. window_gone when it is no more.
[[nodiscard]] std::variant<FreshLook, Failure> look_again(const Sources& sources, const Target& captured,
                                                          LookOptions options, const Deadline& deadline);

/// The object of mark `element` as it is now: alive, same role, same name (digit runs may differ, except in lists and
/// tables), visible.
[[nodiscard]] std::variant<ActTarget, Failure> resolve_element(const Snapshot& snapshot, const FreshLook& now,
                                                               int element);
/// The window under a pixel of the captured picture, if it is still the captured one.
[[nodiscard]] std::variant<ActTarget, Failure> resolve_pixel(const Snapshot& snapshot, const FreshLook& now,
                                                             Pixel pixel);

/// The object the tree shows at a point of the screen, to watch what a click there does; nothing where none is marked.
[[nodiscard]] std::optional<Accessible> object_at(const FreshLook& now, const Window& window, DevicePoint at);

/// The window with this id, null when it is gone.
[[nodiscard]] const Window* window_by_id(const WindowList& list, std::uint32_t id);

/// Names that differ in digit runs only ("Inbox (3)", "Inbox (4)") name the same control.
[[nodiscard]] bool same_but_digits(const std::string& a, const std::string& b);

}  // namespace deskmark
