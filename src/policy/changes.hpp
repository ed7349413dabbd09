// Waiting for a change in a directory, without looking again and again.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

namespace deskmark {

/// Watches from its construction on. Used by one thread; the token wakes it.
class Changes {
 public:
  Changes(const std::string& directory, const std::stop_token& stop);
  ~Changes();
  Changes(const Changes&) = delete;
  Changes& operator=(const Changes&) = delete;

  /// False when the directory cannot be watched: then wait() only waits.
  [[nodiscard]] bool watching() const { return watching_; }
  /// Waits for a change at most this many milliseconds (negative: for ever); true when there was one.
  [[nodiscard]] bool wait(int milliseconds) const;

 private:
  int notify_;
  int wake_;
  bool watching_ = false;
  std::stop_callback<std::function<void()>> on_stop_;
};

}  // namespace deskmark
