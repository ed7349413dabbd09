#include "input/x11/front_session.hpp"

namespace deskmark::x11_input {

using std::chrono::milliseconds;

void let_it_read(Link& link, XID window, milliseconds most, milliseconds otherwise, const Deadline& deadline) {
  link.sync();
  if (!speaks(link, window, "_NET_WM_PING")) {
    if (!falls_idle(link, window, deadline.at_most(most))) Link::pause(otherwise, deadline);
    return;
  }
  ping(link, window, deadline.at_most(most));
}

FrontSession::FrontSession(Link& link, XID window, bool keep_front, const Deadline& deadline)
    : link_(link), window_(window), keep_front_(keep_front), deadline_(deadline) {
  // A manager that is behind would tell what was.
  manager_catches_up(link, deadline.at_most(milliseconds{1000}));
  before_ = look_at_front(link);
  in_front_ = bring_forward(link, window, deadline);
  // It has to know of its focus before keys come (Chromium drops them else).
  if (in_front_ && before_.active != window) let_it_read(link, window, milliseconds{400}, milliseconds{40}, deadline);
}

FrontSession::~FrontSession() {
  if (link_.dead()) return;
  if (in_front_) let_it_read(link_, window_, milliseconds{400}, milliseconds{80}, Deadline::in(milliseconds{500}));
  XTestFakeMotionEvent(link_.x(), DefaultScreen(link_.x()), before_.pointer.x, before_.pointer.y, CurrentTime);
  link_.sync();
  // A program that was offered the focus may take it a little later than it was given back.
  const milliseconds late{speaks(link_, window_, "_NET_WM_PING") ? 20 : 80};
  for (int round = 0; !keep_front_ && round < 3 && !link_.dead(); ++round) {
    restore_front(link_, before_, deadline_);
    Link::pause(late, Deadline::in(late));
    const Front now = look_at_front(link_);
    if (now.active == before_.active && now.focus == before_.focus) break;
  }
}

}  // namespace deskmark::x11_input
