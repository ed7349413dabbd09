// Starting and ending the parts of one desktop, and knowing which has died.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "src/desktop/probe.hpp"
#include "src/desktop/registry_watch.hpp"
#include "src/desktop/supervisor.hpp"

namespace deskmark::desktop {

/// Order of DesktopState::parts; a part needs only earlier ones.
enum PartIndex : std::size_t { kDisplay, kBus, kAccessibility, kRegistry, kWindows, kPartCount };

/// What runner needs of the loop it runs in.
struct Loop {
  std::function<void(std::chrono::milliseconds)> iterate;  ///< handles events, at most so long
  std::function<void()> reap;                              ///< collects children that ended, tells note_exit() of each
  std::function<bool()> stopping;
  std::function<void()> save;  ///< the state changed
};

class PartRunner {
 public:
  /// `plan` and `state` must outlive it; it keeps state.parts up to date, except for the words of failures.
  PartRunner(const Plan& plan, DesktopState& state, Loop loop) : plan_(plan), state_(state), loop_(std::move(loop)) {}

  /// Starts a part and waits until it serves. Returns a problem, empty when there is none.
  [[nodiscard]] std::string start(std::size_t part);
  /// Ends it and what it started.
  void end(std::size_t part);

  void note_exit(pid_t pid, int wait_status);
  [[nodiscard]] bool any_died() const;
  /// How a part that ran has ended since this was last asked.
  [[nodiscard]] std::optional<std::string> take_death(std::size_t part);
  /// Whether the display did not start because another X server has it.
  [[nodiscard]] bool display_taken() const { return display_taken_; }

 private:
  [[nodiscard]] std::vector<std::string> command(std::size_t part) const;
  [[nodiscard]] bool is_ready(std::size_t part, int notice);
  [[nodiscard]] std::string wait_until_ready(std::size_t part, int notice);
  [[nodiscard]] std::string start_registry();
  void end_stray_launcher();
  [[nodiscard]] std::string log_of(std::size_t part) const;
  [[nodiscard]] std::string last_words(std::size_t part) const;
  [[nodiscard]] DisplayAddress address() const { return {state_.display(), plan_.place.xauthority()}; }
  [[nodiscard]] std::string session_bus() const { return bus_address(plan_.place); }

  const Plan& plan_;
  DesktopState& state_;
  Loop loop_;
  std::array<std::optional<std::string>, kPartCount> deaths_;
  RegistryWatch registry_;
  bool display_taken_ = false;
};

}  // namespace deskmark::desktop
