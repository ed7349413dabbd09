#include "input/x11/front_session.hpp"

namespace deskmark::x11_input {

using std::chrono::milliseconds;

void let_it_read(Link& link, XID window, milliseconds most, milliseconds otherwise, const Deadline& deadline) {
  link.sync();
  if (!speaks(link, window, "_NET_WM_PING")) {
    Link::pause(otherwise, deadline);
    return;
  }
  ping(link, window, deadline.at_most(most));
}

FrontSession::FrontSession(Link& link, XID window, bool keep_front, const Deadline& deadline)
    : link_(link), window_(window), keep_front_(keep_front), deadline_(deadline), before_(look_at_front(link)) {
  in_front_ = bring_forward(link, window, deadline);
}

FrontSession::~FrontSession() {
  if (link_.dead()) return;
  if (in_front_) let_it_read(link_, window_, milliseconds{400}, milliseconds{80}, Deadline::in(milliseconds{500}));
  XTestFakeMotionEvent(link_.x(), DefaultScreen(link_.x()), before_.pointer.x, before_.pointer.y, CurrentTime);
  if (!keep_front_) restore_front(link_, before_, deadline_);
  link_.sync();
}

}  // namespace deskmark::x11_input
