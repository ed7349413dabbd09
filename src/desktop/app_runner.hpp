// Starting programs in a desktop and remembering them for status.
#pragma once

#include <functional>

#include "src/desktop/control.hpp"
#include "src/desktop/supervisor.hpp"

namespace deskmark::desktop {

class AppRunner {
 public:
  /// `plan` and `state` must outlive it; it keeps state.apps up to date and calls `save` when they changed.
  AppRunner(const Plan& plan, DesktopState& state, std::function<void()> save)
      : plan_(plan), state_(state), save_(std::move(save)) {}

  [[nodiscard]] RunAnswer run(const RunRequest& wanted);
  void note_exit(pid_t pid, int wait_status);
  /// Empties files of output that have grown large: they lie in memory on most machines.
  void trim_logs() const;

 private:
  void forget_old();

  const Plan& plan_;
  DesktopState& state_;
  std::function<void()> save_;
  int started_ = 0;
};

}  // namespace deskmark::desktop
