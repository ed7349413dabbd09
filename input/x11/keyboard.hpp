// Key combinations and text, in the background and in the foreground. Private to x11/.
#pragma once

#include <string>

#include "input/sink.hpp"
#include "input/x11/session.hpp"

namespace deskmark::x11_input {

struct KeyJob {
  Window window;
  Delivery delivery = Delivery::Background;
  bool keep_front = false;
  Pacing pacing;
};

Delivered press_combo(Session& session, const KeyJob& job, const KeyCombo& combo, const Deadline& deadline);
Delivered type_text(Session& session, const KeyJob& job, const std::string& text, bool allow_clipboard,
                    const Deadline& deadline);

}  // namespace deskmark::x11_input
