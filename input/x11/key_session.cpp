#include "input/x11/key_session.hpp"

#include "input/x11/answers.hpp"
#include "input/x11/front_session.hpp"
#include "input/x11/windows.hpp"

namespace deskmark::x11_input {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kManager{1000};  // for the window manager to take note of what was done

}  // namespace

Delivered with_keys(Session& session, const KeyJob& job, const Layout& layout, int group, Delivered out,
                    const Deadline& deadline, const Send& send, const std::function<void()>& before) {
  Link& link = *session.link;
  const XID window = job.window.id;
  const auto refuse = [&](const char* code, const char* message) {
    out.code = code;
    out.message = message;
    return out;
  };
  const int core_group = layout.group();
  const auto with_group = [&](unsigned device, KeyOut& keys) {
    if (before) before();
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
  const Front front_before = look_at_front(link);
  {
    const AgentFocus focus{link, agent, window, front_before};
    if (!focus.has())
      return refuse("background_unavailable",
                    "The window takes no keys in the background; use delivery_mode foreground.");
    KeyOut keys{link, agent, window, KeyOut::Way::Agent, layout, group};
    with_group(static_cast<unsigned>(agent.keyboard()), keys);
    let_it_read(link, window, milliseconds{1000}, milliseconds{60}, deadline);
  }
  manager_catches_up(link, Deadline::in(kManager, deadline.stop()));
  Front now = look_at_front(link);
  now.pointer = front_before.pointer;
  if (!(now == front_before)) restore_front(link, front_before, deadline);
  return out;
}

std::vector<unsigned> codes_of(const Layout& layout, bool shift, bool level3, std::vector<unsigned> more) {
  if (shift) more.push_back(layout.modifiers().shift);
  if (level3) more.push_back(layout.modifiers().level3);
  return more;
}

unsigned state_of(const Layout& layout, bool shift, bool level3) {
  return (shift ? ShiftMask : 0U) | (level3 ? layout.modifiers().level3_mask : 0U);
}

std::optional<Chord> find_chord(const Layout& layout, const KeyCombo& combo, Delivered& why) {
  Chord out;
  out.group = layout.group();
  auto stroke = layout.keysym(combo.keysym, out.group);
  for (int g = 0; !stroke && g < layout.groups(); ++g) {
    stroke = layout.keysym(combo.keysym, g);
    if (stroke) out.group = g;
  }
  const auto latin = stroke ? std::nullopt : layout.latin_key(combo.keysym);
  out.added = latin.has_value();
  if (latin) {
    stroke = Stroke{*latin, false, false};
    out.group = layout.groups();
  }
  out.spare = !stroke;
  if (out.spare && layout.spare().empty()) {
    why = nothing("unknown_key", "The keyboard has no key for this, and no spare one.");
    return std::nullopt;
  }
  out.code = stroke ? stroke->code : layout.spare().front();
  for (const Modifier m : combo.modifiers) {
    out.codes.push_back(modifier_code(layout, m));
    out.state |= modifier_mask(layout, m);
    if (out.codes.back() == 0) {
      why = nothing("unsupported_modifier", "The keyboard layout has no key for one of the modifiers.");
      return std::nullopt;
    }
  }
  const bool shift = stroke && stroke->shift && (out.state & ShiftMask) == 0;
  const bool level3 = stroke && stroke->level3;
  out.codes = codes_of(layout, shift, level3, out.codes);
  out.state |= state_of(layout, shift, level3);
  return out;
}

}  // namespace deskmark::x11_input
