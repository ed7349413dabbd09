// Events sent straight to a program (XSendEvent), which only Qt takes for real: no device, focus or manager is
// involved.
#pragma once

#include "input/x11/link.hpp"

namespace deskmark::x11_input {

/// Lets a Qt program believe that a window of it has the focus, so that it neither asks to be activated when it is
/// clicked nor drops keys. Nobody else sees it. The belief stays until another window is acted on: Qt closes its menus
/// when it loses the focus.
class BelievedFocus {
 public:
  explicit BelievedFocus(Link& link) : link_(link) {}
  ~BelievedFocus() { end(); }
  BelievedFocus(const BelievedFocus&) = delete;
  BelievedFocus& operator=(const BelievedFocus&) = delete;

  /// Call before acting on `window`.
  void give(XID window);
  void end();

 private:
  Link& link_;
  XID window_ = kNone;
};

/// FocusIn or FocusOut, to the program alone.
void send_focus(Link& link, XID window, bool in);
void send_key(Link& link, XID window, unsigned code, unsigned state, bool down, Time time);

}  // namespace deskmark::x11_input
