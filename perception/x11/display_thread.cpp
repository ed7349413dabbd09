#include "perception/x11/display_thread.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "perception/x11/connection.hpp"
#include "perception/x11/grab.hpp"
#include "perception/x11/tracker.hpp"

namespace deskmark::x11 {
namespace {

struct Job {
  Deadline deadline;
  std::function<void(Session&)> work;
  bool finished = false;
  EdgeError error;
};

/// A connection and what lives on it.
struct Link {
  std::unique_ptr<Connection> connection;
  Tracker tracker;
  Grabber grabber;
  explicit Link(std::unique_ptr<Connection> made)
      : connection(std::move(made)), tracker(*connection), grabber(*connection, tracker) {}
};

}  // namespace

struct DisplayThread::Shared {
  std::string display;
  std::mutex mutex;
  std::condition_variable_any changed;
  std::deque<std::shared_ptr<Job>> jobs;
  bool stopping = false;
  bool ended = false;
  int wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  int descriptor = -1;  ///< of the connection, for cutting it off from outside; -1: none

  ~Shared() {
    if (wake >= 0) close(wake);
  }

  void loop();
  void serve(std::optional<Link>& link, Job& job);
  void set_descriptor(int value) {
    const std::lock_guard lock{mutex};
    descriptor = value;
  }
  void drop(std::optional<Link>& link) {
    set_descriptor(-1);
    link.reset();
  }
};

void DisplayThread::Shared::serve(std::optional<Link>& link, Job& job) {
  if (link && link->connection->dead()) drop(link);
  if (!link) {
    auto connection = Connection::open(display, job.error);
    if (!connection) return;
    if (connection->extensions().xwayland) {
      job.error = {"wayland_session",
                   "the X server on display \"" + display +
                       "\" belongs to a Wayland session, whose windows cannot be seen through it; Wayland is not "
                       "supported yet: use an X11 session, or start a display with `deskmark desktop start`"};
      return;
    }
    set_descriptor(connection->descriptor());
    link.emplace(std::move(connection));
    link->tracker.start(job.deadline);
    if (auto fault = link->connection->fault()) {
      job.error = *std::move(fault);
      drop(link);
      return;
    }
  }
  link->connection->begin();
  link->connection->drain([&](const xcb_generic_event_t& event) { link->tracker.handle(event); });
  Session session{*link->connection, link->tracker, link->grabber};
  job.work(session);
  if (link->connection->dead()) drop(link);
}

void DisplayThread::Shared::loop() {
  std::optional<Link> link;
  for (;;) {
    std::shared_ptr<Job> job;
    {
      const std::lock_guard lock{mutex};
      if (stopping) break;
      if (!jobs.empty()) {
        job = jobs.front();
        jobs.pop_front();
      }
    }
    if (job) {
      // Whoever asked gave up already: doing it now would only delay the next.
      if (job->deadline.passed()) {
        job->error = {"timeout", "the display was busy for too long"};
      } else {
        serve(link, *job);
      }
      const std::lock_guard lock{mutex};
      job->finished = true;
      changed.notify_all();
      continue;
    }
    if (link) {
      // Events that came with replies are in the queue already and would not wake poll.
      link->connection->drain([&](const xcb_generic_event_t& event) { link->tracker.handle(event); });
      if (link->connection->dead()) drop(link);
    }
    pollfd watched[] = {{wake, POLLIN, 0}, {link ? link->connection->descriptor() : -1, POLLIN, 0}};
    poll(watched, link ? 2 : 1, -1);
    std::uint64_t count = 0;
    if (watched[0].revents != 0 && read(wake, &count, sizeof count) < 0) continue;
  }
  drop(link);
  const std::lock_guard lock{mutex};
  ended = true;
  changed.notify_all();
}

DisplayThread::DisplayThread(std::string display) : shared_(std::make_shared<Shared>()) {
  shared_->display = std::move(display);
  std::thread([shared = shared_] { shared->loop(); }).detach();
}

DisplayThread::~DisplayThread() {
  const auto wake = [&] {
    const std::uint64_t one = 1;
    return write(shared_->wake, &one, sizeof one) == sizeof one;
  };
  std::unique_lock lock{shared_->mutex};
  shared_->stopping = true;
  (void)wake();
  const auto ended = [&] { return shared_->ended; };
  if (shared_->changed.wait_for(lock, std::chrono::milliseconds{500}, ended)) return;
  // It waits for a server that does not answer: cut the connection, so that the wait fails.
  if (shared_->descriptor >= 0) shutdown(shared_->descriptor, SHUT_RDWR);
  shared_->changed.wait_for(lock, std::chrono::milliseconds{500}, ended);
}

EdgeError DisplayThread::run(const Deadline& deadline, std::function<void(Session&)> work) {
  auto job = std::make_shared<Job>(Job{deadline, std::move(work)});
  std::unique_lock lock{shared_->mutex};
  shared_->jobs.push_back(job);
  const std::uint64_t one = 1;
  if (write(shared_->wake, &one, sizeof one) < 0) return {"internal", "the display thread cannot be woken"};
  const bool finished =
      shared_->changed.wait_until(lock, deadline.stop(), deadline.at(), [&] { return job->finished; });
  if (deadline.cancelled()) return {"cancelled", "the request was cancelled"};
  if (finished) return job->error;
  return {"timeout", "the X server of display \"" + shared_->display + "\" did not answer in time"};
}

}  // namespace deskmark::x11
