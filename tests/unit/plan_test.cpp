#include <doctest/doctest.h>

#include "input/plan.hpp"

namespace deskmark {
namespace {

Request asked(Action action) {
  Request r;
  r.action = action;
  return r;
}

Accessible object(Role role, std::initializer_list<State> states, std::initializer_list<Iface> interfaces,
                  std::initializer_list<std::string> actions = {}, Toolkit toolkit = Toolkit::Gtk3) {
  Accessible a;
  a.ref = {":1.5", "/object"};
  a.role = role;
  a.toolkit = toolkit;
  for (const State s : states) a.states.set(s);
  for (const Iface i : interfaces) a.interfaces.set(i);
  a.actions = actions;
  return a;
}

ActTarget on(Accessible a) {
  ActTarget t;
  t.window.id = 7;
  t.at = {120, 80};
  t.role = a.role;
  t.object = std::move(a);
  return t;
}

/// "accessibility: click | background_pointer: left click": the ladder in short.
std::string ladder(const Plan& p) {
  if (p.refusal) return std::string{code_word(p.refusal->code)};
  if (p.already) return "already";
  const std::string words = describe(p);
  std::string out;
  std::size_t from = 0;
  while (from < words.size()) {
    const std::size_t end = words.find('\n', from);
    const std::string line = words.substr(from, end - from);
    if (line.rfind("expected", 0) != 0) out += (out.empty() ? "" : " | ") + line.substr(line.find(' ') + 1);
    if (end == std::string::npos) break;
    from = end + 1;
  }
  return out;
}

std::string ladder(const Request& request, const ActTarget& to) { return ladder(plan(request, std::nullopt, to)); }

const std::initializer_list<Iface> kText{Iface::Component, Iface::Text, Iface::EditableText};

}  // namespace

TEST_CASE("a plain left click uses the action that stands for it, then the pointer") {
  const ActTarget button = on(object(Role::PushButton, {}, {Iface::Action}, {"menu.popup", "click"}));
  CHECK(ladder(asked(Action::Click), button) ==
        "accessibility: action click | background_pointer: left click at (120,80)");
  Request front = asked(Action::Click);
  front.delivery = Delivery::Foreground;
  CHECK(ladder(front, button) == "foreground_input: left click at (120,80)");
}

TEST_CASE("what is not a plain left click is never an action") {
  const ActTarget button = on(object(Role::PushButton, {}, {Iface::Action}, {"click"}));
  CHECK(ladder(asked(Action::RightClick), button) == "background_pointer: right click at (120,80)");
  CHECK(ladder(asked(Action::MiddleClick), button) == "background_pointer: middle click at (120,80)");
  CHECK(ladder(asked(Action::DoubleClick), button) == "background_pointer: left double click at (120,80)");
  Request held = asked(Action::Click);
  held.modifiers = {Modifier::Ctrl};
  CHECK(ladder(held, button) == "background_pointer: left click at (120,80) with ctrl");
  held = asked(Action::Click);
  held.button = Button::Right;
  CHECK(ladder(held, button) == "background_pointer: right click at (120,80)");
}

TEST_CASE("namespaced and window actions are never a click") {
  for (const char* name : {"window.close", "buffer.delete-line", "clipboard.copy", "menu.popup"}) {
    CAPTURE(name);
    CHECK(click_action(object(Role::PushButton, {}, {Iface::Action}, {name})).empty());
  }
  CHECK(click_action(object(Role::Text, {State::Editable}, kText, {"activate"})).empty());
  CHECK(click_action(object(Role::ListItem, {}, {Iface::Action}, {"activate"})).empty());
  CHECK(click_action(object(Role::ComboBox, {}, {Iface::Action}, {"show-menu"}, Toolkit::Qt5)) == "show-menu");
  CHECK(click_action(object(Role::ComboBox, {}, {Iface::Action}, {"open"}, Toolkit::Chromium)).empty());
}

TEST_CASE("what a click promises follows from the role and what holds already") {
  const auto promise = [](Accessible a) { return plan(asked(Action::Click), std::nullopt, on(std::move(a))).promise; };
  CHECK(promise(object(Role::CheckBox, {}, {})) == Promise::Toggles);
  CHECK(promise(object(Role::RadioButton, {}, {})) == Promise::Checks);
  CHECK(promise(object(Role::RadioButton, {State::Checked}, {})) == Promise::None);
  CHECK(promise(object(Role::PageTab, {}, {})) == Promise::Selects);
  CHECK(promise(object(Role::PageTab, {State::Selected}, {})) == Promise::None);
  CHECK(promise(object(Role::Entry, {State::Editable}, kText)) == Promise::Focuses);
  CHECK(promise(object(Role::PushButton, {}, {})) == Promise::None);
  CHECK(promise(object(Role::TreeItem, {State::Expandable}, {})) == Promise::None);
  CHECK(promise(object(Role::Panel, {State::Expandable}, {})) == Promise::Expands);
  CHECK(plan(asked(Action::RightClick), std::nullopt, on(object(Role::CheckBox, {}, {}))).promise == Promise::None);
}

TEST_CASE("a tab may be selected, a row is clicked first") {
  ActTarget tab = on(object(Role::PageTab, {State::Selectable}, {}));
  tab.selects = SelectItem{{":1.5", "/tabs"}, 2};
  CHECK(ladder(asked(Action::Click), tab) ==
        "accessibility: select item 2 | background_pointer: left click at (120,80)");
  ActTarget row = on(object(Role::ListItem, {State::Selectable}, {}));
  row.selects = SelectItem{{":1.5", "/list"}, 2};
  CHECK(ladder(asked(Action::Click), row) ==
        "background_pointer: left click at (120,80) | accessibility: select item 2");
}

TEST_CASE("text is inserted, else typed; the field is focused without raising its window") {
  Request type = asked(Action::Type);
  type.text = "abc";
  const ActTarget entry = on(object(Role::Entry, {State::Editable}, kText));
  CHECK(ladder(type, entry) ==
        "accessibility: insert text (3 bytes) | background_keys: left click at (120,80), type (3 bytes)");
  ActTarget focused = entry;
  focused.has_focus = true;
  CHECK(ladder(type, focused) == "accessibility: insert text (3 bytes) | background_keys: type (3 bytes)");
  const ActTarget qt = on(object(Role::Entry, {State::Editable}, kText, {}, Toolkit::Qt6));
  CHECK(ladder(type, qt) == "accessibility: insert text (3 bytes) | background_keys: focus, type (3 bytes)");
  // A field of a page has no EditableText; the caret stays where it was.
  Accessible web = object(Role::Entry, {State::Editable}, {Iface::Component, Iface::Text}, {}, Toolkit::Chromium);
  web.caret = 4;
  CHECK(ladder(type, on(web)) == "background_keys: left click at (120,80), caret to 4, type (3 bytes)");
  type.text = "a\n";
  CHECK(ladder(type, entry) == "background_keys: left click at (120,80), type (2 bytes)");
  CHECK(ladder(type, on(object(Role::Text, {State::Editable, State::MultiLine}, kText))) ==
        "accessibility: insert text (2 bytes) | background_keys: left click at (120,80), type (2 bytes)");
  type.delivery = Delivery::Foreground;
  CHECK(ladder(type, entry) == "foreground_input: left click at (120,80), type (2 bytes)");
}

TEST_CASE("keys go to a window as a whole, and to an element only where focusing it does nothing else") {
  Request key = asked(Action::Key);
  key.keys = "ctrl+s";
  ActTarget window;
  CHECK(ladder(key, window) == "background_keys: press ctrl+s");
  key.element = 3;
  CHECK(ladder(key, on(object(Role::CheckBox, {}, {Iface::Component}))) == "background_unavailable");
  CHECK(ladder(key, on(object(Role::CheckBox, {}, {Iface::Component}, {}, Toolkit::Qt5))) ==
        "background_keys: focus, press ctrl+s");
  CHECK(ladder(key, on(object(Role::ListItem, {}, {Iface::Component}))) ==
        "background_keys: left click at (120,80), press ctrl+s");
  key.keys = "nokey";
  CHECK(ladder(key, window) == "unknown_key");
}

TEST_CASE("set_value: a ladder for each kind of control") {
  Request set = asked(Action::SetValue);
  set.value = "on";
  CHECK(ladder(set, on(object(Role::CheckBox, {State::Checked}, {Iface::Action}, {"click"}))) == "already");
  CHECK(ladder(set, on(object(Role::CheckBox, {}, {Iface::Action}, {"click"}))) ==
        "accessibility: action click | background_pointer: left click at (120,80)");
  CHECK(ladder(set, on(object(Role::Switch, {}, {}, {}, Toolkit::Gtk4))) ==
        "background_pointer: left click at (120,80)");
  set.value = "off";
  CHECK(ladder(set, on(object(Role::RadioButton, {State::Checked}, {}))) == "not_settable");
  set.value = "maybe";
  CHECK(ladder(set, on(object(Role::CheckBox, {}, {}))) == "invalid_request");
  set.value = "70";
  CHECK(ladder(set, on(object(Role::Slider, {}, {Iface::Value}))) == "accessibility: set number 70.000000");
  Accessible bounded = object(Role::Slider, {}, {Iface::Value});
  bounded.value = ValueRange{0, 0, 50, 1};
  CHECK(ladder(set, on(bounded)) == "invalid_request");
  CHECK(ladder(set, on(object(Role::ProgressBar, {}, {}))) == "not_settable");
  CHECK(ladder(set, on(object(Role::Entry, {State::Editable}, kText))) ==
        "accessibility: set text (2 bytes), caret to 2 | background_keys: left click at (120,80), press ctrl+a, type "
        "(2 bytes)");
  set.value = "Huge";
  CHECK(
      ladder(set, on(object(Role::ComboBox, {}, {Iface::Action}, {"press"}))) ==
      "accessibility: choose option | accessibility: open by action press, click the option | background_pointer: open "
      "by a click at (120,80), click the option");
  ActTarget row = on(object(Role::ListItem, {State::Selectable}, {}));
  row.container = ObjectRef{":1.5", "/list"};
  CHECK(ladder(set, row) == "accessibility: choose option | background_pointer: click the option in view");
  CHECK(ladder(set, on(object(Role::PushButton, {}, {}))) == "not_settable");
  CHECK(plan(set, std::nullopt, row).repeatable);
}

TEST_CASE("drag and scroll are for the pointer alone") {
  Request drag = asked(Action::Drag);
  drag.modifiers = {Modifier::Shift};
  ActTarget from;
  from.at = {10, 20};
  ActTarget to;
  to.at = {30, 40};
  CHECK(ladder(plan(drag, from, to)) == "background_pointer: drag (10,20) to (30,40) with shift");
  Request scroll = asked(Action::Scroll);
  scroll.direction = Direction::Left;
  scroll.amount = 5;
  CHECK(ladder(scroll, to) == "background_pointer: scroll left 5 at (30,40)");
}

}  // namespace deskmark
