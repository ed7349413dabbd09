// A set of actions: what a profile allows, what a schema advertises.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "schema/request.hpp"

namespace deskmark {

class ActionSet {
 public:
  constexpr ActionSet() = default;
  constexpr ActionSet(std::initializer_list<Action> actions) {
    for (const Action action : actions) add(action);
  }
  [[nodiscard]] static constexpr ActionSet all() {
    ActionSet set;
    set.bits_ = (2U << static_cast<unsigned>(Action::WaitForHuman)) - 1;
    return set;
  }

  constexpr void add(Action action) { bits_ |= bit(action); }
  constexpr void remove(Action action) { bits_ &= ~bit(action); }
  [[nodiscard]] constexpr bool has(Action action) const { return (bits_ & bit(action)) != 0; }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  /// A bit per action, as PropertyRule has them.
  [[nodiscard]] constexpr std::uint32_t bits() const { return bits_; }

  friend constexpr ActionSet operator&(ActionSet a, ActionSet b) {
    a.bits_ &= b.bits_;
    return a;
  }
  friend constexpr bool operator==(ActionSet, ActionSet) = default;

 private:
  static constexpr std::uint32_t bit(Action action) { return 1U << static_cast<unsigned>(action); }
  std::uint32_t bits_ = 0;
};

/// Those that change nothing on the desktop.
inline constexpr ActionSet kReadingActions{Action::Capture,     Action::Wait,           Action::ListApps,
                                           Action::ListWindows, Action::RequestHandoff, Action::WaitForHuman};

}  // namespace deskmark
