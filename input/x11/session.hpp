// What a job of the input thread works with: the connection and what lives on it.
#pragma once

#include <chrono>
#include <memory>

#include "input/x11/agent.hpp"
#include "input/x11/link.hpp"
#include "input/x11/shield.hpp"
#include "input/x11/synthetic.hpp"

namespace deskmark::x11_input {

struct Session {
  std::unique_ptr<Link> link;
  Agent agent;
  BelievedFocus believed;
  ClientPointer client_pointer;
  /// The newest click: one more that comes soon after it at the same place would be taken for a double click.
  struct {
    std::chrono::steady_clock::time_point when;
    DevicePoint at;
    unsigned button = 0;
  } last_click;
  explicit Session(std::unique_ptr<Link> opened) : link(std::move(opened)), agent(*link), believed(*link), client_pointer(*link) {}

  /// Before the user's own devices act, and at the end: no program is deceived any more.
  void let_go() {
    believed.end();
    client_pointer.end();
    agent.leave_focus();
    link->sync();
  }
  /// Programs grab and focus for a menu some time after the click that opens it; later requests are the user's.
  void idle() {
    client_pointer.end();
    agent.leave_focus();
    link->sync();
  }
};

}  // namespace deskmark::x11_input
