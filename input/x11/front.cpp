// Who is in front: looked at before an action, put back after it.
#include <algorithm>

#include "input/x11/windows.hpp"

namespace deskmark::x11_input {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kActivation{1500};
constexpr milliseconds kRestore{700};
constexpr milliseconds kRaise{250};
constexpr milliseconds kReaction{150};  // of a manager that cannot be asked

XID active_window(Link& link) { return link.value(link.root(), "_NET_ACTIVE_WINDOW", XA_WINDOW).value_or(kNone); }

bool contains(Link& link, XID outer, XID inner) {
  if (inner == kNone || inner == PointerRoot) return false;
  const auto up = ancestry(link, inner);
  return std::find(up.begin(), up.end(), outer) != up.end();
}

XID core_focus(Link& link) {
  XID focus = kNone;
  int revert = 0;
  if (!link.dead()) XGetInputFocus(link.x(), &focus, &revert);
  return focus;
}

void ask_to_activate(Link& link, XID window, XID now_active, const Deadline& deadline) {
  // Source 2, a pager: the user's wish, which window managers do not weigh against the time of the last input.
  link.message(window, link.root(), "_NET_ACTIVE_WINDOW",
               {2, static_cast<long>(link.now(deadline)), static_cast<long>(now_active)},
               SubstructureRedirectMask | SubstructureNotifyMask);
}

/// Waits for `done` (which asks the server) on changes of the root's properties and stacking.
bool wait_until(Link& link, const Deadline& deadline, const std::function<bool()>& done) {
  while (!link.dead()) {
    if (done()) return true;
    if (deadline.passed()) return false;
    bool changed = false;
    link.wait(deadline.at_most(milliseconds{40}), [&](const XEvent& event) {
      changed = changed || event.type == PropertyNotify || event.type == ConfigureNotify;
      return changed;
    });
  }
  return false;
}

/// Puts `window` right above `sibling`, through the window manager where there is one.
void restack(Link& link, XID window, XID sibling, bool manager) {
  constexpr long kAbove = 0;  // X.h's Above
  if (manager) {
    link.message(window, link.root(), "_NET_RESTACK_WINDOW", {2, static_cast<long>(sibling), kAbove},
                 SubstructureRedirectMask | SubstructureNotifyMask);
    return;
  }
  XWindowChanges changes{};
  changes.sibling = sibling;
  changes.stack_mode = kAbove;
  XConfigureWindow(link.x(), window, CWSibling | CWStackMode, &changes);
}

std::vector<XID> stack_now(Link& link) {
  auto stack = link.property(link.root(), link.atom("_NET_CLIENT_LIST_STACKING"), XA_WINDOW, 4096);
  if (!stack.empty() || managed(link)) return {stack.begin(), stack.end()};
  XID root = kNone;
  XID parent = kNone;
  XID* children = nullptr;
  unsigned count = 0;
  if (link.dead() || XQueryTree(link.x(), link.root(), &root, &parent, &children, &count) == 0) return {};
  const std::unique_ptr<XID, XFreed> owned{children};
  std::vector<XID> out;
  std::copy_if(children, children + count, std::back_inserter(out), [&](XID w) { return viewable(link, w); });
  return out;
}

/// `before` without what is gone, beside `now` without what is new.
bool same_order(const std::vector<XID>& before, const std::vector<XID>& now, std::vector<XID>& wanted) {
  std::vector<XID> kept;
  wanted.clear();
  for (const XID w : before) {
    if (std::find(now.begin(), now.end(), w) != now.end()) wanted.push_back(w);
  }
  for (const XID w : now) {
    if (std::find(before.begin(), before.end(), w) != before.end()) kept.push_back(w);
  }
  return kept == wanted;
}

}  // namespace

Front look_at_front(Link& link) {
  Front out;
  if (link.dead()) return out;
  out.active = active_window(link);
  XGetInputFocus(link.x(), &out.focus, &out.revert);
  out.stack = stack_now(link);
  XID root = kNone;
  XID child = kNone;
  int wx = 0;
  int wy = 0;
  unsigned mask = 0;
  XQueryPointer(link.x(), link.root(), &root, &child, &out.pointer.x, &out.pointer.y, &wx, &wy, &mask);
  return out;
}

void manager_catches_up(Link& link, const Deadline& most) {
  if (!managed(link)) return;
  // Answered for any window, in order with the events before.
  const char* word = "_NET_REQUEST_FRAME_EXTENTS";
  const auto known = link.property(link.root(), link.atom("_NET_SUPPORTED"), XA_ATOM, 4096);
  if (std::find(known.begin(), known.end(), link.atom(word)) == known.end()) {
    Link::pause(kReaction, most);
    return;
  }
  const Atom answer = link.atom("_NET_FRAME_EXTENTS");
  link.message(link.own_window(), link.root(), word, {}, SubstructureRedirectMask | SubstructureNotifyMask);
  link.sync();
  link.wait(most, [&](const XEvent& event) {
    return event.type == PropertyNotify && event.xproperty.window == link.own_window() &&
           event.xproperty.atom == answer;
  });
}

void remind_manager(Link& link, const Front& before) {
  if (before.active == kNone || !managed(link)) return;
  const auto up = ancestry(link, before.active);
  // Managers listen at their frame or, as those without frames do, at the client.
  for (std::size_t i = up.size() > 1 ? 1 : 0; i < up.size(); ++i) {
    XEvent event{};
    event.xfocus.type = FocusIn;
    event.xfocus.window = up[i];
    event.xfocus.mode = NotifyNormal;
    event.xfocus.detail = i == 0 ? NotifyNonlinear : NotifyNonlinearVirtual;
    XSendEvent(link.x(), up[i], kFalse, FocusChangeMask, &event);
  }
}

void restore_front(Link& link, const Front& before, const Deadline& deadline) {
  manager_catches_up(link, Deadline::in(milliseconds{1000}, deadline.stop()));
  const Deadline limit = Deadline::in(kRestore, deadline.stop());
  const bool manager = managed(link);
  const auto there = [&](XID window) {
    return window != kNone && window != PointerRoot && !ancestry(link, window).empty();
  };
  if (manager && before.active != kNone && there(before.active) && active_window(link) != before.active) {
    ask_to_activate(link, before.active, active_window(link), limit);
    wait_until(link, limit, [&] { return active_window(link) == before.active; });
  }
  const XID focus = core_focus(link);
  const bool special = before.focus == kNone || before.focus == PointerRoot;
  if (focus != before.focus && (special || viewable(link, before.focus)) &&
      !(manager && before.active != kNone && contains(link, before.active, focus) &&
        contains(link, before.active, before.focus))) {
    XSetInputFocus(link.x(), before.focus, before.revert, CurrentTime);
    link.sync();
  }
  restore_stacking(link, before, limit);
}

void restore_stacking(Link& link, const Front& before, const Deadline& deadline) {
  const Deadline limit = Deadline::in(kRestore, deadline.stop());
  const bool manager = managed(link);
  std::vector<XID> wanted;
  if (manager) manager_catches_up(link, limit.at_most(milliseconds{200}));
  for (int round = 0; round < 3 && !link.dead() && !limit.passed(); ++round) {
    if (same_order(before.stack, stack_now(link), wanted)) break;
    for (std::size_t i = 1; i < wanted.size(); ++i) restack(link, wanted[i], wanted[i - 1], manager);
    link.sync();
    manager_catches_up(link, limit.at_most(milliseconds{200}));
  }
}

bool bring_forward(Link& link, XID window, const Deadline& deadline) {
  const Deadline limit = deadline.at_most(kActivation);
  const auto up = ancestry(link, window);
  if (up.empty()) return false;
  const auto is_there = [&] {
    const XID focus = core_focus(link);
    return contains(link, window, focus) || (managed(link) && active_window(link) == window && focus != kNone);
  };
  if (managed(link)) {
    const XID active = active_window(link);
    ask_to_activate(link, window, active, limit);
    if (wait_until(link, limit, is_there)) {
      // Raised, too: it may have been active below others.
      wait_until(link, limit.at_most(kRaise), [&] {
        const auto stack = stack_now(link);
        return !stack.empty() && stack.back() == window;
      });
      return true;
    }
    // An override-redirect window, or a manager that does not obey.
  }
  if (!viewable(link, window)) return false;
  XRaiseWindow(link.x(), managed(link) ? window : up.back());
  XSetInputFocus(link.x(), window, RevertToParent, CurrentTime);
  link.sync();
  return wait_until(link, Deadline::in(milliseconds{300}, deadline.stop()), is_there);
}

}  // namespace deskmark::x11_input
