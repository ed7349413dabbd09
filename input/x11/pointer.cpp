#include "input/x11/pointer.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "input/x11/answers.hpp"
#include "input/x11/front_session.hpp"
#include "input/x11/hand.hpp"
#include "input/x11/layout.hpp"
#include "input/x11/shield.hpp"
#include "input/x11/synthetic.hpp"

namespace deskmark::x11_input {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kStep{12};          // between points of a way
constexpr milliseconds kDwell{120};        // of a drag at its ends: drag and drop asks the target what it takes
constexpr milliseconds kAfterwards{90};    // for a program that activates its window when it is clicked
constexpr milliseconds kReading{250};      // for the program to take what was sent
constexpr milliseconds kManager{1000};     // for the window manager to take note of what was done
constexpr milliseconds kDoubleClick{500};  // the longest of the toolkits' times between the clicks of a double click
constexpr int kNear = 8;                   // device pixels: clicks further apart are never one double click
constexpr milliseconds kTick{15};          // between ticks of the wheel

class Pointing {
 public:
  Pointing(Session& session, const PointerJob& job, const Deadline& deadline)
      : session_(session), link_(*session.link), agent_(session.agent), job_(job), deadline_(deadline) {
    out_.route = background() ? "background_pointer" : "foreground_input";
    out_.total = job.drag ? 1 : job.ticks > 0 ? job.ticks : job.count;
  }

  Delivered run() {
    for (const PointerPlace* place : {&job_.from, &job_.to}) {
      if (place->window.id == 0) continue;
      if (auto missing = absent(link_, place->window)) return refused(*std::move(missing));
    }
    return background() ? in_background() : in_foreground();
  }

 private:
  [[nodiscard]] bool background() const { return job_.delivery == Delivery::Background; }

  Delivered refused(Delivered why) const {
    why.route = out_.route;
    why.total = out_.total;
    return why;
  }
  Delivered refused(const char* code, const char* message) const { return refused(nothing(code, message)); }

  [[nodiscard]] bool open(const PointerPlace& place) const {
    return gets_pointer_at(link_, static_cast<XID>(place.window.id), place.at);
  }
  [[nodiscard]] bool uncovered() const { return open(job_.from) && (!job_.drag || open(job_.to)); }

  Delivered in_background() {
    if (!uncovered()) {
      return refused("background_unavailable",
                     "Another window lies over the target there; use delivery_mode foreground, or move that window.");
    }
    if (!agent_.ready(deadline_)) {
      return refused("background_unavailable", "The X server gives no second pointer; use delivery_mode foreground.");
    }
    manager_catches_up(link_, deadline_.at_most(kManager));
    const Front before = look_at_front(link_);
    const XID window = static_cast<XID>(job_.from.window.id);
    {
      if (job_.ticks == 0) session_.believed.give(window);
      session_.client_pointer.give(window, agent_);
      Hand hand{link_, &agent_};
      if (!job_.held.empty() && !copy_core_map(link_, agent_.keyboards()))
        return refused("background_unavailable",
                       "The agent's keyboard cannot be set up; use delivery_mode foreground.");
      act(hand);
      hand.release_all();
      let_it_read(link_, window, kReading, kAfterwards, Deadline::in(kReading, deadline_.stop()));
    }
    link_.sync();
    watch(before);
    return out_;
  }

  Delivered in_foreground() {
    session_.let_go_for(static_cast<XID>(job_.from.window.id));
    FrontSession front{link_, static_cast<XID>(job_.from.window.id), job_.keep_front, deadline_};
    if (!front.in_front())
      return refused("timeout", "The window could not be brought to the front in time; nothing was sent.");
    if (!uncovered()) {
      return refused("background_unavailable",
                     "Another window stays above the target there; close or move it, then capture again.");
    }
    Hand hand{link_, nullptr};
    act(hand);
    return out_;
  }

  void act(Hand& hand) {
    const DevicePoint start = hand.place().at;
    if (job_.pacing.human_like) {
      for (const DevicePoint p : way(start, job_.from.at, job_.pacing)) {
        hand.move(p);
        Link::pause(kStep, deadline_);
      }
    } else {
      hand.move(job_.from.at);
    }
    link_.sync();
    // The server's own word on where the pointer came to be: a window may have come between meanwhile.
    const auto up = ancestry(link_, static_cast<XID>(job_.from.window.id));
    const Hand::Place now = hand.place();
    if (up.empty() || now.top != up.back() || !(now.at == job_.from.at)) {
      if (hand.agents()) agent_.park();
      out_ = refused("background_unavailable", "Another window came over the target; nothing was pressed.");
      return;
    }
    const auto held = hold_modifiers(hand);
    if (!held) return;
    if (job_.drag)
      drag(hand);
    else if (job_.ticks > 0)
      turn(hand);
    else
      click(hand);
    out_.sent = out_.completed == out_.total ? Sent::All : out_.completed > 0 ? Sent::Part : out_.sent;
    if (out_.completed < out_.total && out_.code.empty()) {
      out_.code = deadline_.cancelled() ? "cancelled" : "timeout";
      out_.message = "The deadline passed while the action was under way.";
    }
    for (const unsigned code : *held) hand.key(code, false);
  }

  std::optional<std::vector<unsigned>> hold_modifiers(Hand& hand) {
    std::vector<unsigned> codes;
    if (job_.held.empty()) return codes;
    const auto layout = Layout::read(link_);
    for (const Modifier m : job_.held) {
      const unsigned code = layout ? modifier_code(*layout, m) : 0;
      if (code == 0) {
        out_ = refused("unsupported_modifier", "The keyboard layout has no key for one of the modifiers.");
        return std::nullopt;
      }
      codes.push_back(code);
    }
    for (const unsigned code : codes) hand.key(code, true);
    link_.sync();
    return codes;
  }

  void press(Hand& hand, unsigned button, const PointerPlace& place) {
    out_.sent = Sent::Unknown;
    if (!hand.agents()) {
      hand.button(button, true);
      link_.sync();
      // A window manager holds the pointer frozen until it has looked at the press: what follows would get places of
      // later moves.
      manager_catches_up(link_, Deadline::in(kManager, deadline_.stop()));
      return;
    }
    Shield shield{link_, agent_, static_cast<XID>(place.window.id), button};
    hand.button(button, true);
    shield.let_through(deadline_);
  }

  void click(Hand& hand) {
    const unsigned button = button_number(job_.button);
    const auto& last = session_.last_click;
    // GTK also counts from an earlier click elsewhere: the second of two clicks is a first one to it then.
    const bool near = std::abs(last.at.x - job_.from.at.x) < kNear && std::abs(last.at.y - job_.from.at.y) < kNear;
    if (job_.count > 1 || (last.button == button && near))
      Link::pause(std::chrono::duration_cast<milliseconds>(last.when + kDoubleClick - std::chrono::steady_clock::now()),
                  deadline_);
    for (int i = 0; i < job_.count && !deadline_.passed() && !link_.dead(); ++i) {
      if (i > 0) Link::pause(job_.pacing.between_clicks, deadline_);
      press(hand, button, job_.from);
      Link::pause(job_.pacing.hold, deadline_);
      hand.button(button, false);
      link_.sync();
      ++out_.completed;
      session_.last_click = {std::chrono::steady_clock::now(), job_.from.at, button};
    }
  }

  void turn(Hand& hand) {
    const unsigned wheel = wheel_number(job_.direction);
    for (int i = 0; i < job_.ticks && !deadline_.passed() && !link_.dead(); ++i) {
      press(hand, wheel, job_.from);
      hand.button(wheel, false);
      Link::pause(kTick, deadline_);
      ++out_.completed;
    }
    link_.sync();
  }

  void drag(Hand& hand) {
    const unsigned button = button_number(job_.button);
    press(hand, button, job_.from);
    Link::pause(job_.pacing.hold, deadline_);
    for (const DevicePoint p : way(job_.from.at, job_.to.at, job_.pacing)) {
      if (deadline_.passed()) break;
      hand.move(p);
      Link::pause(kStep, deadline_);
    }
    link_.sync();
    const bool arrived = !deadline_.passed() && hand.place().at == job_.to.at;
    Link::pause(kDwell, deadline_);
    hand.button(button, false);
    link_.sync();
    if (arrived) ++out_.completed;
  }

  /// Programs may still take the focus because they were clicked; then it is given back.
  void watch(const Front& before) {
    manager_catches_up(link_, Deadline::in(kManager, deadline_.stop()));
    Front now = look_at_front(link_);
    now.pointer = before.pointer;
    if (!(now == before)) restore_front(link_, before, deadline_);
  }

  Session& session_;
  Link& link_;
  Agent& agent_;
  const PointerJob& job_;
  const Deadline& deadline_;
  Delivered out_;
};

}  // namespace

Delivered point(Session& session, const PointerJob& job, const Deadline& deadline) {
  return Pointing{session, job, deadline}.run();
}

}  // namespace deskmark::x11_input
