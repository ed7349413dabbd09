#include "input/x11/synthetic.hpp"

#include <algorithm>

#include "input/x11/windows.hpp"

namespace deskmark::x11_input {

BelievedFocus::BelievedFocus(Link& link, XID window) : link_(link), window_(window) {
  XID focus = kNone;
  int revert = 0;
  XGetInputFocus(link.x(), &focus, &revert);
  const auto up = focus == kNone || focus == PointerRoot ? std::vector<XID>{} : ancestry(link, focus);
  if (std::find(up.begin(), up.end(), window) != up.end()) return;
  tell(FocusIn);
  told_ = true;
}

BelievedFocus::~BelievedFocus() {
  if (!told_ || link_.dead()) return;
  tell(FocusOut);
}

void BelievedFocus::tell(int type) {
  XEvent event{};
  event.xfocus.type = type;
  event.xfocus.window = window_;
  event.xfocus.mode = NotifyNormal;
  event.xfocus.detail = NotifyNonlinear;
  XSendEvent(link_.x(), window_, kFalse, NoEventMask, &event);
  link_.sync();
}

void send_key(Link& link, XID window, unsigned code, unsigned state, bool down, Time time) {
  XEvent event{};
  event.xkey.type = down ? KeyPress : KeyRelease;
  event.xkey.window = window;
  event.xkey.root = link.root();
  event.xkey.time = time;
  event.xkey.x = event.xkey.y = event.xkey.x_root = event.xkey.y_root = 1;
  event.xkey.state = state;
  event.xkey.keycode = code;
  event.xkey.same_screen = kTrue;
  XSendEvent(link.x(), window, kFalse, NoEventMask, &event);
}

}  // namespace deskmark::x11_input
