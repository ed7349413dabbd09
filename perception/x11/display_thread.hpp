// The one thread that owns the connection to a display; others hand it work and wait no longer than their deadline.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "perception/sources.hpp"

namespace deskmark::x11 {

class Connection;
class Grabber;
class Tracker;

/// What a job works with; valid during the job.
struct Session {
  Connection& connection;
  Tracker& tracker;
  Grabber& grabber;
};

class DisplayThread {
 public:
  explicit DisplayThread(std::string display);
  /// Ends the thread; one that hangs in a server that does not answer is left behind, disconnected.
  ~DisplayThread();
  DisplayThread(const DisplayThread&) = delete;
  DisplayThread& operator=(const DisplayThread&) = delete;

  /// Runs `work` on the thread, connecting first when there is no connection (at the start, after the server died).
  /// Never blocks beyond `deadline`: then the result is timeout, or cancelled, and `work` is given up.
  template <class T>
  Reading<T> call(const Deadline& deadline, std::function<Reading<T>(Session&)> work) {
    auto result = std::make_shared<Reading<T>>();
    EdgeError error = run(deadline, [result, work = std::move(work)](Session& session) { *result = work(session); });
    if (!error.code.empty()) return {std::nullopt, std::move(error), {}};
    return std::move(*result);
  }

 private:
  struct Shared;
  /// An empty code when `job` ran to its end; the job may not touch the caller's stack.
  EdgeError run(const Deadline& deadline, std::function<void(Session&)> job);

  std::shared_ptr<Shared> shared_;
};

}  // namespace deskmark::x11
