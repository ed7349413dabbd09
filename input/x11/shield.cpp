#include "input/x11/shield.hpp"

#include "input/x11/windows.hpp"

namespace deskmark::x11_input {

Shield::Shield(Link& link, const Agent& agent, XID window, unsigned button)
    : link_(link), pointer_(agent.pointer()), button_(button) {
  held_ = ancestry(link, window);
  held_.push_back(link.root());
  unsigned char bits[XIMaskLen(XI_LASTEVENT)] = {};
  XISetMask(bits, XI_ButtonPress);
  XIEventMask mask{pointer_, sizeof bits, bits};
  for (const XID over : held_) {
    XIGrabModifiers any{static_cast<int>(XIAnyModifier), 0};
    XIGrabButton(link.x(), pointer_, static_cast<int>(button_), over, kNone, XIGrabModeSync, XIGrabModeAsync, kFalse,
                 &mask, 1, &any);
  }
  link.sync();
}

Shield::~Shield() {
  if (link_.dead()) return;
  for (const XID over : held_) {
    XIGrabModifiers any{static_cast<int>(XIAnyModifier), 0};
    XIUngrabButton(link_.x(), pointer_, static_cast<int>(button_), over, 1, &any);
  }
  XIAllowEvents(link_.x(), pointer_, XIAsyncDevice, CurrentTime);
  link_.sync();
}

bool Shield::let_through(const Deadline& deadline) {
  const auto frozen = [&](XEvent& event) {
    bool ours = false;
    if (event.type == GenericEvent && event.xcookie.extension == link_.xi_opcode() &&
        XGetEventData(link_.x(), &event.xcookie) != 0) {
      const auto* press = static_cast<const XIDeviceEvent*>(event.xcookie.data);
      ours = event.xcookie.evtype == XI_ButtonPress && press->deviceid == pointer_ &&
             press->detail == static_cast<int>(button_);
      XFreeEventData(link_.x(), &event.xcookie);
    }
    return ours;
  };
  bool seen = link_.wait(deadline.at_most(std::chrono::milliseconds{300}), frozen);
  const bool any = seen;
  for (std::size_t i = 0; seen && i <= held_.size(); ++i) {
    XIAllowEvents(link_.x(), pointer_, XIReplayDevice, CurrentTime);
    // Replaying is done when the next request is answered: a further grab has frozen it by then, or none will.
    link_.sync();
    seen = false;
    XEvent event{};
    while (!seen && !link_.dead() && XPending(link_.x()) > 0) {
      XNextEvent(link_.x(), &event);
      seen = frozen(event);
    }
  }
  return any;
}

void ClientPointer::give(XID window, const Agent& agent) {
  if (window == window_) return;
  end();
  int now = 0;
  if (link_.dead() || XIGetClientPointer(link_.x(), window, &now) == 0 || now == agent.pointer()) return;
  window_ = window;
  before_ = now;
  XISetClientPointer(link_.x(), window, agent.pointer());
}

void ClientPointer::end() {
  if (window_ != kNone && !link_.dead()) XISetClientPointer(link_.x(), window_, before_);
  window_ = kNone;
}

}  // namespace deskmark::x11_input
