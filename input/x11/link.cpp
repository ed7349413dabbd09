#include "input/x11/link.hpp"

#include <poll.h>
#include <unistd.h>

#include <mutex>
#include <thread>

namespace deskmark::x11_input {
namespace {

thread_local int failed_requests = 0;

int on_error(Display*, XErrorEvent*) {
  ++failed_requests;
  return 0;
}
int on_io_error(Display*) { return 0; }

void install_handlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    XInitThreads();
    XSetErrorHandler(on_error);
    XSetIOErrorHandler(on_io_error);
  });
}

EdgeError unavailable(const std::string& display, const std::string& why) {
  return {"display_unavailable", "display \"" + display + "\" " + why +
                                     "; start one with `deskmark desktop start`, or name another with DISPLAY"};
}

}  // namespace

std::unique_ptr<Link> Link::open(const std::string& display, EdgeError& error) {
  install_handlers();
  std::unique_ptr<Link> made{new Link};
  Display* x = display.empty() ? nullptr : XOpenDisplay(display.c_str());
  if (x == nullptr) {
    error = unavailable(display, "does not answer");
    return nullptr;
  }
  made->display_ = x;
  // Returning from here keeps the process alive; the connection answers nothing from then on.
  XSetIOErrorExitHandler(
      x, [](Display*, void* link) { static_cast<Link*>(link)->dead_ = true; }, made.get());
  int event = 0;
  int failure = 0;
  int major = 2;
  int minor = 2;
  int test_major = 0;
  int test_minor = 0;
  if (XQueryExtension(x, "XInputExtension", &made->xi_opcode_, &event, &failure) == 0 ||
      XIQueryVersion(x, &major, &minor) != kSuccess ||
      XTestQueryExtension(x, &event, &failure, &test_major, &test_minor) == 0) {
    error = unavailable(display, "has no XInput 2 or no XTEST extension");
    return nullptr;
  }
  // Other programs' grabs of the server must not hold up what we send.
  XTestGrabControl(x, kTrue);
  XSetWindowAttributes attributes{};
  attributes.event_mask = PropertyChangeMask;
  attributes.override_redirect = kTrue;
  made->own_window_ = XCreateWindow(x, DefaultRootWindow(x), -10, -10, 1, 1, 0, 0, InputOnly, nullptr,
                                    CWEventMask | CWOverrideRedirect, &attributes);
  // StructureNotify: Qt sends its answers to pings to those who select that or are the window manager.
  XSelectInput(x, DefaultRootWindow(x), PropertyChangeMask | SubstructureNotifyMask | StructureNotifyMask);
  made->sync();
  if (made->dead_) {
    error = unavailable(display, "went away");
    return nullptr;
  }
  return made;
}

Link::~Link() {
  if (display_ != nullptr) XCloseDisplay(display_);
}

bool Link::sync() {
  if (dead_) return false;
  XSync(display_, kFalse);
  const bool all_well = failed_requests == 0;
  failed_requests = 0;
  return all_well && !dead_;
}

Time Link::now(const Deadline& deadline) {
  const Atom stamp = atom("_DESKMARK_TIME");
  XChangeProperty(display_, own_window_, stamp, XA_INTEGER, 32, PropModeReplace, nullptr, 0);
  Time time = CurrentTime;
  wait(deadline.at_most(std::chrono::milliseconds{500}), [&](XEvent& event) {
    if (event.type == PropertyNotify && event.xproperty.window == own_window_ && event.xproperty.atom == stamp)
      time = event.xproperty.time;
    return time != CurrentTime;
  });
  return time;
}

bool Link::wait(const Deadline& deadline, const std::function<bool(XEvent&)>& done) {
  XEvent event{};
  if (done(event)) return true;
  for (;;) {
    while (!dead_ && XPending(display_) > 0) {
      XNextEvent(display_, &event);
      if (done(event)) return true;
    }
    if (dead_ || deadline.passed()) return false;
    pollfd server{descriptor(), POLLIN, 0};
    // Short rounds: a request that is cancelled shall not wait for the next event.
    poll(&server, 1, static_cast<int>(std::min<std::int64_t>(deadline.left().count() + 1, 50)));
  }
}

bool Link::active_changed() {
  const Atom active = atom("_NET_ACTIVE_WINDOW");
  bool changed = false;
  XEvent event{};
  while (!dead_ && XPending(display_) > 0) {
    XNextEvent(display_, &event);
    changed =
        changed || (event.type == PropertyNotify && event.xproperty.window == root() && event.xproperty.atom == active);
  }
  return changed;
}

void Link::drop_events() {
  XEvent event{};
  while (!dead_ && XPending(display_) > 0) XNextEvent(display_, &event);
}

bool Link::pause(std::chrono::milliseconds time, const Deadline& deadline) {
  const Deadline until = deadline.at_most(time);
  while (!deadline.cancelled() && until.left().count() > 0)
    std::this_thread::sleep_for(std::min(until.left(), std::chrono::milliseconds{20}));
  return !deadline.passed();
}

std::vector<unsigned long> Link::property(XID window, Atom name, Atom type, long most) const {
  Atom actual = kNone;
  int format = 0;
  unsigned long count = 0;
  unsigned long left = 0;
  unsigned char* data = nullptr;
  if (dead_ || XGetWindowProperty(display_, window, name, 0, most, kFalse, type, &actual, &format, &count, &left,
                                  &data) != kSuccess)
    return {};
  const std::unique_ptr<unsigned char, XFreed> owned{data};
  if (format != 32 || data == nullptr) return {};
  const auto* values = reinterpret_cast<const unsigned long*>(data);
  return {values, values + count};
}

std::optional<unsigned long> Link::value(XID window, const char* name, Atom type) const {
  const auto all = property(window, atom(name), type, 1);
  if (all.empty()) return std::nullopt;
  return all.front();
}

void Link::message(XID window, XID to, const char* name, const std::vector<long>& data, long mask) const {
  XEvent event{};
  event.xclient.type = ClientMessage;
  event.xclient.window = window;
  event.xclient.message_type = atom(name);
  event.xclient.format = 32;
  for (std::size_t i = 0; i < data.size() && i < 5; ++i) event.xclient.data.l[i] = data[i];
  XSendEvent(display_, to, kFalse, mask, &event);
}

}  // namespace deskmark::x11_input
