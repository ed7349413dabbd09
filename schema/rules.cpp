#include "schema/rules.hpp"

#include <array>

namespace deskmark {
namespace {

template <class... Actions>
constexpr std::uint32_t set(Actions... actions) {
  return ((1U << static_cast<unsigned>(actions)) | ...);
}

constexpr std::uint32_t kClicks = set(Action::Click, Action::DoubleClick, Action::RightClick, Action::MiddleClick);
constexpr std::uint32_t kPointer = kClicks | set(Action::Drag, Action::Scroll);
constexpr std::uint32_t kInput = kPointer | set(Action::Type, Action::Key, Action::SetValue);
// What can show its result: the human may still hold the desktop after request_handoff, and the lists change nothing.
constexpr std::uint32_t kCaptureAfter = kInput | set(Action::Wait, Action::FocusApp, Action::WaitForHuman);

constexpr std::array<PropertyRule, 23> kRules{{
    {"mode", set(Action::Capture) | kCaptureAfter, Blank::Empty},
    {"app", set(Action::Capture, Action::FocusApp) | kInput, Blank::Empty},
    {"pid", set(Action::Capture), Blank::Zero},
    {"window_id", set(Action::Capture), Blank::Zero},
    {"element", kClicks | set(Action::Scroll, Action::Type, Action::Key, Action::SetValue), Blank::Zero},
    {"coordinate", kClicks | set(Action::Scroll), Blank::Empty},
    {"button", set(Action::Click), Blank::Empty},
    {"modifiers", kPointer, Blank::Empty},
    {"from_element", set(Action::Drag), Blank::Zero},
    {"to_element", set(Action::Drag), Blank::Zero},
    {"from_coordinate", set(Action::Drag), Blank::Empty},
    {"to_coordinate", set(Action::Drag), Blank::Empty},
    {"direction", set(Action::Scroll), Blank::Empty},
    {"amount", set(Action::Scroll), Blank::None},
    {"value", set(Action::SetValue), Blank::None},  // "" clears an entry
    {"text", set(Action::Type), Blank::Empty},
    {"keys", set(Action::Key), Blank::Empty},
    {"seconds", set(Action::Wait, Action::WaitForHuman), Blank::None},
    {"reason", set(Action::RequestHandoff), Blank::Empty},
    {"raise_window", set(Action::FocusApp), Blank::None},
    {"delivery_mode", kInput, Blank::Empty},
    {"bring_to_front", kInput, Blank::None},
    {"capture_after", kCaptureAfter, Blank::None},
}};

}  // namespace

std::span<const PropertyRule> property_rules() { return kRules; }

const PropertyRule* property_rule(std::string_view name) {
  for (const PropertyRule& rule : kRules)
    if (rule.name == name) return &rule;
  return nullptr;
}

}  // namespace deskmark
