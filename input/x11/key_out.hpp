// Key strokes on one of three ways: the user's keyboard, the agent's, or events sent to a Qt program. Private to x11/.
#pragma once

#include <optional>
#include <vector>

#include "input/x11/agent.hpp"
#include "input/x11/hand.hpp"
#include "input/x11/layout.hpp"
#include "input/x11/synthetic.hpp"
#include "input/x11/windows.hpp"

namespace deskmark::x11_input {

/// The agent's keyboard has the focus in `window` as long as this lives; the user's keyboard keeps its own.
class AgentFocus {
 public:
  AgentFocus(Link& link, Agent& agent, XID window, const Front& before);
  ~AgentFocus();
  AgentFocus(const AgentFocus&) = delete;
  AgentFocus& operator=(const AgentFocus&) = delete;
  [[nodiscard]] bool has() const;

 private:
  Link& link_;
  Agent& agent_;
  XID window_;
  const Front& before_;
};

/// The user's keyboard without CapsLock, latches and held modifiers as long as this lives: they would change what keys
/// give.
class CleanModifiers {
 public:
  explicit CleanModifiers(Link& link);
  ~CleanModifiers();
  CleanModifiers(const CleanModifiers&) = delete;
  CleanModifiers& operator=(const CleanModifiers&) = delete;

 private:
  Link& link_;
  unsigned locked_ = 0;
  std::vector<unsigned> released_;
};

class KeyOut {
 public:
  enum class Way { User, Agent, Events };
  KeyOut(Link& link, Agent& agent, XID window, Way way, const Layout& layout, int group);
  /// Also releases the modifiers.
  ~KeyOut() = default;
  KeyOut(const KeyOut&) = delete;
  KeyOut& operator=(const KeyOut&) = delete;

  /// Modifier keys that are down from now on, others go up.
  void modifiers(const std::vector<unsigned>& codes, unsigned state);
  void tap(unsigned code, std::chrono::milliseconds hold, const Deadline& deadline);
  void press(unsigned code, bool down);

 private:
  Link& link_;
  XID window_;
  Way way_;
  Hand hand_;
  int group_;
  Time time_;
  unsigned state_ = 0;
  std::vector<unsigned> down_;
};

}  // namespace deskmark::x11_input
