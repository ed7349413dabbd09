#include "perception/atspi/bus_thread.hpp"

#include <utility>

namespace deskmark::atspi {

using namespace std::chrono_literals;

BusThread::BusThread() : context_(g_main_context_new()), thread_([this] { loop(); }) {}

BusThread::~BusThread() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  g_main_context_wakeup(context_);
  thread_.join();
  g_main_context_unref(context_);
}

bool BusThread::run(std::function<void(Bus&)> job, const Deadline& deadline) {
  auto task = std::make_shared<Task>();
  task->job = std::move(job);
  std::unique_lock lock(mutex_);
  tasks_.push_back(task);
  g_main_context_wakeup(context_);
  // A running job keeps to the deadline by itself; the grace lets it hand over what it has.
  const bool done = finished_.wait_until(lock, deadline.stop(), deadline.at() + 150ms, [&] { return task->done; });
  task->abandoned = !done;
  return done;
}

void BusThread::loop() {
  g_main_context_push_thread_default(context_);
  {
    Bus bus(context_);
    for (;;) {
      std::shared_ptr<Task> task;
      {
        const std::lock_guard lock(mutex_);
        if (stopping_) break;
        if (!tasks_.empty()) {
          task = tasks_.front();
          tasks_.pop_front();
          if (task->abandoned) continue;
        }
      }
      if (task) {
        task->job(bus);
        {
          const std::lock_guard lock(mutex_);
          task->done = true;
        }
        finished_.notify_all();
      } else {
        g_main_context_iteration(context_, TRUE);
      }
    }
  }
  // Let closing and cancelled operations finish their callbacks, which own memory.
  for (int i = 0; i < 100 && g_main_context_iteration(context_, FALSE) != FALSE; ++i) {
  }
  g_main_context_pop_thread_default(context_);
}

}  // namespace deskmark::atspi
