// Events sent straight to a program (XSendEvent), which only Qt takes for real: no device, focus or manager is
// involved.
#pragma once

#include "input/x11/link.hpp"

namespace deskmark::x11_input {

/// Lets a Qt program believe that `window` has the focus; its real state is told again at the end. Nobody else sees it.
class BelievedFocus {
 public:
  BelievedFocus(Link& link, XID window);
  ~BelievedFocus();
  BelievedFocus(const BelievedFocus&) = delete;
  BelievedFocus& operator=(const BelievedFocus&) = delete;

 private:
  void tell(int type);
  Link& link_;
  XID window_;
  bool told_ = false;
};

void send_key(Link& link, XID window, unsigned code, unsigned state, bool down, Time time);

}  // namespace deskmark::x11_input
