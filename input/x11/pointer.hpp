// Clicks, drags and wheel turns, in the background and in the foreground. Private to x11/.
#pragma once

#include <vector>

#include "input/sink.hpp"
#include "input/x11/session.hpp"

namespace deskmark::x11_input {

struct PointerJob {
  PointerPlace from;  ///< where it begins (clicks, wheel: the only place)
  PointerPlace to;    ///< drags: where it ends
  Button button = Button::Left;
  int count = 1;
  bool drag = false;
  int ticks = 0;  ///< wheel; 0: none
  Direction direction = Direction::Down;
  std::vector<Modifier> held;
  Delivery delivery = Delivery::Background;
  bool keep_front = false;
  Pacing pacing;
};

Delivered point(Session& session, const PointerJob& job, const Deadline& deadline);

}  // namespace deskmark::x11_input
