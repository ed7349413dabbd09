#include "input/evidence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <string_view>

namespace deskmark {
namespace {

const Accessible* find(const Observation& o, const ObjectRef& ref) {
  const auto it = std::find_if(o.nodes.begin(), o.nodes.end(), [&](const Accessible& a) { return a.ref == ref; });
  return it == o.nodes.end() ? nullptr : &*it;
}

std::string number_text(double v) {
  std::array<char, 32> out{};
  std::snprintf(out.data(), out.size(), "%g", v);
  return out.data();
}

bool secret(const Accessible& a) { return a.role == Role::PasswordText; }

std::string length_text(int characters) { return std::to_string(characters) + " characters"; }

struct StateKind {
  State state;
  const char* kind;
};
constexpr std::array<StateKind, 6> kStates{{{State::Checked, "checked"},
                                            {State::Pressed, "pressed"},
                                            {State::Selected, "selected"},
                                            {State::Expanded, "expanded"},
                                            {State::Focused, "focused"},
                                            {State::Indeterminate, "indeterminate"}}};

void compare_object(const Accessible& was, const Accessible& is, std::vector<Evidence>& out) {
  for (Evidence& e : compare_states(was.states, is.states)) out.push_back(std::move(e));
  if (was.value && is.value && was.value->current != is.value->current) {
    out.push_back({"value", number_text(was.value->current), number_text(is.value->current)});
  }
  if (was.text != is.text || was.text_length != is.text_length) {
    out.push_back({"text", length_text(was.text_length), length_text(is.text_length)});
  } else if (was.caret != is.caret && was.caret >= 0 && is.caret >= 0) {
    out.push_back({"caret", std::to_string(was.caret), std::to_string(is.caret)});
  }
  if (was.name != is.name && !secret(is)) out.push_back({"name", was.name, is.name});
}

/// Windows that came or went: a dialog opened, a menu closed. Of the application's own: others come and go by
/// themselves.
void compare_windows(const Seen& before, const Seen& after, std::vector<Evidence>& out) {
  const Window& target = before.observation.target;
  std::set<std::uint32_t> own;
  for (const Surface& s : before.observation.surfaces) own.insert(s.window.id);
  for (const Surface& s : after.observation.surfaces) own.insert(s.window.id);
  const auto ours = [&](const Window& w) {
    if (w.type == WindowType::Tooltip) return false;  // comes with the pointer
    return own.count(w.id) > 0 || (w.owner != 0 && own.count(w.owner) > 0) || (target.pid && w.pid == target.pid);
  };
  const auto listed = [](const std::vector<Window>& in, std::uint32_t id) {
    return std::any_of(in.begin(), in.end(), [&](const Window& w) { return w.id == id; });
  };
  for (const Window& w : after.windows) {
    if (ours(w) && !listed(before.windows, w.id)) out.push_back({"window_opened", std::nullopt, w.title});
  }
  for (const Window& w : before.windows) {
    if (ours(w) && !listed(after.windows, w.id)) out.push_back({"window_closed", w.title, std::nullopt});
  }
  for (const Window& w : after.windows) {
    const auto was =
        std::find_if(before.windows.begin(), before.windows.end(), [&](const Window& b) { return b.id == w.id; });
    if (was == before.windows.end() || !own.count(w.id)) continue;
    if (was->minimized != w.minimized)
      out.push_back({"minimized", was->minimized ? "yes" : "no", w.minimized ? "yes" : "no"});
    if (was->title != w.title) out.push_back({"title", was->title, w.title});
  }
}

std::string folded(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return text;
}

bool lists_all(Role role) {
  return role == Role::List || role == Role::ListBox || role == Role::PageTabList || role == Role::Tree ||
         role == Role::TreeTable || role == Role::Table || role == Role::Menu;
}

/// The option shown by a combo box or chosen in a list: the name of the selected item, else the object's own text or
/// name.
bool shows_option(const Observation& o, const Accessible& container, const std::string& label) {
  const auto fits = [wanted = folded(label)](const std::string& text) { return folded(text) == wanted; };
  if (fits(container.name) || fits(container.text)) return true;
  const auto index = static_cast<int>(&container - o.nodes.data());
  // A list shows all its options, and so does a combo box whose list is open: the choice is the selected one.
  const bool all = lists_all(container.role) || container.states.has(State::Expanded);
  for (std::size_t i = 0; i < o.nodes.size(); ++i) {
    const Accessible& a = o.nodes[i];
    if (!fits(a.name) && !fits(a.text)) continue;
    bool selected = a.states.has(State::Selected);
    for (int up = a.parent; up >= 0; up = o.nodes[static_cast<std::size_t>(up)].parent) {
      // It, or the row around its label.
      if (up == index && (!all || selected)) return true;
      if (up == index) break;
      selected = selected || o.nodes[static_cast<std::size_t>(up)].states.has(State::Selected);
    }
  }
  return false;
}

/// Changes by itself: a clock, a progress bar, something that says it is busy.
bool ambient(const Accessible& a) {
  if (a.role == Role::ProgressBar || a.role == Role::Animation || a.role == Role::Timer || a.states.has(State::Busy) ||
      a.states.has(State::Animated)) {
    return true;
  }
  // A time of day or a running time: digits around colons and nothing else.
  const std::string& shown = a.text.empty() ? a.name : a.text;
  const bool clock =
      shown.find(':') != std::string::npos && shown.find_first_not_of("0123456789:.,/ -apmAPM") == std::string::npos;
  return clock;
}

/// What of an object changes when an action elsewhere changes it. Focus follows a click anywhere, so only keys move it.
StateSet telling(const Accessible& a, bool with_focus) {
  StateSet set;
  for (const StateKind& s : kStates) {
    if (s.state != State::Focused || with_focus) set.set(s.state, a.states.has(s.state));
  }
  set.set(State::Sensitive, a.states.has(State::Sensitive));
  return set;
}

bool shows_the_same(const Accessible& a, const Accessible& b) {
  return a.name == b.name && a.text == b.text && a.text_length == b.text_length &&
         telling(a, true) == telling(b, true) && (!a.value || !b.value || a.value->current == b.value->current);
}

std::string shown(const Accessible& a) { return a.text.empty() ? a.name : a.text; }

std::string without_digits(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit && c != '.' && c != ',') out += c;
    if (digit && (out.empty() || out.back() != '#')) out += '#';
  }
  return out;
}

/// The number in it went on, as a counter's does: other digits between the same words. Longer by digits at its end is
/// what typing into a display looks like.
bool only_ticks(const std::string& was, const std::string& is) {
  if (was == is || without_digits(was) != without_digits(is)) return false;
  return !(is.size() > was.size() && is.compare(0, was.size(), was) == 0);
}

/// Other objects of the window that show something else than before, and did not change on their own before that.
void compare_content(const Wanted& wanted, const Observation& earlier, const Observation& before,
                     const Observation& after, Judgement& judgement) {
  std::map<ObjectRef, const Accessible*> at_first;
  std::map<ObjectRef, const Accessible*> was;
  for (const Accessible& a : earlier.nodes) at_first[a.ref] = &a;
  for (const Accessible& a : before.nodes) was[a.ref] = &a;
  const bool by_keys = wanted.action == Action::Key || wanted.action == Action::Type;
  int changed = 0;
  int came = 0;
  int moved = 0;
  const Accessible* first = nullptr;
  const Accessible* focus = nullptr;
  for (const Accessible& a : after.nodes) {
    if (a.ref == wanted.object || ambient(a)) continue;
    const auto b = was.find(a.ref);
    if (b == was.end()) {
      ++came;
      continue;
    }
    const auto e = at_first.find(a.ref);
    if (e != at_first.end() && !shows_the_same(*e->second, *b->second)) continue;
    const bool text = a.name != b->second->name || a.text != b->second->text || a.text_length != b->second->text_length;
    const bool state = telling(a, false) != telling(*b->second, false) ||
                       (a.value && b->second->value && a.value->current != b->second->value->current);
    if (by_keys && a.states.has(State::Focused) && !b->second->states.has(State::Focused)) focus = &a;
    if (wanted.action == Action::Scroll && a.extents != b->second->extents && !a.extents.empty()) ++moved;
    if (text && !state && only_ticks(shown(*b->second), shown(a))) {
      judgement.ticking[a.ref] = shown(a);
    } else if (text || state) {
      ++changed;
      if (!first) first = &a;
    }
  }
  const auto kind_of = [](const Accessible& a) { return std::string{role_name(a.role)}; };
  if (changed > 0)
    judgement.evidence.push_back({"content", std::nullopt,
                                  changed == 1 ? "a " + kind_of(*first) + " elsewhere shows something else"
                                               : std::to_string(changed) + " other objects show something else"});
  if (focus) judgement.evidence.push_back({"focused", std::nullopt, "a " + kind_of(*focus) + " took the focus"});
  if (moved >= 2 || (moved == 1 && after.nodes.size() < 12))
    judgement.evidence.push_back({"scrolled", std::nullopt, std::to_string(moved) + " objects moved"});
  // Nodes come and go with every scroll and redraw of a page that lives: only in one that was the same twice is it
  // news.
  if (came > 0 && earlier.nodes.size() == before.nodes.size())
    judgement.evidence.push_back({"content", std::nullopt, std::to_string(came) + " objects appeared"});
  if (came == 0 && earlier.nodes.size() == before.nodes.size() && after.nodes.size() < before.nodes.size() &&
      after.complete)
    judgement.evidence.push_back({"content", std::nullopt, "objects are gone"});
}

bool has(const std::vector<Evidence>& evidence, std::initializer_list<std::string_view> kinds) {
  return std::any_of(evidence.begin(), evidence.end(),
                     [&](const Evidence& e) { return std::find(kinds.begin(), kinds.end(), e.kind) != kinds.end(); });
}

bool kept(const Wanted& wanted, const Observation& before, const Observation& after,
          const std::vector<Evidence>& evidence) {
  const Accessible* was = find(before, wanted.object);
  const Accessible* is = find(after, wanted.object);
  switch (wanted.promise) {
    case Promise::None: return false;
    case Promise::Toggles: return was && is && has(evidence, {"checked", "pressed", "indeterminate"});
    case Promise::Checks: return is && is->states.has(State::Checked) && has(evidence, {"checked"});
    case Promise::Selects:
      if (!is) return false;
      if (!wanted.text.empty()) return shows_option(after, *is, wanted.text);
      return is->states.has(State::Selected) || (was && tab_came_up(*was, is->states));
    case Promise::Expands: return has(evidence, {"expanded", "window_opened", "window_closed"});
    case Promise::TextBecomes:
      if (!is || (is->text.empty() && is->text_length <= 0 && !wanted.text.empty())) return false;
      // A secret is never read back: only how long it is.
      if (secret(*is)) return was && has(evidence, {"text"});
      return is->text == wanted.text && (is->text_length > 0) == !wanted.text.empty();
    case Promise::TextGains:
      if (is && secret(*is)) return was && is->text_length > was->text_length;
      return was && is && is->text != was->text && is->text.find(wanted.text) != std::string::npos;
    case Promise::ValueBecomes:
      return is && is->value && std::abs(is->value->current - wanted.number) <= wanted.tolerance + 1e-9;
    // Toolkits that drop FOCUSED in an inactive window still move the caret.
    case Promise::Focuses: return is && (is->states.has(State::Focused) || has(evidence, {"caret"}));
  }
  return false;
}

}  // namespace

bool tab_came_up(const Accessible& was, const StateSet& is) {
  const bool qt = was.toolkit == Toolkit::Qt5 || was.toolkit == Toolkit::Qt6;
  return qt && was.role == Role::PageTab && !was.states.has(State::Focused) && is.has(State::Focused);
}

std::vector<Evidence> compare_states(const StateSet& was, const StateSet& is) {
  std::vector<Evidence> out;
  for (const StateKind& s : kStates) {
    if (was.has(s.state) == is.has(s.state)) continue;
    out.push_back({s.kind, was.has(s.state) ? "yes" : "no", is.has(s.state) ? "yes" : "no"});
  }
  return out;
}

Judgement judge(const Wanted& wanted, const Observation& earlier, const Seen& before, const Seen& after) {
  Judgement judgement;
  const Accessible* was = find(before.observation, wanted.object);
  const Accessible* is = find(after.observation, wanted.object);
  if (was && is) compare_object(*was, *is, judgement.evidence);
  compare_windows(before, after, judgement.evidence);
  if (wanted.promise == Promise::None)
    compare_content(wanted, earlier, before.observation, after.observation, judgement);
  judgement.kept = kept(wanted, before.observation, after.observation, judgement.evidence);
  if (judgement.kept && judgement.evidence.empty()) {
    // The wanted state shows elsewhere than in the object itself: a combo box's choice is its item's name.
    judgement.evidence.push_back({std::string{promise_word(wanted.promise)}, std::nullopt, std::nullopt});
  }
  return judgement;
}

}  // namespace deskmark
