// Pointer and keys through XTEST: the user's devices or the agent's. What is pressed is released when the hand goes,
// whatever happened. Private to x11/.
#pragma once

#include <vector>

#include "perception/model/geometry.hpp"
#include "schema/request.hpp"
#include "input/sink.hpp"
#include "input/x11/agent.hpp"
#include "input/x11/link.hpp"

namespace deskmark::x11_input {

class Hand {
 public:
  /// `agent` null: the user's own devices.
  Hand(Link& link, Agent* agent) : link_(link), agent_(agent) {}
  ~Hand() { release_all(); }
  Hand(const Hand&) = delete;
  Hand& operator=(const Hand&) = delete;

  void move(DevicePoint to);
  void button(unsigned number, bool down);
  void key(unsigned code, bool down);
  void release_all();

  [[nodiscard]] bool agents() const { return agent_ != nullptr; }
  /// Where this pointer is, and the child of the root it is in.
  struct Place {
    DevicePoint at;
    XID top = kNone;
  };
  [[nodiscard]] Place place() const;

 private:
  Link& link_;
  Agent* agent_;
  std::vector<unsigned> buttons_;
  std::vector<unsigned> keys_;
};

[[nodiscard]] unsigned button_number(Button button);
[[nodiscard]] unsigned wheel_number(Direction direction);

/// The points of a pointer's way, the last is `to`. Straight and even, or eased with jitter when `pacing.human_like`:
/// always the same for the same ends.
[[nodiscard]] std::vector<DevicePoint> way(DevicePoint from, DevicePoint to, const Pacing& pacing);

}  // namespace deskmark::x11_input
