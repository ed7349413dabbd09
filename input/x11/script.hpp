// A text as key strokes, complete before the first is sent. Private to x11/.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "input/x11/layout.hpp"

namespace deskmark::x11_input {

struct Script {
  struct Part {
    std::vector<KeySym> mapped;  ///< what the spare keycodes must give during this part, in their order
    std::vector<Stroke> strokes;
  };
  std::vector<Part> parts;
  int length = 0;  ///< strokes in all
};

/// Characters of the layout's current group by their own keys, others by spare keycodes. Empty when a character cannot
/// be typed: a control character other than newline and tab, or there is no spare keycode for it.
[[nodiscard]] std::optional<Script> write_script(const std::string& text, const Layout& layout);

/// A text for pasting: newline and tab stay keys, since a program may take them otherwise in what is pasted.
struct Piece {
  std::string text;  ///< UTF-8; empty: `key` instead
  KeySym key = NoSymbol;
  int length = 0;  ///< characters
};

/// Empty when the text has a control character other than newline and tab.
[[nodiscard]] std::optional<std::vector<Piece>> pieces_for_pasting(const std::string& text);

}  // namespace deskmark::x11_input
