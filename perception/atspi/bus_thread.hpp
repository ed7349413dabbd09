// The one thread that owns the accessibility bus. Others post a job and wait for it with their deadline.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "perception/atspi/bus.hpp"

namespace deskmark::atspi {

class BusThread {
 public:
  BusThread();
  ~BusThread();
  BusThread(const BusThread&) = delete;
  BusThread& operator=(const BusThread&) = delete;

  /// Runs `job` on the owner thread; returns true when it has finished. False: the deadline passed first; the job may
  /// still run or never start, so it must own (by shared_ptr) whatever it touches.
  bool run(std::function<void(Bus&)> job, const Deadline& deadline);

 private:
  struct Task {
    std::function<void(Bus&)> job;
    bool done = false;
    bool abandoned = false;
  };
  void loop();

  GMainContext* context_;
  std::mutex mutex_;
  std::condition_variable_any finished_;
  std::deque<std::shared_ptr<Task>> tasks_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace deskmark::atspi
