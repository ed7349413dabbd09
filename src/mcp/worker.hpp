// Runs the calls of one client one after another, in order, off the thread that reads messages.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace deskmark::mcp {

class Worker {
 public:
  /// Does the call; told to stop through the token. What it returns is sent unless the call was cancelled meanwhile.
  using Work = std::function<std::string(std::stop_token)>;
  using Send = std::function<void(std::string)>;

  static constexpr std::size_t kMaxQueued = 64;
  static constexpr std::size_t kMaxQueuedBytes = std::size_t{32} << 20;

  /// `send` and `idle` are called on the worker's thread; `idle` each time nothing is left to do.
  Worker(Send send, std::function<void()> idle);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  enum class Taken { Yes, DuplicateId, Full };
  /// `key` names the call until it is answered; `bytes` is about what it holds in memory.
  Taken add(std::string key, std::size_t bytes, Work work);
  /// A waiting call is forgotten, a running one is stopped; neither is answered. Unknown keys are ignored.
  void cancel(const std::string& key);
  void cancel_all();
  [[nodiscard]] bool idle() const;

 private:
  struct Job {
    std::string key;
    std::size_t bytes = 0;
    Work work;
    std::stop_source stop;
    bool cancelled = false;
  };
  void run(const std::stop_token& stop);

  Send send_;
  std::function<void()> idle_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::shared_ptr<Job>> queue_;
  std::shared_ptr<Job> running_;
  std::size_t queued_bytes_ = 0;
  std::jthread thread_;  // last: it uses everything above
};

}  // namespace deskmark::mcp
