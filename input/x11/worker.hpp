// The one thread that owns the input connection; others hand it work and wait no longer than their deadline.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "input/sink.hpp"
#include "perception/sources.hpp"

namespace deskmark::x11_input {

struct Session;

class Worker {
 public:
  explicit Worker(std::string display);
  /// Takes the second pointer away from the display, then ends the thread; bounded, also when the server hangs.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Runs `work` on the thread, connecting first when there is no connection. When it has not ended a little after the
  /// deadline, the connection is cut and the answer is timeout with Sent::Unknown. `work` may not touch the caller's
  /// stack.
  Delivered run(const Deadline& deadline, std::function<Delivered(Session&)> work);

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace deskmark::x11_input
