#include "input/x11/clipboard.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "input/x11/selection.hpp"

namespace deskmark::x11_input {

using std::chrono::milliseconds;

namespace {

constexpr std::size_t kMost = std::size_t{32} << 20;  // bytes of one clipboard, in all its targets
constexpr milliseconds kReading{6000};
constexpr milliseconds kQuiet{60};       // after the text was taken: programs ask twice
constexpr milliseconds kRestless{1000};  // but not for ever
constexpr milliseconds kHandOver{1000};

}  // namespace

struct Clipboard::Impl {
  explicit Impl(std::string name) : display(std::move(name)) {}
  ~Impl() {
    stop();
    if (wake >= 0) close(wake);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  struct Before {
    Atom selection = kNone;
    bool owned = false;
    std::vector<Content> contents;
  };

  std::string display;
  std::unique_ptr<Link> link;
  std::unique_ptr<SelectionServer> server;
  std::vector<Before> before;  ///< of the loan that is under way
  // Between loans a thread answers what is asked of the old content; it alone uses the connection then.
  std::thread thread;
  int wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

  /// A connection that the thread does not use.
  bool ready() {
    stop();
    if (link && link->dead()) {
      server.reset();
      link.reset();
    }
    if (link) return true;
    EdgeError error;
    link = Link::open(display, error);
    if (!link) return false;
    // Nothing of other windows is of interest here.
    XSelectInput(link->x(), link->root(), NoEventMask);
    server = std::make_unique<SelectionServer>(*link);
    return link->sync();
  }

  void stop() {
    if (!thread.joinable()) return;
    const std::uint64_t one = 1;
    (void)!write(wake, &one, sizeof one);
    thread.join();
    std::uint64_t count = 0;
    (void)!read(wake, &count, sizeof count);
  }

  void serve_on() {
    if (!server->owns_any() || link->dead() || wake < 0) return;
    thread = std::thread([this] {
      while (server->owns_any() && !link->dead()) {
        XEvent event{};
        while (!link->dead() && XPending(link->x()) > 0) {
          XNextEvent(link->x(), &event);
          server->handle(event);
        }
        if (link->dead()) return;
        pollfd watched[] = {{wake, POLLIN, 0}, {link->descriptor(), POLLIN, 0}};
        poll(watched, 2, -1);
        if (watched[0].revents != 0) return;
      }
    });
  }

  bool serve_until(const Deadline& deadline, const std::function<bool()>& done) {
    return link->wait(deadline, [&](const XEvent& event) {
      if (event.type != 0) server->handle(event);
      return done();
    });
  }

  void hand_over() {
    const Atom clipboard = link->atom("CLIPBOARD");
    const Atom manager = link->atom("CLIPBOARD_MANAGER");
    if (!server->owns(clipboard) || XGetSelectionOwner(link->x(), manager) == kNone) return;
    const Deadline soon = Deadline::in(kHandOver);
    XConvertSelection(link->x(), manager, link->atom("SAVE_TARGETS"), link->atom("_DESKMARK_SAVED"), link->own_window(),
                      link->now(soon));
    XFlush(link->x());
    link->wait(soon, [&](const XEvent& event) {
      if (event.type != 0) server->handle(event);
      return event.type == SelectionNotify && event.xselection.selection == manager;
    });
  }
};

Clipboard::Clipboard(std::string display) : impl_(std::make_unique<Impl>(std::move(display))) {}

Clipboard::~Clipboard() {
  if (!impl_->link || impl_->link->dead()) return;
  give_back();
  impl_->stop();
  impl_->hand_over();
}

bool Clipboard::lend(const std::string& text, bool primary, const Deadline& deadline) {
  Impl& my = *impl_;
  if (!my.ready()) return false;
  my.before.clear();
  const Deadline soon = deadline.at_most(kReading);
  std::vector<Atom> wanted{my.link->atom("CLIPBOARD")};
  if (primary) wanted.push_back(XA_PRIMARY);
  std::vector<Impl::Before> old;
  for (const Atom selection : wanted) {
    Impl::Before was{selection, XGetSelectionOwner(my.link->x(), selection) != kNone, {}};
    // What we serve ourselves cannot be asked of ourselves.
    auto contents = my.server->owns(selection) ? std::optional{my.server->contents(selection)}
                                               : read_selection(*my.link, selection, kMost, soon);
    if (!contents) {
      my.serve_on();
      return false;
    }
    was.contents = *std::move(contents);
    old.push_back(std::move(was));
  }
  my.before = std::move(old);
  for (const Atom selection : wanted) {
    if (my.server->own(selection, text_contents(*my.link, text), soon)) continue;
    give_back();
    return false;
  }
  my.server->forget_takers();
  return true;
}

void Clipboard::offer(const std::string& text) {
  Impl& my = *impl_;
  my.stop();
  if (!my.link || my.link->dead()) return;
  my.server->forget_takers();
  for (const Impl::Before& was : my.before) {
    if (my.server->owns(was.selection))
      my.server->own(was.selection, text_contents(*my.link, text), Deadline::in(kReading));
  }
}

bool Clipboard::taken_by(XID window, const Deadline& deadline) {
  Impl& my = *impl_;
  my.stop();
  if (!my.link || !my.serve_until(deadline, [&] { return my.server->gave_text_to(window); })) return false;
  const Deadline end = Deadline::in(kRestless);
  for (std::size_t asked = 0; asked != my.server->asked() && !end.passed();) {
    asked = my.server->asked();
    my.serve_until(end.at_most(kQuiet), [] { return false; });
  }
  // Should it ask once more, it gets the same.
  my.serve_on();
  return true;
}

void Clipboard::give_back() {
  Impl& my = *impl_;
  my.stop();
  if (!my.link || my.link->dead()) return;
  for (Impl::Before& was : std::exchange(my.before, {})) {
    // Somebody copied meanwhile: that stays.
    if (XGetSelectionOwner(my.link->x(), was.selection) != my.link->own_window()) continue;
    if (!was.owned || !my.server->own(was.selection, std::move(was.contents), Deadline::in(kReading)))
      my.server->drop(was.selection);
  }
  my.serve_on();
}

}  // namespace deskmark::x11_input
