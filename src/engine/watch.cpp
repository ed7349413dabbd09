#include "src/engine/watch.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

#include "input/pixel_change.hpp"

namespace deskmark {
namespace {

using std::chrono::milliseconds;

/// How long an effect is watched for. A promise is worth more patience than a click that may do anything.
constexpr milliseconds kWatchPromise{1200};
constexpr milliseconds kWatchRung{600};
constexpr milliseconds kWatchText{2000};
constexpr milliseconds kWatchAny{500};
/// What a clock or a caret might have done counts when it rests for longer than either does.
constexpr milliseconds kRest{1150};
constexpr milliseconds kSettling{80};
constexpr milliseconds kPeekPause{8};
constexpr milliseconds kLookPause{25};
constexpr milliseconds kRestPause{120};

const Accessible* find(const Observation& o, const ObjectRef& ref) {
  const auto it = std::find_if(o.nodes.begin(), o.nodes.end(), [&](const Accessible& a) { return a.ref == ref; });
  return it == o.nodes.end() ? nullptr : &*it;
}

bool presses(const Accessible& a) { return a.role == Role::PushButton || a.role == Role::PushButtonMenu; }

bool down(const StateSet& states) { return states.has(State::Pressed) || states.has(State::Armed); }

/// The promise as far as the object alone can tell.
bool keeps(const Wanted& wanted, const Accessible& was, const Peek& is) {
  const auto flipped = [&](State s) { return was.states.has(s) != is.states.has(s); };
  switch (wanted.promise) {
    case Promise::Toggles: return flipped(State::Checked) || (was.role != Role::PushButton && flipped(State::Pressed));
    case Promise::Checks: return is.states.has(State::Checked) && flipped(State::Checked);
    case Promise::Selects:
      return wanted.text.empty() &&
             ((is.states.has(State::Selected) && flipped(State::Selected)) || tab_came_up(was, is.states));
    case Promise::Expands: return flipped(State::Expanded);
    case Promise::Focuses:
      return (is.states.has(State::Focused) && flipped(State::Focused)) ||
             (was.caret >= 0 && is.caret >= 0 && was.caret != is.caret);
    case Promise::ValueBecomes: return is.value && std::abs(*is.value - wanted.number) <= wanted.tolerance + 1e-9;
    default: return false;
  }
}

std::vector<Evidence> told_by(const Accessible& was, const Peek& is) {
  std::vector<Evidence> out = compare_states(was.states, is.states);
  if (was.value && is.value && was.value->current != *is.value) {
    const auto word = [](double v) {
      std::string text = std::to_string(v);
      text.erase(text.find_last_not_of('0') + 1);
      if (!text.empty() && text.back() == '.') text.pop_back();
      return text;
    };
    out.push_back({"value", word(was.value->current), word(*is.value)});
  }
  if (was.caret >= 0 && is.caret >= 0 && was.caret != is.caret)
    out.push_back({"caret", std::to_string(was.caret), std::to_string(is.caret)});
  return out;
}

bool text_promise(Promise p) { return p == Promise::TextBecomes || p == Promise::TextGains; }

/// The pieces of what was typed, new lines and tabs left out, follow one another in `text`.
bool holds(const std::string& text, const std::string& typed) {
  std::size_t from = 0;
  std::size_t start = 0;
  while (start <= typed.size()) {
    const std::size_t end = std::min(typed.find_first_of("\n\t", start), typed.size());
    const std::size_t at = text.find(typed.substr(start, end - start), from);
    if (at == std::string::npos) return false;
    from = at + (end - start);
    start = end + 1;
  }
  return true;
}

std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

class Watcher {
 public:
  Watcher(const Actor& actor, const Wanted& wanted, const Beforehand& known)
      : actor_(actor),
        wanted_(wanted),
        known_(known),
        earlier_(known.earlier ? *known.earlier : actor.before.observation),
        was_(find(actor.before.observation, wanted.object)),
        none_(wanted.promise == Promise::None),
        held_(known.pressed) {}

  Watched run() {
    const Deadline until = actor_.deadline.at_most(patience());
    const bool button = was_ && presses(*was_);
    do {
      if (peeks() && until_peeked(button)) return std::move(out_);
      if (text_arrived()) return std::move(out_);
      const auto look = whole_look();
      if (!look) return std::move(out_);
      const Accessible* now = find(look->observation, wanted_.object);
      // A button that is held down has taken the click but not acted on it yet (Qt presses for 100 ms).
      if (none_ && now && presses(*now) && down(now->states)) {
        held_ = true;
      } else if (none_ && held_ && now && out_.judgement.evidence.empty()) {
        out_.judgement.evidence.push_back({"pressed", "no", "yes, then released"});
        return std::move(out_);
      } else if (out_.judgement.kept || (none_ && !out_.judgement.evidence.empty())) {
        if (out_.judgement.kept || !only_coming_and_going() || settled(*look)) return std::move(out_);
        out_.judgement.evidence.clear();
      }
      if (!until.passed()) std::this_thread::sleep_for(kLookPause);
      last_ = std::move(*look);
    } while (!until.passed());
    // One that is gone may have been taken away while it was held: that is no click.
    if (none_ && held_ && out_.judgement.evidence.empty() && last_ && find(last_->observation, wanted_.object))
      out_.judgement.evidence.push_back({"pressed", "no", "yes, then released"});
    if (none_ && out_.judgement.evidence.empty()) weigh_restless();
    return std::move(out_);
  }

 private:
  [[nodiscard]] milliseconds patience() const {
    if (none_) return kWatchAny;
    if (known_.more_rungs) return kWatchRung;
    return text_promise(wanted_.promise) ? kWatchText : kWatchPromise;
  }
  /// All there is to tell by is that objects came or went.
  [[nodiscard]] bool only_coming_and_going() const {
    const auto& evidence = out_.judgement.evidence;
    return std::all_of(evidence.begin(), evidence.end(), [](const Evidence& e) {
      return e.kind == "content" && e.after && (e.after->ends_with("appeared") || e.after->ends_with("gone"));
    });
  }
  /// The same objects a moment later: in a window where they come and go all the time that tells nothing.
  [[nodiscard]] bool settled(const FreshLook& now) const {
    std::this_thread::sleep_for(kSettling);
    auto look = look_again(actor_.sources, actor_.target, {false, false}, actor_.deadline);
    if (!std::holds_alternative<FreshLook>(look)) return true;
    const Observation& again = std::get<FreshLook>(look).observation;
    return again.nodes.size() == now.observation.nodes.size() &&
           std::all_of(again.nodes.begin(), again.nodes.end(),
                       [&](const Accessible& a) { return find(now.observation, a.ref) != nullptr; });
  }
  [[nodiscard]] bool peeks() const { return was_ && actor_.sinks.accessible; }

  /// Asks the object alone for a moment: true when that was enough.
  bool until_peeked(bool button) {
    const bool useful = button || (!none_ && !text_promise(wanted_.promise));
    if (!useful) return false;
    const Deadline moment = actor_.deadline.at_most(milliseconds{button ? 60 : 120});
    do {
      const auto peek = actor_.sinks.accessible->peek(wanted_.object, actor_.deadline.at_most(milliseconds{500}));
      if (!peek) return false;
      if (button && none_ && down(peek->states)) held_ = true;
      if (keeps(wanted_, *was_, *peek)) {
        out_.judgement.kept = true;
        out_.judgement.evidence = told_by(*was_, *peek);
        if (out_.judgement.evidence.empty())
          out_.judgement.evidence.push_back({std::string{promise_word(wanted_.promise)}, std::nullopt, std::nullopt});
        out_.last.reset();
        return true;
      }
      if (button && held_) return false;
      std::this_thread::sleep_for(kPeekPause);
    } while (!moment.passed());
    return false;
  }

  /// Reads the whole field back.
  bool text_arrived() {
    if (text_promise(wanted_.promise) && peeks() && was_->role == Role::PasswordText) return secret_arrived();
    if (!text_promise(wanted_.promise) || !peeks() || was_->role == Role::Terminal || !known_.text) return false;
    const auto text = actor_.sinks.accessible->text(wanted_.object, actor_.deadline.at_most(milliseconds{1500}));
    if (!text) return false;
    const bool set = wanted_.promise == Promise::TextBecomes && *text == wanted_.text;
    const bool gained = wanted_.promise == Promise::TextGains && *text != *known_.text && holds(*text, wanted_.text);
    if (!set && !gained) return false;
    out_.judgement.kept = true;
    out_.judgement.evidence = {{"text", std::to_string(characters(*known_.text)) + " characters",
                                std::to_string(characters(*text)) + " characters"}};
    out_.last.reset();
    return true;
  }

  /// Of a secret only the length is asked.
  bool secret_arrived() {
    if (known_.length < 0) return false;
    const auto peek = actor_.sinks.accessible->peek(wanted_.object, actor_.deadline.at_most(milliseconds{500}));
    if (!peek) return false;
    const int given = static_cast<int>(characters(wanted_.text));
    const int wanted = wanted_.promise == Promise::TextBecomes ? given : known_.length + given;
    if (peek->text_length != wanted) return false;
    out_.judgement.kept = true;
    out_.judgement.evidence = {
        {"text", std::to_string(known_.length) + " characters", std::to_string(peek->text_length) + " characters"}};
    out_.last.reset();
    return true;
  }

  /// A look at the whole window, judged. Nothing: it cannot be looked at any more, which may be the effect.
  std::optional<FreshLook> whole_look() {
    auto look = look_again(actor_.sources, actor_.target, {none_, false}, actor_.deadline);
    if (const Failure* failure = std::get_if<Failure>(&look)) {
      if (failure->code == Code::WindowGone)
        out_.judgement.evidence.push_back({"window_closed", actor_.before.observation.target.title, std::nullopt});
      out_.last.reset();
      return std::nullopt;
    }
    FreshLook now = std::get<FreshLook>(std::move(look));
    out_.judgement = judge(wanted_, earlier_, {actor_.before.observation, actor_.before.list.windows},
                           {now.observation, now.list.windows});
    if (text_promise(wanted_.promise) && known_.text && was_ && was_->role != Role::Terminal)
      out_.judgement.kept = false;  // the whole text decides, not the part in view
    out_.last = std::make_shared<const Observation>(now.observation);
    return now;
  }

  [[nodiscard]] std::vector<DeviceRect> restless_places(const Observation& now) const {
    std::vector<DeviceRect> out;
    for (const Observation* o : {&actor_.before.observation, &now}) {
      for (const Accessible& a : o->nodes) {
        const bool focus = a.states.has(State::Focused) && is_field(a);
        const bool own = a.ref == wanted_.object && a.role != Role::DrawingArea && a.role != Role::Canvas &&
                         a.role != Role::Panel && !is_field(a);
        if ((focus || own || a.ref == known_.own_field || a.role == Role::ProgressBar) && !a.extents.empty())
          out.push_back(a.extents.inflated(12));
      }
    }
    return out;
  }

  /// What a clock could have done: evidence only if nothing goes on changing there.
  void weigh_restless() {
    if (!last_) return;
    const Observation& first = last_->observation;
    const std::vector<DeviceRect> except = restless_places(first);
    const PixelChange pixels = pixel_change(&earlier_, actor_.before.observation, first, except);
    std::map<ObjectRef, std::string> ticking = out_.judgement.ticking;
    const bool by_pixels = ticking.empty() && pixels.telling();
    if (ticking.empty() && !by_pixels) return;
    const Deadline rest = actor_.deadline.at_most(kRest);
    while (!rest.passed()) {
      std::this_thread::sleep_for(kRestPause);
      auto look = look_again(actor_.sources, actor_.target, {by_pixels, false}, actor_.deadline);
      if (!std::holds_alternative<FreshLook>(look)) return;
      const Observation& now = std::get<FreshLook>(look).observation;
      for (auto it = ticking.begin(); it != ticking.end();) {
        const Accessible* a = find(now, it->first);
        const bool rests = a && (a->text.empty() ? a->name : a->text) == it->second;
        it = rests ? std::next(it) : ticking.erase(it);
      }
      if (by_pixels) {
        const PixelChange again = pixel_change(nullptr, first, now, except);
        if (!again.comparable || again.pixels > 0) return;
      } else if (ticking.empty()) {
        return;
      }
    }
    if (by_pixels) {
      const DeviceRect& b = pixels.box;
      out_.judgement.evidence.push_back({"pixels", std::nullopt,
                                         std::to_string(pixels.pixels) + " pixels changed within " +
                                             std::to_string(b.w) + "×" + std::to_string(b.h) + " and stay"});
    } else {
      out_.judgement.evidence.push_back(
          {"content", std::nullopt, std::to_string(ticking.size()) + " other objects show another number, and stay"});
    }
  }

  const Actor& actor_;
  const Wanted& wanted_;
  const Beforehand& known_;
  const Observation& earlier_;
  const Accessible* was_;
  bool none_;
  bool held_;
  Watched out_;
  std::optional<FreshLook> last_;
};

}  // namespace

Watched watch(const Actor& actor, const Wanted& wanted, const Beforehand& known) {
  return Watcher(actor, wanted, known).run();
}

PressWatch::PressWatch(AccessibleSink* sink, ObjectRef object, const Deadline& deadline)
    : thread_([this, sink, object = std::move(object), deadline](const std::stop_token& stop) {
        while (sink && !stop.stop_requested() && !down_ && !deadline.passed()) {
          const auto peek = sink->peek(object, deadline.at_most(milliseconds{300}));
          if (!peek) return;
          if (down(peek->states)) down_ = true;
          std::this_thread::sleep_for(kPeekPause);
        }
      }) {}

PressWatch::~PressWatch() = default;

bool PressWatch::went_down() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
  return down_;
}

}  // namespace deskmark
