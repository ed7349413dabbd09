#include "input/plan.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "input/plan_parts.hpp"

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
    case Role::RadioMenuItem: return object.states.has(State::Checked) ? Promise::None : Promise::Checks;
    case Role::PageTab: {
      const bool qt = object.toolkit == Toolkit::Qt5 || object.toolkit == Toolkit::Qt6;
      return object.states.has(qt ? State::Focused : State::Selected) ? Promise::None : Promise::Selects;
    }
    case Role::ListItem:
    case Role::TreeItem:
    case Role::TableRow:
      return object.states.has(State::Selectable) && !object.states.has(State::Selected) ? Promise::Selects
                                                                                         : Promise::None;
    case Role::ComboBox:
    case Role::Menu: return Promise::Expands;
    default: break;
  }
  if (is_field(object)) return object.states.has(State::Focused) ? Promise::None : Promise::Focuses;
  if (object.states.has(State::Expandable)) return Promise::Expands;
  return Promise::None;
}

int click_count(const Request& request) { return request.action == Action::DoubleClick ? 2 : 1; }

Button click_button(const Request& request) {
  if (request.action == Action::RightClick) return Button::Right;
  if (request.action == Action::MiddleClick) return Button::Middle;
  return request.button.value_or(Button::Left);
}

/// The toolkit gives an object the keyboard focus without presenting its window. GTK 3 raises and activates it
/// (GtkWidgetAccessible calls gtk_window_present), GTK 4 answers NotSupported.
bool focuses_quietly(const ActTarget& to) {
  if (!to.object || !to.object->interfaces.has(Iface::Component)) return false;
  switch (to.object->toolkit) {
    case Toolkit::Qt5:
    case Toolkit::Qt6: return true;
    case Toolkit::Gtk4: return false;
    default: return to.window.focused && !to.covered;
  }
}

/// A click on it does nothing but put the focus (and a caret or a selection) there.
bool click_only_focuses(const Accessible& object) {
  switch (object.role) {
    case Role::SpinButton:
    case Role::ListItem:
    case Role::TreeItem:
    case Role::TableRow:
    case Role::TableCell:
    case Role::Icon:
    case Role::DrawingArea:
    case Role::Canvas:
    case Role::Panel:
    case Role::DocumentWeb:
    case Role::DocumentFrame: return true;
    default: return is_field(object);
  }
}

/// An accessible action of GTK 3 runs the program's code within the call: a dialog it waits for (gtk_dialog_run) keeps
/// the whole program from answering on the bus until that is closed. Menus open dialogs, and buttons which say so by an
/// ellipsis; they also grab the user's own pointer when they are opened through the tree.
bool may_stop_answering(const Accessible& object) {
  if (object.toolkit != Toolkit::Gtk3) return false;
  switch (object.role) {
    case Role::Menu:
    case Role::MenuItem:
    case Role::CheckMenuItem:
    case Role::RadioMenuItem: return true;
    default: return object.name.ends_with("...") || object.name.ends_with("\u2026");
  }
}

Plan plan_click(const Request& request, const ActTarget& to) {
  Plan plan;
  const bool plain = plain_left_click(request);
  const Accessible* shown = to.object ? &*to.object : to.under ? &*to.under : nullptr;
  const bool single_left =
      request.action == Action::Click && click_button(request) == Button::Left && request.modifiers.empty();
  if (shown && single_left) plan.promise = click_promise(*shown);
  // Text goes where the caret is put, so a field is clicked where the mark is; an action would not move the caret.
  const std::string action = plain && to.object ? click_action(*to.object) : "";
  const Attempt pointer =
      pointer_attempt(request, PointerClick{to.at, click_button(request), click_count(request), request.modifiers});
  const bool by_hand = !action.empty() && may_stop_answering(*to.object);
  if (!action.empty() && !by_hand) plan.ladder.push_back({Route::Accessibility, {DoAction{to.object->ref, action}}});
  const bool selectable = plain && action.empty() && to.selects && plan.promise == Promise::Selects;
  // Selecting a tab is all that clicking it does; a row may do more when it is clicked, so that comes first.
  const bool tab = to.object && to.object->role == Role::PageTab;
  if (selectable && tab) plan.ladder.push_back({Route::Accessibility, {*to.selects}});
  plan.ladder.push_back(pointer);
  if (by_hand) plan.ladder.push_back({Route::Accessibility, {DoAction{to.object->ref, action}}});
  if (selectable && !tab) plan.ladder.push_back({Route::Accessibility, {*to.selects}});
  if (plain && to.object && is_field(*to.object) && action.empty() && focuses_quietly(to))
    plan.ladder.push_back({Route::Accessibility, {FocusObject{to.object->ref}}});
  return plan;
}

Plan plan_type(const Request& request, const ActTarget& to) {
  Plan plan;
  plan.promise = to.object && is_field(*to.object) ? Promise::TextGains : Promise::None;
  const std::string& text = *request.text;
  for (const char c : text) {
    const bool control = (c >= 0 && c < 0x20 && c != '\n' && c != '\t' && c != '\r') || c == 0x7f;
    if (control)
      return refused_plan(Code::UntypableText, "The text has a control character, which no key types: leave it out.");
  }
  // A new line is a key press where it may submit; in a text of several lines it is a character like others.
  const bool plain_text =
      text.find('\t') == std::string::npos &&
      (text.find('\n') == std::string::npos || (to.object && to.object->states.has(State::MultiLine)));
  const bool insertable = to.object && to.object->interfaces.has(Iface::EditableText) &&
                          to.object->states.has(State::Editable) && plain_text &&
                          request.delivery == Delivery::Background;
  if (insertable) plan.ladder.push_back({Route::Accessibility, {InsertText{to.object->ref, text, to.object->toolkit}}});
  auto steps = focus_steps(request, to);
  if (const Failure* failure = std::get_if<Failure>(&steps)) {
    if (plan.ladder.empty()) plan.refusal = *failure;
    return plan;
  }
  Attempt keys;
  keys.route = key_route(request);
  keys.steps = std::get<std::vector<Step>>(std::move(steps));
  keys.preparing = keys.steps.size();
  keys.steps.push_back(TypeText{text});
  plan.ladder.push_back(std::move(keys));
  return plan;
}

Plan plan_key(const Request& request, const ActTarget& to) {
  const auto combo = parse_keys(request.keys.value_or(""));
  if (const Failure* failure = std::get_if<Failure>(&combo)) return refused_plan(failure->code, failure->message);
  auto steps = focus_steps(request, to);
  if (const Failure* failure = std::get_if<Failure>(&steps)) return refused_plan(failure->code, failure->message);
  Plan plan;
  Attempt keys;
  keys.route = key_route(request);
  keys.steps = std::get<std::vector<Step>>(std::move(steps));
  keys.preparing = keys.steps.size();
  keys.steps.push_back(PressKeys{std::get<KeyCombo>(combo)});
  plan.ladder.push_back(std::move(keys));
  return plan;
}

}  // namespace

Plan refused_plan(Code code, std::string message) {
  Plan plan;
  plan.refusal = Failure{code, std::move(message)};
  return plan;
}

Attempt pointer_attempt(const Request& request, Step step) {
  Attempt attempt;
  attempt.route = request.delivery == Delivery::Foreground ? Route::ForegroundInput : Route::BackgroundPointer;
  attempt.steps.push_back(std::move(step));
  return attempt;
}

Route key_route(const Request& request) {
  return request.delivery == Delivery::Foreground ? Route::ForegroundInput : Route::BackgroundKeys;
}

std::variant<std::vector<Step>, Failure> focus_steps(const Request& request, const ActTarget& to) {
  std::vector<Step> steps;
  const bool pixel_mark = !to.object && request.element.has_value();
  if (to.has_focus || (!to.object && !pixel_mark)) return steps;
  if (!to.object) {
    steps.push_back(PointerClick{to.at, Button::Left, 1, {}});
    return steps;
  }
  if (focuses_quietly(to)) {
    steps.push_back(FocusObject{to.object->ref});
    return steps;
  }
  if (click_only_focuses(*to.object)) {
    steps.push_back(PointerClick{to.at, Button::Left, 1, {}});
    if (to.object->caret >= 0 && to.object->interfaces.has(Iface::Text) && is_field(*to.object))
      steps.push_back(PlaceCaret{to.object->ref, to.object->caret});
    return steps;
  }
  const bool foreground = request.delivery == Delivery::Foreground;
  if (foreground && to.object->toolkit != Toolkit::Gtk4 && to.object->interfaces.has(Iface::Component)) {
    steps.push_back(FocusObject{to.object->ref});
    return steps;
  }
  return Failure{Code::BackgroundUnavailable,
                 "A " + std::string{role_name(to.object->role)} +
                     " cannot be given the keyboard focus here without acting on it: click it instead" +
                     (foreground ? "." : ", or use delivery_mode foreground.")};
}

bool is_field(const Accessible& object) {
  return object.states.has(State::Editable) || object.role == Role::Entry || object.role == Role::PasswordText ||
         object.role == Role::Terminal;
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
    // Chromium's "open" of a select says that it is expanded and shows nothing.
    case Role::ComboBox:
      if (object.toolkit == Toolkit::Chromium) return "";
      break;
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
    case Action::Key: return plan_key(request, to);
    default: return refused_plan(Code::Internal, "This action is not carried out on an element.");
  }
}

}  // namespace deskmark
