#include "input/x11/synthetic.hpp"

#include <algorithm>

#include "input/x11/windows.hpp"

namespace deskmark::x11_input {

namespace {

bool has_focus(Link& link, XID window) {
  XID focus = kNone;
  int revert = 0;
  XGetInputFocus(link.x(), &focus, &revert);
  const auto up = focus == kNone || focus == PointerRoot ? std::vector<XID>{} : ancestry(link, focus);
  return std::find(up.begin(), up.end(), window) != up.end();
}

bool takes_focus(Link& link, XID window) {
  XWindowAttributes attributes{};
  return XGetWindowAttributes(link.x(), window, &attributes) != 0 && attributes.override_redirect == 0;
}

}  // namespace

void BelievedFocus::give(XID window) {
  if (link_.dead()) return;
  const bool qt = is_qt(link_, window);
  // A menu of the window: the focus stays where it is.
  if (qt && !takes_focus(link_, window)) return;
  if (window != window_) end();
  if (!qt || has_focus(link_, window)) return;
  window_ = window;
  // Told anew each time: a menu that closed took the belief with it.
  send_focus(link_, window_, true);
  // It hears of it in one round of its loop and believes it in the next.
  const Deadline soon = Deadline::in(std::chrono::milliseconds{300});
  for (int round = 0; round < 2; ++round) {
    ping(link_, window, soon);
    Link::pause(std::chrono::milliseconds{5}, soon);
  }
}

void BelievedFocus::end() {
  if (window_ == kNone || link_.dead()) return;
  if (!has_focus(link_, window_)) send_focus(link_, window_, false);
  window_ = kNone;
}

void send_focus(Link& link, XID window, bool in) {
  XEvent event{};
  event.xfocus.type = in ? FocusIn : FocusOut;
  event.xfocus.window = window;
  event.xfocus.mode = NotifyNormal;
  event.xfocus.detail = NotifyNonlinear;
  XSendEvent(link.x(), window, kFalse, NoEventMask, &event);
  link.sync();
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
