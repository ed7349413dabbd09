// What a job of the input thread works with: the connection and what lives on it.
#pragma once

#include <chrono>
#include <memory>

#include "input/x11/agent.hpp"
#include "input/x11/clipboard.hpp"
#include "input/x11/link.hpp"
#include "input/x11/shield.hpp"
#include "input/x11/synthetic.hpp"
#include "input/x11/windows.hpp"

namespace deskmark::x11_input {

struct Session {
  std::unique_ptr<Link> link;
  Agent agent;
  BelievedFocus believed;
  ClientPointer client_pointer;
  Clipboard clipboard;
  /// The newest click: one more that comes soon after it at the same place would be taken for a double click.
  struct {
    std::chrono::steady_clock::time_point when;
    DevicePoint at;
    unsigned button = 0;
  } last_click;
  explicit Session(std::unique_ptr<Link> opened)
      : link(std::move(opened)),
        agent(*link),
        believed(*link),
        client_pointer(*link),
        clipboard(XDisplayString(link->x())) {}

  /// Before the user's own devices act, and at the end: no program is deceived any more.
  void let_go() {
    believed.end();
    client_pointer.end();
    agent.leave_focus();
    link->sync();
  }
  /// Before the user's devices act on `window`: a program that would be deaf to them gets its keyboard back.
  void let_go_for(XID window) {
    let_go();
    if (!agent.exists() || !hears_newest_keyboard(*link, window)) return;
    agent.retire();
    // It asks for the devices anew when it hears of that.
    const Deadline soon = Deadline::in(std::chrono::milliseconds{300});
    ping(*link, window, soon);
    Link::pause(std::chrono::milliseconds{40}, soon);
    ping(*link, window, soon);
  }
  /// Nothing is going on: a user who is in such a program, or turned to one, gets the keyboard back, unless the agent
  /// has a menu open.
  void look_after_user() {
    if (!agent.exists() || !hears_newest_keyboard(*link, users_window(*link)) || agent.grabbed()) return;
    let_go();
    agent.retire();
  }
  /// Programs grab and focus for a menu some time after the click that opens it; later requests are the user's.
  void idle() {
    client_pointer.end();
    agent.leave_focus();
    link->sync();
  }
};

}  // namespace deskmark::x11_input
