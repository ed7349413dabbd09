// set_value: the ladder by kind of control. Each rung sets, so the next may follow one that had no effect.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "input/plan_parts.hpp"

namespace deskmark {
namespace {

std::string lower(std::string_view text) {
  std::string out{text};
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
  const auto first = out.find_first_not_of(" \t\n");
  if (first == std::string::npos) return "";
  return out.substr(first, out.find_last_not_of(" \t\n") - first + 1);
}

std::optional<bool> on_off(const std::string& value) {
  const std::string word = lower(value);
  for (const char* on : {"on", "true", "1", "yes", "checked"}) {
    if (word == on) return true;
  }
  for (const char* off : {"off", "false", "0", "no", "unchecked"}) {
    if (word == off) return false;
  }
  return std::nullopt;
}

bool is_toggle(const Accessible& object) {
  switch (object.role) {
    case Role::CheckBox:
    case Role::ToggleButton:
    case Role::Switch:
    case Role::RadioButton:
    case Role::CheckMenuItem:
    case Role::RadioMenuItem: return true;
    // GTK before 4.10 calls its toggle buttons push buttons, and tells that they are more only while they are pressed.
    case Role::PushButton: return object.states.has(State::Checkable) || object.states.has(State::Pressed);
    case Role::TableCell:
    case Role::ListItem:
    case Role::TreeItem: return object.states.has(State::Checkable);
    default: return false;
  }
}

bool is_number(const Accessible& object) {
  return object.role == Role::Slider || object.role == Role::SpinButton || object.role == Role::ScrollBar ||
         object.role == Role::Dial || object.role == Role::SplitPane;
}

/// Parts of a list, told to show another of its parts.
bool is_part(Role role) {
  return role == Role::PageTab || role == Role::ListItem || role == Role::TreeItem || role == Role::TableRow ||
         role == Role::MenuItem;
}

std::string word_of(const Accessible& object) { return std::string{role_name(object.role)}; }

std::string bound(double v) {
  std::string text = std::to_string(v);
  text.erase(text.find_last_not_of('0') + 1);
  if (!text.empty() && text.back() == '.') text.pop_back();
  return text;
}

/// Sets a text and leaves the caret behind it, as typing it would.
Attempt by_text(const Accessible& field, const std::string& text) {
  const auto characters = std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; });
  Attempt attempt{Route::Accessibility, {SetText{field.ref, text}}};
  if (field.interfaces.has(Iface::Text)) attempt.steps.push_back(PlaceCaret{field.ref, static_cast<int>(characters)});
  return attempt;
}

/// Overwrites what a field holds by keys, as a person would.
std::optional<Attempt> by_keys(const Request& request, const ActTarget& to, const std::string& text, bool leave) {
  auto steps = focus_steps(request, to);
  if (std::holds_alternative<Failure>(steps)) return std::nullopt;
  Attempt attempt;
  attempt.route = key_route(request);
  attempt.steps = std::get<std::vector<Step>>(std::move(steps));
  attempt.preparing = attempt.steps.size();
  const auto press = [&](const char* keys) {
    attempt.steps.push_back(PressKeys{std::get<KeyCombo>(parse_keys(keys))});
  };
  press("ctrl+a");
  if (text.empty())
    press("Delete");
  else
    attempt.steps.push_back(TypeText{text});
  if (leave) press("Tab");  // a number counts once the field is left
  return attempt;
}

Plan plan_toggle(const Request& request, const ActTarget& to, const Accessible& object) {
  const auto wanted = on_off(*request.value);
  if (!wanted)
    return refused_plan(Code::InvalidRequest, "value: expected on, off, true or false for a " + word_of(object) + ".");
  const bool is_on = object.states.has(State::Checked) || object.states.has(State::Pressed);
  Plan plan;
  plan.promise = Promise::Toggles;
  if (is_on == *wanted && !object.states.has(State::Indeterminate)) {
    plan.already = true;
    return plan;
  }
  if ((object.role == Role::RadioButton || object.role == Role::RadioMenuItem) && !*wanted) {
    return refused_plan(Code::NotSettable, "A radio button is switched off by choosing another one of its group.");
  }
  // Only the first rung that takes it: a second click would take the first one back.
  if (const std::string action = click_action(object); !action.empty() && request.delivery == Delivery::Background) {
    plan.ladder.push_back({Route::Accessibility, {DoAction{object.ref, action}}});
  }
  plan.ladder.push_back(pointer_attempt(request, PointerClick{to.at, Button::Left, 1, {}}));
  return plan;
}

Plan plan_number(const Request& request, const ActTarget& to, const Accessible& object) {
  const auto wanted = number_of(*request.value);
  if (!wanted) return refused_plan(Code::InvalidRequest, "value: expected a number for a " + word_of(object) + ".");
  if (object.value && object.value->maximum > object.value->minimum &&
      (*wanted < object.value->minimum || *wanted > object.value->maximum)) {
    return refused_plan(Code::InvalidRequest, "value: expected a number from " + bound(object.value->minimum) + " to " +
                                                  bound(object.value->maximum) + ".");
  }
  if (object.role != Role::SpinButton && !object.interfaces.has(Iface::Value)) {
    return refused_plan(
        Code::NotSettable,
        "This " + word_of(object) + " does not tell its value, so that it cannot be set: scroll or drag it.");
  }
  Plan plan;
  plan.promise = object.interfaces.has(Iface::Value) ? Promise::ValueBecomes : Promise::TextBecomes;
  plan.repeatable = true;
  if (object.interfaces.has(Iface::Value))
    plan.ladder.push_back({Route::Accessibility, {SetNumber{object.ref, *wanted}}});
  if (object.role == Role::SpinButton) {
    if (object.interfaces.has(Iface::EditableText))
      plan.ladder.push_back({Route::Accessibility, {SetText{object.ref, *request.value}}});
    if (auto keys = by_keys(request, to, *request.value, true)) plan.ladder.push_back(std::move(*keys));
  }
  return plan;
}

Plan plan_text(const Request& request, const ActTarget& to, const Accessible& object) {
  Plan plan;
  plan.promise = Promise::TextBecomes;
  plan.repeatable = true;
  if (object.interfaces.has(Iface::EditableText)) plan.ladder.push_back(by_text(object, *request.value));
  if (auto keys = by_keys(request, to, *request.value, false)) plan.ladder.push_back(std::move(*keys));
  return plan;
}

Plan plan_choice(const Request& request, const ActTarget& to, const Accessible& object, const ObjectRef& container) {
  Plan plan;
  plan.promise = Promise::Selects;
  plan.repeatable = true;
  plan.ladder.push_back({Route::Accessibility, {ChooseOption{container, *request.value}}});
  if (container != object.ref) {
    // A row in view may be clicked: all that some lists understand.
    plan.ladder.push_back(pointer_attempt(request, ClickOption{container, *request.value}));
    return plan;
  }
  if (to.inner) {
    plan.free_text = true;
    if (to.inner->interfaces.has(Iface::EditableText)) plan.ladder.push_back(by_text(*to.inner, *request.value));
    ActTarget field = to;
    field.object = to.inner;
    if (auto keys = by_keys(request, field, *request.value, false)) plan.ladder.push_back(std::move(*keys));
    return plan;
  }
  // A browser shows the list of a select only in a window that is in front; its keys choose without.
  if (object.role == Role::ComboBox && object.toolkit == Toolkit::Chromium) {
    Attempt keys;
    keys.route = key_route(request);
    keys.steps.push_back(KeysToOption{object.ref, *request.value});
    plan.ladder.push_back(std::move(keys));
  }
  if (const std::string action = click_action(object); !action.empty() && request.delivery == Delivery::Background)
    plan.ladder.push_back({Route::Accessibility, {OpenAndChoose{object.ref, to.at, *request.value, action}}});
  plan.ladder.push_back(pointer_attempt(request, OpenAndChoose{object.ref, to.at, *request.value, ""}));
  return plan;
}

}  // namespace

std::optional<double> number_of(const std::string& value) {
  const std::string word = lower(value);
  if (word.empty()) return std::nullopt;
  char* end = nullptr;
  const double parsed = std::strtod(word.c_str(), &end);
  if (!end || (*end != '\0' && std::string_view{end} != "%") || !std::isfinite(parsed)) return std::nullopt;
  return parsed;
}

bool is_chooser(Role role) {
  return role == Role::ComboBox || role == Role::List || role == Role::ListBox || role == Role::PageTabList ||
         role == Role::Tree || role == Role::TreeTable || role == Role::Table || role == Role::Menu ||
         role == Role::PushButtonMenu;
}

Plan plan_set_value(const Request& request, const ActTarget& to) {
  if (!to.object) {
    return refused_plan(Code::NotSettable, "This mark was read from pixels: click it and type instead.");
  }
  const Accessible& object = *to.object;
  if (is_toggle(object) && on_off(*request.value)) return plan_toggle(request, to, object);
  if (is_number(object)) return plan_number(request, to, object);
  // An editable combo box takes options, and what is none as text.
  if (is_chooser(object.role) || is_chooser(to.role)) return plan_choice(request, to, object, object.ref);
  if (is_part(object.role) && to.container && !object.states.has(State::Editable))
    return plan_choice(request, to, object, *to.container);
  if (is_field(object)) return plan_text(request, to, object);
  if (is_toggle(object)) return plan_toggle(request, to, object);
  if (object.interfaces.has(Iface::Value)) return plan_number(request, to, object);
  // What opens a list of options (GTK 4's drop-down is a button to the tree).
  if (object.states.has(State::HasPopup) || object.states.has(State::Expandable) ||
      object.interfaces.has(Iface::Selection))
    return plan_choice(request, to, object, object.ref);
  return refused_plan(Code::NotSettable,
                      "A " + word_of(object) + " has no value that can be set; click it, or type into a field.");
}

}  // namespace deskmark
