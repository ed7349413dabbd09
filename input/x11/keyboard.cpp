#include "input/x11/keyboard.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "input/x11/answers.hpp"
#include "input/x11/front_session.hpp"
#include "input/x11/key_out.hpp"
#include "input/x11/script.hpp"
#include "input/x11/windows.hpp"

namespace deskmark::x11_input {
namespace {

using std::chrono::milliseconds;
using Send = std::function<void(KeyOut&, Delivered&)>;

constexpr std::size_t kChunk = 48;       // characters between two answers of the program
constexpr milliseconds kSilence{10000};  // a program that says nothing for so long is not typed into further
constexpr milliseconds kBusy{3000};      // they may be busy for so long
constexpr milliseconds kBreath{10};      // between chunks, for programs that cannot be asked
constexpr milliseconds kPerKey{2};       // for them to take a key
constexpr milliseconds kManager{1000};   // for the window manager to take note of what was done
constexpr milliseconds kSettle{150};     // before spare keys lose their meaning, for programs that cannot be asked

/// Gives `send` keys that arrive in the window, and everything back afterwards.
Delivered with_keys(Session& session, const KeyJob& job, const Layout& layout, int group, Delivered out,
                    const Deadline& deadline, const Send& send) {
  Link& link = *session.link;
  const XID window = job.window.id;
  const auto refuse = [&](const char* code, const char* message) {
    out.code = code;
    out.message = message;
    return out;
  };
  const int core_group = layout.group();
  const auto with_group = [&](unsigned device, KeyOut& keys) {
    if (group != core_group) XkbLockGroup(link.x(), device, static_cast<unsigned>(group));
    send(keys, out);
    keys.modifiers({}, 0);
    link.sync();
    if (group != core_group) {
      let_it_read(link, window, milliseconds{1000}, milliseconds{60}, deadline);
      XkbLockGroup(link.x(), device, static_cast<unsigned>(core_group));
    }
  };

  if (job.delivery == Delivery::Foreground) {
    session.let_go_for(window);
    FrontSession front{link, window, job.keep_front, deadline};
    if (!front.in_front())
      return refuse("timeout", "The window could not be brought to the front in time; nothing was sent.");
    const CleanModifiers clean{link};
    KeyOut keys{link, session.agent, window, KeyOut::Way::User, layout, group};
    with_group(XkbUseCoreKbd, keys);
    return out;
  }
  session.believed.give(window);
  if (is_qt(link, window)) {
    KeyOut keys{link, session.agent, window, KeyOut::Way::Events, layout, group};
    with_group(XkbUseCoreKbd, keys);
    let_it_read(link, window, milliseconds{1000}, milliseconds{60}, deadline);
    return out;
  }
  // Its keymap shall be the core keyboard's while it looks keys up.
  session.idle();
  Agent& agent = session.agent;
  if (!agent.ready(deadline) || !copy_core_map(link, agent.keyboards()))
    return refuse("background_unavailable", "The X server gives no second keyboard; use delivery_mode foreground.");
  manager_catches_up(link, deadline.at_most(kManager));
  const Front before = look_at_front(link);
  {
    const AgentFocus focus{link, agent, window, before};
    if (!focus.has())
      return refuse("background_unavailable",
                    "The window takes no keys in the background; use delivery_mode foreground.");
    KeyOut keys{link, agent, window, KeyOut::Way::Agent, layout, group};
    with_group(static_cast<unsigned>(agent.keyboard()), keys);
    let_it_read(link, window, milliseconds{1000}, milliseconds{60}, deadline);
  }
  manager_catches_up(link, Deadline::in(kManager, deadline.stop()));
  Front now = look_at_front(link);
  now.pointer = before.pointer;
  if (!(now == before)) restore_front(link, before, deadline);
  return out;
}

std::vector<unsigned> codes_of(const Layout& layout, bool shift, bool level3, std::vector<unsigned> more = {}) {
  if (shift) more.push_back(layout.modifiers().shift);
  if (level3) more.push_back(layout.modifiers().level3);
  return more;
}

unsigned state_of(const Layout& layout, bool shift, bool level3) {
  return (shift ? ShiftMask : 0U) | (level3 ? layout.modifiers().level3_mask : 0U);
}

Delivered begin(const KeyJob& job, int total) {
  Delivered out;
  out.route = job.delivery == Delivery::Background ? "background_keys" : "foreground_input";
  out.total = total;
  return out;
}

Delivered refused(Delivered out, Delivered why) {
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

  // In the current group, else in any (ctrl+s under a Cyrillic group), else on a spare key.
  int group = layout->group();
  auto stroke = layout->keysym(combo.keysym, group);
  for (int g = 0; !stroke && g < layout->groups(); ++g) {
    stroke = layout->keysym(combo.keysym, g);
    if (stroke) group = g;
  }
  const bool spare = !stroke;
  if (spare && layout->spare().empty())
    return refused(out, nothing("unknown_key", "The keyboard has no key for this, and no spare one."));

  std::vector<unsigned> codes;
  unsigned state = 0;
  for (const Modifier m : combo.modifiers) {
    codes.push_back(modifier_code(*layout, m));
    state |= modifier_mask(*layout, m);
    if (codes.back() == 0)
      return refused(out, nothing("unsupported_modifier", "The keyboard layout has no key for one of the modifiers."));
  }
  const bool shift = stroke && stroke->shift && (state & ShiftMask) == 0;
  const bool level3 = stroke && stroke->level3;
  codes = codes_of(*layout, shift, level3, codes);
  state |= state_of(*layout, shift, level3);

  return with_keys(session, job, *layout, group, out, deadline, [&](KeyOut& keys, Delivered& done) {
    SpareKeys mapped{link, session.agent.keyboards()};
    if (spare) mapped.map(layout->spare(), {combo.keysym});
    done.sent = Sent::Unknown;
    keys.modifiers(codes, state);
    keys.tap(spare ? layout->spare().front() : stroke->code, job.pacing.hold, deadline);
    keys.modifiers({}, 0);
    link.sync();
    if (spare) let_it_read(link, job.window.id, milliseconds{1000}, kSettle, deadline);
    done.sent = Sent::All;
    done.completed = 1;
  });
}

Delivered type_text(Session& session, const KeyJob& job, const std::string& text, bool /*allow_clipboard*/,
                    const Deadline& deadline) {
  Link& link = *session.link;
  Delivered out = begin(job, 0);
  if (auto missing = absent(link, job.window)) return refused(out, *std::move(missing));
  const auto layout = Layout::read(link);
  if (!layout) return refused(out, nothing("display_unavailable", "The X server does not tell its keyboard layout."));
  const auto script = write_script(text, *layout);
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
