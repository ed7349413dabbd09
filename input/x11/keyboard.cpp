#include "input/x11/keyboard.hpp"

#include <algorithm>
#include <utility>

#include "input/x11/answers.hpp"
#include "input/x11/front_session.hpp"
#include "input/x11/key_out.hpp"
#include "input/x11/key_session.hpp"
#include "input/x11/paste.hpp"
#include "input/x11/script.hpp"
#include "input/x11/windows.hpp"

namespace deskmark::x11_input {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kChunk = 48;       // characters between two answers of the program
constexpr milliseconds kSilence{10000};  // a program that says nothing for so long is not typed into further
constexpr milliseconds kBusy{3000};      // they may be busy for so long
constexpr milliseconds kBreath{10};      // between chunks, for programs that cannot be asked
constexpr milliseconds kPerKey{2};       // for them to take a key
constexpr milliseconds kSettle{150};     // before spare keys lose their meaning, for programs that cannot be asked

Delivered begin(const KeyJob& job, int total) {
  Delivered out;
  out.route = job.delivery == Delivery::Background ? "background_keys" : "foreground_input";
  out.total = total;
  return out;
}

Delivered refused(const Delivered& out, Delivered why) {
  why.route = out.route;
  why.total = out.total;
  return why;
}

/// Types a script that is known to be typable.
class Typist {
 public:
  Typist(Session& session, const KeyJob& job, const Layout& layout, const Script& script, const Deadline& deadline)
      : link_(*session.link),
        agents_(session.agent.keyboards()),
        job_(job),
        layout_(layout),
        script_(script),
        deadline_(deadline),
        asks_(speaks(link_, job.window.id, "_NET_WM_PING")) {}

  void type(KeyOut& keys, Delivered& out) {
    SpareKeys spare{link_, agents_};
    for (const Script::Part& part : script_.parts) {
      if (!part.mapped.empty()) spare.map(layout_.spare(), part.mapped);
      if (!strokes(keys, part, out)) break;
      if (!part.mapped.empty() && !consumed()) break;
    }
    if (out.completed == out.total) {
      out.sent = Sent::All;
      return;
    }
    out.sent = out.completed > 0 ? Sent::Part : Sent::Nothing;
    out.code = deadline_.cancelled() ? "cancelled" : "timeout";
    out.message = "The program did not take the text in time; " + std::to_string(out.completed) + " of " +
                  std::to_string(out.total) + " characters were typed.";
  }

 private:
  bool strokes(KeyOut& keys, const Script::Part& part, Delivered& out) {
    std::size_t unasked = 0;
    for (const Stroke& s : part.strokes) {
      if (link_.dead()) return false;
      if (unasked >= kChunk) {
        unasked = 0;
        link_.sync();
        if (deadline_.passed() || !(asks_ ? consumed() : Link::pause(kBreath, deadline_))) return false;
      }
      keys.modifiers(codes_of(layout_, s.shift, s.level3), state_of(layout_, s.shift, s.level3));
      keys.tap(s.code, milliseconds{0}, deadline_);
      if (job_.pacing.key_delay.count() > 0) {
        XFlush(link_.x());
        Link::pause(job_.pacing.key_delay, deadline_);
      }
      ++unasked;
      ++out.completed;
      since_ += 1;
    }
    link_.sync();
    return true;
  }

  /// The program has translated what was sent so far.
  bool consumed() {
    link_.sync();
    const std::size_t sent = std::exchange(since_, 0);
    if (asks_) return ping(link_, job_.window.id, deadline_.at_most(kSilence));
    if (falls_idle(link_, job_.window.id, deadline_.at_most(kBusy))) return true;
    return Link::pause(kSettle + kPerKey * static_cast<int>(sent), deadline_);
  }

  Link& link_;
  std::vector<int> agents_;
  const KeyJob& job_;
  const Layout& layout_;
  const Script& script_;
  const Deadline& deadline_;
  bool asks_;
  std::size_t since_ = 0;
};

}  // namespace

Delivered press_combo(Session& session, const KeyJob& job, const KeyCombo& combo, const Deadline& deadline) {
  Link& link = *session.link;
  Delivered out = begin(job, 1);
  if (auto missing = absent(link, job.window)) return refused(out, *std::move(missing));
  const auto layout = Layout::read(link);
  if (!layout) return refused(out, nothing("display_unavailable", "The X server does not tell its keyboard layout."));
  Delivered why;
  const auto chord = find_chord(*layout, combo, why);
  if (!chord) return refused(out, std::move(why));

  std::optional<AddedGroup> group;
  const auto make_group = [&] {
    if (chord->added) group.emplace(link, session.agent.keyboards()).map(chord->code, chord->group, combo.keysym);
  };
  const auto press = [&](KeyOut& keys, Delivered& done) {
    SpareKeys mapped{link, session.agent.keyboards()};
    if (chord->spare) mapped.map(layout->spare(), {combo.keysym});
    done.sent = Sent::Unknown;
    keys.modifiers(chord->codes, chord->state);
    keys.tap(chord->code, job.pacing.hold, deadline);
    keys.modifiers({}, 0);
    link.sync();
    if (chord->spare) let_it_read(link, job.window.id, milliseconds{1000}, kSettle, deadline);
    done.sent = Sent::All;
    done.completed = 1;
  };
  return with_keys(session, job, *layout, chord->group, out, deadline, press, make_group);
}

Delivered type_text(Session& session, const KeyJob& job, const std::string& text, bool allow_clipboard,
                    const Deadline& deadline) {
  Link& link = *session.link;
  Delivered out = begin(job, 0);
  if (auto missing = absent(link, job.window)) return refused(out, *std::move(missing));
  const auto layout = Layout::read(link);
  if (!layout) return refused(out, nothing("display_unavailable", "The X server does not tell its keyboard layout."));
  const auto script = write_script(text, *layout);
  if (!script && allow_clipboard) {
    if (auto pasted = paste_text(session, job, *layout, text, deadline)) return *std::move(pasted);
  }
  if (!script) {
    return refused(out, nothing("untypable_text",
                                "The text has a character that no key can give (a control character, or the keyboard "
                                "has no spare key); nothing was typed."));
  }
  out.total = script->length;
  if (out.total == 0) {
    out.sent = Sent::All;
    return out;
  }
  return with_keys(session, job, *layout, layout->group(), out, deadline, [&](KeyOut& keys, Delivered& done) {
    Typist{session, job, *layout, *script, deadline}.type(keys, done);
  });
}

}  // namespace deskmark::x11_input
