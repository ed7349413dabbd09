#include "input/x11/open.hpp"

#include <cstdlib>
#include <memory>

#include "input/x11/answers.hpp"
#include "input/x11/keyboard.hpp"
#include "input/x11/pointer.hpp"
#include "input/x11/windows.hpp"
#include "input/x11/worker.hpp"

namespace deskmark {
namespace {

using namespace x11_input;

constexpr std::chrono::seconds kConnecting{5};

class X11Input : public InputSink {
 public:
  explicit X11Input(const std::string& display) : worker_(display) {}

  Delivered connect() {
    return worker_.run(Deadline::in(kConnecting), [](Session&) { return Delivered{.sent = Sent::All}; });
  }

  bool reachable(const PointerPlace& place, const Deadline& deadline) override {
    const Delivered found = worker_.run(deadline, [place](Session& s) {
      const bool open = gets_pointer_at(*s.link, place.window.id, place.at);
      return open ? Delivered{.sent = Sent::All} : nothing("background_unavailable", "covered");
    });
    return found.sent == Sent::All;
  }

  Delivered click(const PointerPlace& place, Button button, int count, const std::vector<Modifier>& held,
                  Delivery delivery, bool keep_front, const Pacing& pacing, const Deadline& deadline) override {
    PointerJob job;
    job.from = place;
    job.button = button;
    job.count = count;
    return send(std::move(job), held, delivery, keep_front, pacing, deadline);
  }

  Delivered drag(const PointerPlace& from, const PointerPlace& to, Button button, const std::vector<Modifier>& held,
                 Delivery delivery, bool keep_front, const Pacing& pacing, const Deadline& deadline) override {
    PointerJob job;
    job.from = from;
    job.to = to;
    job.button = button;
    job.drag = true;
    return send(std::move(job), held, delivery, keep_front, pacing, deadline);
  }

  Delivered scroll(const PointerPlace& place, Direction direction, int ticks, const std::vector<Modifier>& held,
                   Delivery delivery, bool keep_front, const Pacing& pacing, const Deadline& deadline) override {
    PointerJob job;
    job.from = place;
    job.direction = direction;
    job.ticks = ticks;
    return send(std::move(job), held, delivery, keep_front, pacing, deadline);
  }

  Delivered press(const Window& window, const KeyCombo& combo, Delivery delivery, bool keep_front, const Pacing& pacing,
                  const Deadline& deadline) override {
    return worker_.run(deadline, [job = KeyJob{window, delivery, keep_front, pacing}, combo, deadline](Session& s) {
      return press_combo(s, job, combo, deadline);
    });
  }

  Delivered type(const Window& window, const std::string& text, Delivery delivery, bool keep_front,
                 bool allow_clipboard, const Pacing& pacing, const Deadline& deadline) override {
    return worker_.run(deadline, [job = KeyJob{window, delivery, keep_front, pacing}, text, allow_clipboard,
                                  deadline](Session& s) { return type_text(s, job, text, allow_clipboard, deadline); });
  }

  Delivered activate(const Window& window, bool raise, const Deadline& deadline) override {
    return worker_.run(deadline, [window, raise, deadline](Session& s) { return bring(s, window, raise, deadline); });
  }

 private:
  Delivered send(PointerJob job, const std::vector<Modifier>& held, Delivery delivery, bool keep_front,
                 const Pacing& pacing, const Deadline& deadline) {
    job.held = held;
    job.delivery = delivery;
    job.keep_front = keep_front;
    job.pacing = pacing;
    return worker_.run(deadline, [job = std::move(job), deadline](Session& s) { return point(s, job, deadline); });
  }

  static Delivered bring(Session& session, const Window& window, bool raise, const Deadline& deadline) {
    Link& link = *session.link;
    Delivered out;
    out.route = "foreground_input";
    out.total = 1;
    if (ancestry(link, window.id).empty())
      return nothing("window_gone", "The window does not exist any more; capture again.");
    const Front before = look_at_front(link);
    const bool done = bring_forward(link, window.id, deadline);
    if (done && !raise) restore_stacking(link, before, deadline);
    out.sent = Sent::All;
    out.completed = done ? 1 : 0;
    if (!done) {
      out.sent = Sent::Unknown;
      out.code = "timeout";
      out.message = "The window manager did not activate the window in time.";
    }
    return out;
  }

  Worker worker_;
};

}  // namespace

Reading<std::unique_ptr<InputSink>> open_x11_input(const std::string& display) {
  const char* named = std::getenv("DISPLAY");
  auto sink = std::make_unique<X11Input>(!display.empty() ? display : named != nullptr ? named : "");
  if (const Delivered connected = sink->connect(); connected.sent != Sent::All)
    return {std::nullopt, {connected.code, connected.message}, {}};
  return {std::unique_ptr<InputSink>{std::move(sink)}, {}, {}};
}

}  // namespace deskmark
