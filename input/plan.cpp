#include "input/plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace deskmark {
namespace {

bool plain_left_click(const Request& request) {
  return request.action == Action::Click && request.button.value_or(Button::Left) == Button::Left &&
         request.modifiers.empty() && request.delivery == Delivery::Background;
}

Promise click_promise(const Accessible& object) {
  switch (object.role) {
    case Role::CheckBox:
    case Role::CheckMenuItem:
    case Role::ToggleButton:
    case Role::Switch: return Promise::Toggles;
    case Role::RadioButton:
    case Role::RadioMenuItem: return Promise::Checks;
    case Role::PageTab: return Promise::Selects;
    case Role::ListItem:
    case Role::TreeItem:
    case Role::TableRow: return object.states.has(State::Selectable) ? Promise::Selects : Promise::None;
    case Role::ComboBox:
    case Role::Menu: return Promise::Expands;
    case Role::Entry:
    case Role::PasswordText:
    case Role::Text:
    case Role::Terminal: return Promise::Focuses;
    default: break;
  }
  if (object.states.has(State::Expandable)) return Promise::Expands;
  return Promise::None;
}

Attempt pointer_attempt(const Request& request, Step step) {
  Attempt attempt;
  attempt.route = request.delivery == Delivery::Foreground ? Route::ForegroundInput : Route::BackgroundPointer;
  attempt.steps.push_back(std::move(step));
  return attempt;
}

Plan refuse(Code code, std::string message) {
  Plan plan;
  plan.refusal = Failure{code, std::move(message)};
  return plan;
}

int click_count(const Request& request) { return request.action == Action::DoubleClick ? 2 : 1; }

Button click_button(const Request& request) {
  if (request.action == Action::RightClick) return Button::Right;
  if (request.action == Action::MiddleClick) return Button::Middle;
  return request.button.value_or(Button::Left);
}

Plan plan_click(const Request& request, const ActTarget& to) {
  Plan plan;
  const bool plain = plain_left_click(request);
  if (to.object) plan.promise = plain || request.action == Action::Click ? click_promise(*to.object) : Promise::None;
  if (click_button(request) != Button::Left) plan.promise = Promise::None;
  // Text goes where the caret is put, so a field is clicked where the mark is; an action would not move the caret.
  const std::string action = plain && to.object ? click_action(*to.object) : "";
  if (!action.empty())
    plan.ladder.push_back({Route::Accessibility, {DoAction{to.object->ref, action}}});
  else if (plain && to.selects && plan.promise == Promise::Selects)
    plan.ladder.push_back({Route::Accessibility, {*to.selects}});
  else if (plain && to.object && plan.promise == Promise::Focuses && to.object->interfaces.has(Iface::Component) &&
           to.covered) {
    plan.ladder.push_back({Route::Accessibility, {FocusObject{to.object->ref}}});
  }
  plan.ladder.push_back(
      pointer_attempt(request, PointerClick{to.at, click_button(request), click_count(request), request.modifiers}));
  return plan;
}

std::string lower(std::string_view text) {
  std::string out{text};
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(c < 0x80 ? std::tolower(c) : c); });
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

std::optional<double> number(const std::string& value) {
  const std::string word = lower(value);
  if (word.empty()) return std::nullopt;
  char* end = nullptr;
  const double parsed = std::strtod(word.c_str(), &end);
  if (!end || (*end != '\0' && std::string_view{end} != "%") || !std::isfinite(parsed)) return std::nullopt;
  return parsed;
}

bool is_toggle(Role role) {
  return role == Role::CheckBox || role == Role::ToggleButton || role == Role::Switch || role == Role::RadioButton ||
         role == Role::CheckMenuItem || role == Role::RadioMenuItem;
}

bool is_chooser(Role role) {
  return role == Role::ComboBox || role == Role::List || role == Role::ListBox || role == Role::PageTabList ||
         role == Role::Tree || role == Role::TreeTable || role == Role::Table || role == Role::Menu;
}

bool is_number(const Accessible& object) {
  return object.interfaces.has(Iface::Value) &&
         (object.role == Role::Slider || object.role == Role::SpinButton || object.role == Role::ScrollBar ||
          object.role == Role::Dial || object.role == Role::SplitPane || object.role == Role::ProgressBar);
}

Plan plan_toggle(const Request& request, const ActTarget& to, const Accessible& object) {
  const auto wanted = on_off(*request.value);
  if (!wanted)
    return refuse(Code::InvalidRequest,
                  "value: expected on, off, true or false for a " + std::string{role_name(object.role)} + ".");
  const bool is_on = object.states.has(State::Checked) || object.states.has(State::Pressed);
  Plan plan;
  plan.promise = Promise::Toggles;
  if (is_on == *wanted && !object.states.has(State::Indeterminate)) {
    plan.already = true;
    return plan;
  }
  if (object.role == Role::RadioButton && !*wanted) {
    return refuse(Code::NotSettable, "A radio button is switched off by choosing another one of its group.");
  }
  if (const std::string action = click_action(object); !action.empty()) {
    plan.ladder.push_back({Route::Accessibility, {DoAction{object.ref, action}}});
  }
  plan.ladder.push_back(pointer_attempt(request, PointerClick{to.at, Button::Left, 1, {}}));
  return plan;
}

Plan plan_number(const Request& request, const Accessible& object) {
  const auto wanted = number(*request.value);
  if (!wanted)
    return refuse(Code::InvalidRequest, "value: expected a number for a " + std::string{role_name(object.role)} + ".");
  if (object.value && object.value->maximum > object.value->minimum &&
      (*wanted < object.value->minimum || *wanted > object.value->maximum)) {
    return refuse(Code::InvalidRequest, "value: expected a number from " + std::to_string(object.value->minimum) +
                                            " to " + std::to_string(object.value->maximum) + ".");
  }
  Plan plan;
  plan.promise = Promise::ValueBecomes;
  plan.ladder.push_back({Route::Accessibility, {SetNumber{object.ref, *wanted}}});
  return plan;
}

Plan plan_set_value(const Request& request, const ActTarget& to) {
  if (!to.object) {
    return refuse(Code::NotSettable, "This mark was read from pixels: click it and type instead.");
  }
  const Accessible& object = *to.object;
  if (is_toggle(object.role)) return plan_toggle(request, to, object);
  Plan plan;
  if (is_number(object)) return plan_number(request, object);
  const bool editable = object.interfaces.has(Iface::EditableText) &&
                        (object.states.has(State::Editable) || object.role == Role::PasswordText);
  if (editable && !is_chooser(object.role)) {
    plan.promise = Promise::TextBecomes;
    plan.ladder.push_back({Route::Accessibility, {SetText{object.ref, *request.value}}});
    return plan;
  }
  if (is_chooser(object.role) || object.interfaces.has(Iface::Selection)) {
    plan.promise = Promise::Selects;
    plan.ladder.push_back({Route::Accessibility, {ChooseOption{object.ref, *request.value}}});
    return plan;
  }
  if (object.interfaces.has(Iface::Value)) return plan_number(request, object);
  return refuse(Code::NotSettable, "A " + std::string{role_name(object.role)} +
                                       " has no value that can be set; click it, or type into a field.");
}

Plan plan_type(const Request& request, const ActTarget& to) {
  Plan plan;
  plan.promise = to.object ? Promise::TextGains : Promise::None;
  const bool insertable =
      to.object && to.object->interfaces.has(Iface::EditableText) && to.object->states.has(State::Editable) &&
      request.text->find_first_of("\n\t") == std::string::npos && request.delivery == Delivery::Background;
  if (insertable) plan.ladder.push_back({Route::Accessibility, {InsertText{to.object->ref, *request.text}}});
  Attempt keys;
  keys.route = request.delivery == Delivery::Foreground ? Route::ForegroundInput : Route::BackgroundKeys;
  keys.steps.push_back(TypeText{*request.text});
  plan.ladder.push_back(std::move(keys));
  return plan;
}

}  // namespace

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

std::string click_action(const Accessible& object) {
  // A field's "activate" submits it: a click on a field only puts the caret there.
  switch (object.role) {
    case Role::Entry:
    case Role::PasswordText:
    case Role::Text:
    case Role::Terminal:
    case Role::SpinButton:
    case Role::Slider:
    case Role::ScrollBar: return "";
    default: break;
  }
  static constexpr std::array<std::string_view, 9> kNames{"click", "press",    "toggle", "check", "uncheck",
                                                          "jump",  "activate", "open",   "select"};
  // Rows: activating one is a double click's doing.
  const bool row = object.role == Role::ListItem || object.role == Role::TreeItem || object.role == Role::TableRow ||
                   object.role == Role::TableCell || object.role == Role::Icon;
  for (const std::string_view name : kNames) {
    if (row && (name == "activate" || name == "open" || name == "toggle")) continue;
    if (std::find(object.actions.begin(), object.actions.end(), name) != object.actions.end()) return std::string{name};
  }
  // Qt's menus and combo boxes open by "showmenu"; an expander by what it would become.
  if (object.role == Role::ComboBox || object.role == Role::Menu || object.role == Role::PushButtonMenu) {
    for (const char* name : {"showmenu", "show-menu", "expand-or-contract", "expand"}) {
      if (std::find(object.actions.begin(), object.actions.end(), name) != object.actions.end()) return name;
    }
  }
  return "";
}

Plan plan(const Request& request, const std::optional<ActTarget>& from, const ActTarget& to) {
  switch (request.action) {
    case Action::Click:
    case Action::DoubleClick:
    case Action::RightClick:
    case Action::MiddleClick: return plan_click(request, to);
    case Action::Drag: {
      Plan plan;
      plan.ladder.push_back(pointer_attempt(
          request,
          PointerDrag{from ? from->at : to.at, to.at, request.button.value_or(Button::Left), request.modifiers}));
      return plan;
    }
    case Action::Scroll: {
      Plan plan;
      plan.ladder.push_back(
          pointer_attempt(request, PointerScroll{to.at, request.direction, request.amount, request.modifiers}));
      return plan;
    }
    case Action::SetValue: return plan_set_value(request, to);
    case Action::Type: return plan_type(request, to);
    case Action::Key: {
      const auto combo = parse_keys(request.keys.value_or(""));
      if (const Failure* failure = std::get_if<Failure>(&combo)) return refuse(failure->code, failure->message);
      Plan plan;
      plan.ladder.push_back({request.delivery == Delivery::Foreground ? Route::ForegroundInput : Route::BackgroundKeys,
                             {PressKeys{std::get<KeyCombo>(combo)}}});
      return plan;
    }
    default: return refuse(Code::Internal, "This action is not carried out on an element.");
  }
}

namespace {

struct Describe {
  static std::string at(DevicePoint p) { return "(" + std::to_string(p.x) + "," + std::to_string(p.y) + ")"; }
  std::string operator()(const DoAction& s) const { return "action " + s.name; }
  // Texts are told by their length: a plan may be logged.
  std::string operator()(const SetText& s) const { return "set text (" + std::to_string(s.text.size()) + " bytes)"; }
  std::string operator()(const InsertText& s) const {
    return "insert text (" + std::to_string(s.text.size()) + " bytes)";
  }
  std::string operator()(const SetNumber& s) const { return "set number " + std::to_string(s.value); }
  std::string operator()(const ChooseOption&) const { return "choose option"; }
  std::string operator()(const SelectItem& s) const { return "select item " + std::to_string(s.index); }
  std::string operator()(const FocusObject&) const { return "focus"; }
  std::string operator()(const PointerClick& s) const {
    static constexpr std::array<std::string_view, 3> kButtons{"left", "right", "middle"};
    return std::string{kButtons[static_cast<std::size_t>(s.button)]} +
           (s.count == 2 ? " double click at " : " click at ") + at(s.at);
  }
  std::string operator()(const PointerDrag& s) const { return "drag " + at(s.from) + " to " + at(s.to); }
  std::string operator()(const PointerScroll& s) const {
    return "scroll " + std::to_string(s.ticks) + " at " + at(s.at);
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
    for (const Step& step : plan.ladder[i].steps) out += " " + std::visit(Describe{}, step);
    out += "\n";
  }
  return out + "expected: " + std::string{promise_word(plan.promise)};
}

}  // namespace deskmark
