// Text by the clipboard: the last way, for what no key can give. Private to x11/.
#pragma once

#include <optional>
#include <string>

#include "input/x11/keyboard.hpp"
#include "input/x11/layout.hpp"
#include "input/x11/session.hpp"

namespace deskmark::x11_input {

/// Pastes `text` with the clipboard put back afterwards. Nothing when this way is not open: the text has control
/// characters, the clipboard's owner does not give its content, the program is not known well enough to know its
/// combination, or the layout lacks the keys.
std::optional<Delivered> paste_text(Session& session, const KeyJob& job, const Layout& layout, const std::string& text,
                                    const Deadline& deadline);

}  // namespace deskmark::x11_input
