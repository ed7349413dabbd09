// Xlib without the macros that collide with our names. Private to x11/; include last.
// Xlib here, not XCB as in perception/x11/: Debian's XCB has no development files for XInput and XTest in the build
// list.
#pragma once

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/Xatom.h>
#include <X11/XKBlib.h>
#include <X11/keysym.h>
#include <X11/extensions/XInput.h>
#include <X11/extensions/XInput2.h>
#include <X11/extensions/XTest.h>
#include <X11/extensions/shape.h>

#undef None
#undef Bool
#undef Status
#undef Success
#undef Always
#undef True
#undef False
#undef Above
#undef Below

namespace deskmark::x11_input {

constexpr XID kNone = 0;
constexpr int kTrue = 1;
constexpr int kFalse = 0;
constexpr int kSuccess = 0;

struct XFreed {
  void operator()(void* p) const {
    if (p != nullptr) XFree(p);
  }
};

}  // namespace deskmark::x11_input
