// When a part that died is started again: at once the first time, later with growing pauses, at last not any more.
#pragma once

#include <chrono>
#include <deque>
#include <optional>

namespace deskmark::desktop {

class RestartPolicy {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr int kFailures = 5;                      ///< so many …
  static constexpr std::chrono::seconds kWithin{60};       ///< … in this time, and the part is given up
  static constexpr std::chrono::milliseconds kPause{200};  ///< before the second restart; doubles each time

  /// Notes a failure and tells how long to wait before the next start. Nothing: give up.
  std::optional<std::chrono::milliseconds> failed(Clock::time_point now) {
    while (!failures_.empty() && now - failures_.front() > kWithin) failures_.pop_front();
    failures_.push_back(now);
    const int count = static_cast<int>(failures_.size());
    if (count >= kFailures) return std::nullopt;
    return count == 1 ? std::chrono::milliseconds{0} : kPause * (1 << (count - 2));
  }

 private:
  std::deque<Clock::time_point> failures_;
};

}  // namespace deskmark::desktop
