// Foreground for one action: the window is brought forward, and everything is put back at the end.
#pragma once

#include "perception/deadline.hpp"
#include "input/x11/link.hpp"
#include "input/x11/windows.hpp"

namespace deskmark::x11_input {

class FrontSession {
 public:
  FrontSession(Link& link, XID window, bool keep_front, const Deadline& deadline);
  /// Waits until the program has taken what was sent (bounded), then restores unless `keep_front`; the user's pointer
  /// goes back in either case.
  ~FrontSession();
  FrontSession(const FrontSession&) = delete;
  FrontSession& operator=(const FrontSession&) = delete;
  [[nodiscard]] bool in_front() const { return in_front_; }

 private:
  Link& link_;
  XID window_;
  bool keep_front_;
  Deadline deadline_;
  Front before_;
  bool in_front_ = false;
};

/// Waits until the program behind `window` has taken what was sent to it: by its answer to a ping, else `otherwise`.
void let_it_read(Link& link, XID window, std::chrono::milliseconds most, std::chrono::milliseconds otherwise,
                 const Deadline& deadline);

}  // namespace deskmark::x11_input
