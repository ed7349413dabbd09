// One Xlib connection, used by one thread: errors are counted instead of ending the process, waits have deadlines.
// Private to x11/.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "perception/deadline.hpp"
#include "perception/sources.hpp"
#include "input/x11/xlib.hpp"

namespace deskmark::x11_input {

class Link {
 public:
  /// Empty with `error` set (display_unavailable) when the display does not answer or lacks XInput 2 or XTEST.
  static std::unique_ptr<Link> open(const std::string& display, EdgeError& error);
  ~Link();
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  [[nodiscard]] Display* x() const { return display_; }
  [[nodiscard]] XID root() const { return DefaultRootWindow(display_); }
  [[nodiscard]] int descriptor() const { return ConnectionNumber(display_); }
  [[nodiscard]] bool dead() const { return dead_; }
  /// An unmapped window of ours: owns selections and dates requests.
  [[nodiscard]] XID own_window() const { return own_window_; }
  [[nodiscard]] int xi_opcode() const { return xi_opcode_; }
  [[nodiscard]] Atom atom(const char* name) const { return XInternAtom(display_, name, kFalse); }

  /// Everything sent is carried out; false when one of the requests since the last call failed.
  bool sync();
  /// The server's time now, for requests that must be dated.
  Time now(const Deadline& deadline);

  /// Handles events as they come until `done` says so (asked before waiting and after each event) or the deadline.
  bool wait(const Deadline& deadline, const std::function<bool(XEvent&)>& done);
  /// Reads what has arrived; true when another window became the active one.
  bool active_changed();
  /// Forgets what has arrived.
  void drop_events();
  /// Lets time pass; false when cancelled or past the deadline meanwhile.
  static bool pause(std::chrono::milliseconds time, const Deadline& deadline);

  [[nodiscard]] std::vector<unsigned long> property(XID window, Atom name, Atom type, long most = 1024) const;
  [[nodiscard]] std::optional<unsigned long> value(XID window, const char* name, Atom type) const;
  void message(XID window, XID to, const char* name, const std::vector<long>& data, long mask) const;

 private:
  Link() = default;
  Display* display_ = nullptr;
  XID own_window_ = kNone;
  int xi_opcode_ = 0;
  bool dead_ = false;
};

}  // namespace deskmark::x11_input
