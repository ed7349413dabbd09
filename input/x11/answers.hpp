// Answers that several kinds of input share. Private to x11/.
#pragma once

#include <optional>
#include <string>

#include "input/sink.hpp"
#include "input/x11/layout.hpp"
#include "input/x11/link.hpp"

namespace deskmark::x11_input {

[[nodiscard]] Delivered nothing(std::string code, std::string message);
/// Set when the window is gone or not shown: nothing can be sent to it.
[[nodiscard]] std::optional<Delivered> absent(Link& link, const Window& window);
/// Keycode of a modifier; 0: the layout has none.
[[nodiscard]] unsigned modifier_code(const Layout& layout, Modifier modifier);
/// Its bits in the state of events.
[[nodiscard]] unsigned modifier_mask(const Layout& layout, Modifier modifier);

}  // namespace deskmark::x11_input
