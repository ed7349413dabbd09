// Keeps the window manager from taking a press of the agent's pointer for the user's (click to focus, raise).
#pragma once

#include <vector>

#include "perception/deadline.hpp"
#include "input/x11/agent.hpp"
#include "input/x11/link.hpp"

namespace deskmark::x11_input {

/// Window managers hold synchronous button grabs on clients or frames, which a press of any master pointer activates.
/// Ours, for the agent's pointer only, are laid over each of them from the root down to the window and come first (the
/// newest grab of a window is looked at first); a replayed press skips all grabs of the window it was frozen at.
class Shield {
 public:
  Shield(Link& link, const Agent& agent, XID window, unsigned button);
  ~Shield();
  Shield(const Shield&) = delete;
  Shield& operator=(const Shield&) = delete;

  /// Call after a press: lets it through to the window. False when it was never seen (then it went its ordinary way).
  bool let_through(const Deadline& deadline);

 private:
  Link& link_;
  int pointer_;
  unsigned button_;
  std::vector<XID> held_;
};

/// While it is given, what the program behind a window grabs or focuses without naming a device (core requests: Qt, Tk,
/// Xt menus) concerns the agent's pointer and keyboard and not the user's. A grab stays where it was made.
class ClientPointer {
 public:
  explicit ClientPointer(Link& link) : link_(link) {}
  ~ClientPointer() { end(); }
  ClientPointer(const ClientPointer&) = delete;
  ClientPointer& operator=(const ClientPointer&) = delete;

  void give(XID window, const Agent& agent);
  void end();
  [[nodiscard]] bool given() const { return window_ != kNone; }

 private:
  Link& link_;
  XID window_ = kNone;
  int before_ = 0;
};

}  // namespace deskmark::x11_input
