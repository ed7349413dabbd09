// Time and cancellation handed down to every edge call: nothing waits without one.
#pragma once

#include <algorithm>
#include <chrono>
#include <stop_token>

namespace deskmark {

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;
  static Deadline in(std::chrono::milliseconds budget, std::stop_token stop = {}) {
    return Deadline{Clock::now() + budget, std::move(stop)};
  }
  Deadline(Clock::time_point at, std::stop_token stop) : at_(at), stop_(std::move(stop)) {}

  [[nodiscard]] bool cancelled() const { return stop_.stop_requested(); }
  [[nodiscard]] bool passed() const { return cancelled() || Clock::now() >= at_; }
  [[nodiscard]] std::chrono::milliseconds left() const {
    if (cancelled()) return std::chrono::milliseconds{0};
    return std::max(std::chrono::milliseconds{0},
                    std::chrono::duration_cast<std::chrono::milliseconds>(at_ - Clock::now()));
  }
  /// The earlier of this deadline and `budget` from now: one part may not eat the whole.
  [[nodiscard]] Deadline at_most(std::chrono::milliseconds budget) const {
    return Deadline{std::min(at_, Clock::now() + budget), stop_};
  }
  [[nodiscard]] Clock::time_point at() const { return at_; }
  [[nodiscard]] const std::stop_token& stop() const { return stop_; }

 private:
  Clock::time_point at_;
  std::stop_token stop_;
};

}  // namespace deskmark
