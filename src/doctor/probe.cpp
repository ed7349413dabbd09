#include "src/doctor/probe.hpp"

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cstdio>

namespace deskmark::doctor {
namespace {

constexpr unsigned kWidth = 420;
constexpr unsigned kHeight = 260;

Window make_window(Display* x) {
  const Window window = XCreateSimpleWindow(x, DefaultRootWindow(x), 60, 60, kWidth, kHeight, 0, 0, kProbeColour);
  std::array<char, 16> instance{"deskmark-doctor"};
  std::array<char, 16> name{"Deskmark-doctor"};
  XClassHint hint{instance.data(), name.data()};
  XSetClassHint(x, window, &hint);
  XStoreName(x, window, "deskmark doctor");
  const long pid = ::getpid();
  XChangeProperty(x, window, XInternAtom(x, "_NET_WM_PID", False), XInternAtom(x, "CARDINAL", False), 32,
                  PropModeReplace, reinterpret_cast<const unsigned char*>(&pid), 1);
  XSelectInput(x, window, ButtonPressMask | ButtonReleaseMask | ButtonMotionMask | KeyPressMask | ExposureMask);
  XMapWindow(x, window);
  return window;
}

/// Looked up as programs do it: with the keyboard that pressed it.
unsigned long keysym(XKeyEvent& event) {
  std::array<char, 16> bytes{};
  KeySym symbol = NoSymbol;
  XLookupString(&event, bytes.data(), bytes.size(), &symbol, nullptr);
  return symbol;
}

void tell(XEvent& event) {
  switch (event.type) {
    case ButtonPress: std::printf("button %u\n", event.xbutton.button); break;
    case ButtonRelease: std::printf("release %u\n", event.xbutton.button); break;
    case MotionNotify: std::printf("motion\n"); break;
    case KeyPress: std::printf("key %lu\n", keysym(event.xkey)); break;
    case MappingNotify: XRefreshKeyboardMapping(&event.xmapping); return;
    default: return;
  }
  std::fflush(stdout);
}

}  // namespace

int run_probe() {
  Display* x = XOpenDisplay(nullptr);
  if (!x) return 3;
  const Window window = make_window(x);
  bool told = false;
  std::array<pollfd, 2> fds{{{ConnectionNumber(x), POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}}};
  for (;;) {
    while (XPending(x) > 0) {
      XEvent event;
      XNextEvent(x, &event);
      if (event.type == Expose && !told) {
        told = true;
        std::printf("window %lu\n", window);
        std::fflush(stdout);
      }
      tell(event);
    }
    if (::poll(fds.data(), fds.size(), -1) < 0) continue;
    if (fds[1].revents == 0) continue;
    std::array<char, 64> bytes{};
    if (::read(STDIN_FILENO, bytes.data(), bytes.size()) <= 0) break;
  }
  XCloseDisplay(x);
  return 0;
}

}  // namespace deskmark::doctor
