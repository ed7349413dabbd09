// SIGINT and SIGTERM as a stop token: a command that waits ends cleanly.
#pragma once

#include <stop_token>
#include <thread>

namespace deskmark {

/// While it lives, SIGINT and SIGTERM request a stop instead of killing the process. Create it before other threads
/// start waiting; one at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  int signals_ = -1;  ///< signalfd
  int quit_ = -1;     ///< eventfd that ends the thread
  std::thread thread_;
};

}  // namespace deskmark
