#include "src/mcp/worker.hpp"

#include <algorithm>
#include <utility>

namespace deskmark::mcp {

Worker::Worker(Send send, std::function<void()> idle)
    : send_(std::move(send)), idle_(std::move(idle)), thread_([this](const std::stop_token& stop) { run(stop); }) {}

Worker::~Worker() {
  thread_.request_stop();
  cancel_all();
}

Worker::Taken Worker::add(std::string key, std::size_t bytes, Work work) {
  const std::scoped_lock lock(mutex_);
  if ((running_ && running_->key == key) ||
      std::any_of(queue_.begin(), queue_.end(), [&](const auto& job) { return job->key == key; })) {
    return Taken::DuplicateId;
  }
  if (queue_.size() >= kMaxQueued || queued_bytes_ + bytes > kMaxQueuedBytes) return Taken::Full;
  auto job = std::make_shared<Job>();
  job->key = std::move(key);
  job->bytes = bytes;
  job->work = std::move(work);
  queued_bytes_ += bytes;
  queue_.push_back(std::move(job));
  changed_.notify_one();
  return Taken::Yes;
}

void Worker::cancel(const std::string& key) {
  std::shared_ptr<Job> running;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = std::find_if(queue_.begin(), queue_.end(), [&](const auto& job) { return job->key == key; });
    if (found != queue_.end()) {
      queued_bytes_ -= (*found)->bytes;
      queue_.erase(found);
    } else if (running_ && running_->key == key) {
      running_->cancelled = true;
      running = running_;
    }
  }
  // Outside the lock: callbacks of the token run here.
  if (running) running->stop.request_stop();
}

void Worker::cancel_all() {
  std::shared_ptr<Job> running;
  {
    const std::scoped_lock lock(mutex_);
    queue_.clear();
    queued_bytes_ = 0;
    if (running_) running_->cancelled = true;
    running = running_;
  }
  if (running) running->stop.request_stop();
}

bool Worker::idle() const {
  const std::scoped_lock lock(mutex_);
  return !running_ && queue_.empty();
}

void Worker::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return !queue_.empty(); })) {
    running_ = std::move(queue_.front());
    queue_.pop_front();
    queued_bytes_ -= running_->bytes;
    const std::shared_ptr<Job> job = running_;
    lock.unlock();
    std::string line = job->work(job->stop.get_token());
    lock.lock();
    // Under the lock, so that a cancellation comes either before the answer, which is then not sent, or after it.
    if (!job->cancelled) send_(std::move(line));
    running_.reset();
    if (queue_.empty() && idle_) {
      lock.unlock();
      idle_();
      lock.lock();
    }
  }
}

}  // namespace deskmark::mcp
