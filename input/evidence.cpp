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
  for (const StateKind& s : kStates) {
    if (was.states.has(s.state) == is.states.has(s.state)) continue;
    out.push_back({s.kind, was.states.has(s.state) ? "yes" : "no", is.states.has(s.state) ? "yes" : "no"});
  }
  if (was.value && is.value && was.value->current != is.value->current) {
    out.push_back({"value", number_text(was.value->current), number_text(is.value->current)});
  }
  if (was.text != is.text || was.text_length != is.text_length) {
    out.push_back({"text", length_text(was.text_length), length_text(is.text_length)});
  }
  if (was.name != is.name && !secret(is)) out.push_back({"name", was.name, is.name});
}

/// Windows that came or went: a dialog opened, a menu closed. Only the application's own are in an observation.
void compare_windows(const Observation& before, const Observation& after, std::vector<Evidence>& out) {
  std::set<std::uint32_t> was;
  std::set<std::uint32_t> is;
  for (const Surface& s : before.surfaces) was.insert(s.window.id);
  for (const Surface& s : after.surfaces) is.insert(s.window.id);
  for (const Surface& s : after.surfaces) {
    if (!was.count(s.window.id)) out.push_back({"window_opened", std::nullopt, s.window.title});
  }
  for (const Surface& s : before.surfaces) {
    if (!is.count(s.window.id)) out.push_back({"window_closed", s.window.title, std::nullopt});
  }
}

/// The option shown by a combo box or chosen in a list: the name of the selected item, else the object's own text or
/// name.
bool shows_option(const Observation& o, const Accessible& container, const std::string& label) {
  if (container.name == label || container.text == label) return true;
  const auto index = static_cast<int>(&container - o.nodes.data());
  for (std::size_t i = 0; i < o.nodes.size(); ++i) {
    const Accessible& a = o.nodes[i];
    if (a.name != label && a.text != label) continue;
    for (int up = a.parent; up >= 0; up = o.nodes[static_cast<std::size_t>(up)].parent) {
      if (up != index) continue;
      // A combo box shows only its choice; a list shows all, the choice is selected.
      if (container.role == Role::ComboBox || a.states.has(State::Selected)) return true;
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

bool shows_the_same(const Accessible& a, const Accessible& b) {
  return a.name == b.name && a.text == b.text && a.text_length == b.text_length && a.states == b.states &&
         (!a.value || !b.value || a.value->current == b.value->current);
}

/// Other objects of the window that show something else than before, and did not change on their own before that.
void compare_content(const Observation& earlier, const Observation& before, const Observation& after,
                     const ObjectRef& object, std::vector<Evidence>& out) {
  std::map<ObjectRef, const Accessible*> at_first;
  std::map<ObjectRef, const Accessible*> was;
  for (const Accessible& a : earlier.nodes) at_first[a.ref] = &a;
  for (const Accessible& a : before.nodes) was[a.ref] = &a;
  int changed = 0;
  int came = 0;
  for (const Accessible& a : after.nodes) {
    if (a.ref == object || ambient(a)) continue;
    const auto b = was.find(a.ref);
    if (b == was.end()) {
      ++came;
      continue;
    }
    const auto e = at_first.find(a.ref);
    const bool quiet = e == at_first.end() || shows_the_same(*e->second, *b->second);
    if (quiet && (a.name != b->second->name || a.text != b->second->text || a.text_length != b->second->text_length))
      ++changed;
  }
  if (changed > 0)
    out.push_back({"content", std::nullopt, std::to_string(changed) + " other objects show something else"});
  if (came > 0 && earlier.nodes.size() == before.nodes.size()) {
    out.push_back({"content", std::nullopt, std::to_string(came) + " objects appeared"});
  }
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
      return is->states.has(State::Selected);
    case Promise::Expands: return has(evidence, {"expanded", "window_opened", "window_closed"});
    case Promise::TextBecomes:
      if (!is) return false;
      // A secret is never read back: only how long it is.
      if (secret(*is)) return was && has(evidence, {"text"});
      return is->text == wanted.text && (is->text_length > 0) == !wanted.text.empty();
    case Promise::TextGains:
      return was && is && is->text != was->text && is->text.find(wanted.text) != std::string::npos;
    case Promise::ValueBecomes:
      return is && is->value && std::abs(is->value->current - wanted.number) <= wanted.tolerance + 1e-9;
    case Promise::Focuses: return is && is->states.has(State::Focused);
  }
  return false;
}

}  // namespace

Judgement judge(const Wanted& wanted, const Observation& earlier, const Observation& before, const Observation& after) {
  Judgement judgement;
  const Accessible* was = find(before, wanted.object);
  const Accessible* is = find(after, wanted.object);
  if (was && is) compare_object(*was, *is, judgement.evidence);
  compare_windows(before, after, judgement.evidence);
  if (wanted.promise == Promise::None) compare_content(earlier, before, after, wanted.object, judgement.evidence);
  judgement.kept = kept(wanted, before, after, judgement.evidence);
  if (judgement.kept && judgement.evidence.empty()) {
    // The wanted state shows elsewhere than in the object itself: a combo box's choice is its item's name.
    judgement.evidence.push_back({std::string{promise_word(wanted.promise)}, std::nullopt, std::nullopt});
  }
  return judgement;
}

}  // namespace deskmark
