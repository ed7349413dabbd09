#include "input/x11/hand.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace deskmark::x11_input {
namespace {

void note(std::vector<unsigned>& down, unsigned what, bool pressed) {
  const auto found = std::find(down.begin(), down.end(), what);
  if (pressed && found == down.end()) down.push_back(what);
  if (!pressed && found != down.end()) down.erase(found);
}

}  // namespace

void Hand::move(DevicePoint to) {
  if (link_.dead()) return;
  if (agent_ != nullptr) {
    int axes[] = {to.x, to.y};
    XTestFakeDeviceMotionEvent(link_.x(), agent_->fake_pointer(), kFalse, 0, axes, 2, CurrentTime);
  } else {
    XTestFakeMotionEvent(link_.x(), DefaultScreen(link_.x()), to.x, to.y, CurrentTime);
  }
  XFlush(link_.x());
}

void Hand::button(unsigned number, bool down) {
  if (link_.dead()) return;
  note(buttons_, number, down);
  if (agent_ != nullptr)
    XTestFakeDeviceButtonEvent(link_.x(), agent_->fake_pointer(), number, down ? 1 : 0, nullptr, 0, CurrentTime);
  else
    XTestFakeButtonEvent(link_.x(), number, down ? 1 : 0, CurrentTime);
  XFlush(link_.x());
}

void Hand::key(unsigned code, bool down) {
  if (link_.dead()) return;
  note(keys_, code, down);
  if (agent_ != nullptr)
    XTestFakeDeviceKeyEvent(link_.x(), agent_->fake_keyboard(), code, down ? 1 : 0, nullptr, 0, CurrentTime);
  else
    XTestFakeKeyEvent(link_.x(), code, down ? 1 : 0, CurrentTime);
}

void Hand::release_all() {
  while (!buttons_.empty() && !link_.dead()) button(buttons_.back(), false);
  while (!keys_.empty() && !link_.dead()) key(keys_.back(), false);
  buttons_.clear();
  keys_.clear();
  if (!link_.dead()) XFlush(link_.x());
}

Hand::Place Hand::place() const {
  Place out;
  XID root = kNone;
  if (link_.dead()) return out;
  if (agent_ == nullptr) {
    int wx = 0;
    int wy = 0;
    unsigned mask = 0;
    XQueryPointer(link_.x(), link_.root(), &root, &out.top, &out.at.x, &out.at.y, &wx, &wy, &mask);
    return out;
  }
  double x = 0;
  double y = 0;
  double wx = 0;
  double wy = 0;
  XIButtonState buttons{};
  XIModifierState modifiers{};
  XIGroupState group{};
  if (XIQueryPointer(link_.x(), agent_->pointer(), link_.root(), &root, &out.top, &x, &y, &wx, &wy, &buttons,
                     &modifiers, &group) != 0) {
    out.at = {static_cast<int>(x), static_cast<int>(y)};
    if (buttons.mask != nullptr) XFree(buttons.mask);
  }
  return out;
}

unsigned button_number(Button button) {
  switch (button) {
    case Button::Left: return 1;
    case Button::Middle: return 2;
    case Button::Right: return 3;
  }
  return 1;
}

unsigned wheel_number(Direction direction) {
  switch (direction) {
    case Direction::Up: return 4;
    case Direction::Down: return 5;
    case Direction::Left: return 6;
    case Direction::Right: return 7;
  }
  return 5;
}

std::vector<DevicePoint> way(DevicePoint from, DevicePoint to, const Pacing& pacing) {
  const int steps = std::max(1, pacing.motion_steps);
  const double dx = to.x - from.x;
  const double dy = to.y - from.y;
  const double length = std::hypot(dx, dy);
  // The standard fixes mt19937's numbers, not those of distributions: the same way on every machine.
  const auto bits = [](int v) { return static_cast<std::uint32_t>(v); };
  std::mt19937 random{bits(from.x) * 73856093U ^ bits(from.y) * 19349663U ^ bits(to.x) * 83492791U ^ bits(to.y)};
  const auto between = [&](double low, double high) {
    return low + (high - low) * (static_cast<double>(random()) / 4294967295.0);
  };
  const double bow = pacing.human_like ? between(-0.12, 0.12) * length : 0;
  std::vector<DevicePoint> out;
  for (int i = 1; i < steps; ++i) {
    double t = static_cast<double>(i) / steps;
    double off = 0;
    if (pacing.human_like) {
      t = t * t * (3 - 2 * t);
      off = bow * 4 * t * (1 - t) + between(-1.5, 1.5);
    }
    const double nx = length > 0 ? -dy / length : 0;
    const double ny = length > 0 ? dx / length : 0;
    out.push_back({static_cast<int>(std::lround(from.x + dx * t + nx * off)),
                   static_cast<int>(std::lround(from.y + dy * t + ny * off))});
  }
  out.push_back(to);
  return out;
}

}  // namespace deskmark::x11_input
