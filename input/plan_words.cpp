// Plans in words.
#include <array>

#include "input/plan.hpp"

namespace deskmark {

std::string_view route_word(Route route) {
  switch (route) {
    case Route::Accessibility: return "accessibility";
    case Route::BackgroundPointer: return "background_pointer";
    case Route::BackgroundKeys: return "background_keys";
    case Route::ForegroundInput: return "foreground_input";
    case Route::Clipboard: return "clipboard";
  }
  return "";
}

std::string_view promise_word(Promise promise) {
  switch (promise) {
    case Promise::None: return "nothing to tell by";
    case Promise::Toggles: return "checked or pressed flips";
    case Promise::Checks: return "becomes checked";
    case Promise::Selects: return "becomes selected";
    case Promise::Expands: return "expands or opens a popup";
    case Promise::TextBecomes: return "the text becomes the given one";
    case Promise::TextGains: return "the text gains what is typed";
    case Promise::ValueBecomes: return "the value becomes the given number";
    case Promise::Focuses: return "takes the focus";
  }
  return "";
}

namespace {

struct Describe {
  static std::string at(DevicePoint p) { return "(" + std::to_string(p.x) + "," + std::to_string(p.y) + ")"; }
  std::string operator()(const DoAction& s) const { return "action " + s.name; }
  static std::string with(const std::vector<Modifier>& held) {
    static constexpr std::array<std::string_view, 4> kNames{"alt", "ctrl", "shift", "super"};
    std::string out;
    for (const Modifier m : held)
      out += (out.empty() ? " with " : "+") + std::string{kNames[static_cast<std::size_t>(m)]};
    return out;
  }
  // Texts are told by their length: a plan may be logged.
  std::string operator()(const SetText& s) const { return "set text (" + std::to_string(s.text.size()) + " bytes)"; }
  std::string operator()(const InsertText& s) const {
    return "insert text (" + std::to_string(s.text.size()) + " bytes)";
  }
  std::string operator()(const SetNumber& s) const { return "set number " + std::to_string(s.value); }
  std::string operator()(const ChooseOption&) const { return "choose option"; }
  std::string operator()(const SelectItem& s) const { return "select item " + std::to_string(s.index); }
  std::string operator()(const OpenAndChoose& s) const {
    return (s.open.empty() ? "open by a click at " + at(s.at) : "open by action " + s.open) + ", click the option";
  }
  std::string operator()(const KeysToOption&) const { return "focus, then keys to the option"; }
  std::string operator()(const ClickOption&) const { return "click the option in view"; }
  std::string operator()(const FocusObject&) const { return "focus"; }
  std::string operator()(const PlaceCaret& s) const { return "caret to " + std::to_string(s.offset); }
  std::string operator()(const PointerClick& s) const {
    static constexpr std::array<std::string_view, 3> kButtons{"left", "right", "middle"};
    return std::string{kButtons[static_cast<std::size_t>(s.button)]} +
           (s.count == 2 ? " double click at " : " click at ") + at(s.at) + with(s.held);
  }
  std::string operator()(const PointerDrag& s) const { return "drag " + at(s.from) + " to " + at(s.to) + with(s.held); }
  std::string operator()(const PointerScroll& s) const {
    static constexpr std::array<std::string_view, 4> kWays{"up", "down", "left", "right"};
    return "scroll " + std::string{kWays[static_cast<std::size_t>(s.direction)]} + " " + std::to_string(s.ticks) +
           " at " + at(s.at) + with(s.held);
  }
  std::string operator()(const PressKeys& s) const { return "press " + s.combo.canonical; }
  std::string operator()(const TypeText& s) const { return "type (" + std::to_string(s.text.size()) + " bytes)"; }
};

}  // namespace

std::string describe(const Plan& plan) {
  if (plan.refusal) return "refused: " + std::string{code_word(plan.refusal->code)};
  if (plan.already) return "nothing to do: the wanted state holds";
  std::string out;
  for (std::size_t i = 0; i < plan.ladder.size(); ++i) {
    out += std::to_string(i + 1) + ". " + std::string{route_word(plan.ladder[i].route)} + ":";
    const char* between = " ";
    for (const Step& step : plan.ladder[i].steps) {
      out += between + std::visit(Describe{}, step);
      between = ", ";
    }
    out += "\n";
  }
  return out + "expected: " + std::string{promise_word(plan.promise)};
}

}  // namespace deskmark
