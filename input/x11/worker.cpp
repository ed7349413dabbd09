#include "input/x11/worker.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "input/x11/session.hpp"

namespace deskmark::x11_input {
namespace {

// A job ends by itself at its deadline; what it still has to release takes no longer than this.
constexpr std::chrono::milliseconds kGrace{1500};
constexpr std::chrono::milliseconds kIdle{200};

struct Job {
  Deadline deadline;
  std::function<Delivered(Session&)> work;
  bool started = false;
  bool finished = false;
  Delivered result;
};

Delivered failed(Sent sent, std::string code, std::string message) {
  Delivered out;
  out.sent = sent;
  out.code = std::move(code);
  out.message = std::move(message);
  return out;
}

}  // namespace

struct Worker::Shared {
  std::string display;
  std::mutex mutex;
  std::condition_variable_any changed;
  std::deque<std::shared_ptr<Job>> jobs;
  bool stopping = false;
  bool ended = false;
  std::optional<std::chrono::steady_clock::time_point> idle_at;  ///< when the newest job is over for good
  int descriptor = -1;  ///< of the connection, for cutting it off from outside; -1: none

  int wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

  ~Shared() {
    if (wake >= 0) close(wake);
  }
  void call() {
    const std::uint64_t one = 1;
    (void)!write(wake, &one, sizeof one);
  }
  void loop();
  /// Waits for work; meanwhile looks after the user.
  void rest(std::unique_ptr<Session>& session);
  void serve(std::unique_ptr<Session>& session, Job& job);
  void set_descriptor(int value) {
    const std::lock_guard lock{mutex};
    descriptor = value;
  }
  void drop(std::unique_ptr<Session>& session) {
    set_descriptor(-1);
    session.reset();
  }
};

void Worker::Shared::serve(std::unique_ptr<Session>& session, Job& job) {
  if (session) {
    session->link->sync();
    if (session->link->dead()) drop(session);
  }
  if (!session) {
    EdgeError error;
    auto link = Link::open(display, error);
    if (!link) {
      job.result = failed(Sent::Nothing, error.code, error.message);
      return;
    }
    set_descriptor(link->descriptor());
    session = std::make_unique<Session>(std::move(link));
  }
  session->link->drop_events();
  job.result = job.work(*session);
  session->link->sync();
  if (session->link->dead()) {
    const Sent sent = job.result.sent == Sent::Nothing ? Sent::Nothing : Sent::Unknown;
    job.result = failed(sent, "display_unavailable", "The X server of display \"" + display + "\" is gone.");
    drop(session);
  }
}

void Worker::Shared::rest(std::unique_ptr<Session>& session) {
  // Only while the agent is on the display there is anything to look after.
  const bool watches = session && session->agent.exists();
  using Clock = std::chrono::steady_clock;
  int most = -1;
  if (watches && idle_at) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*idle_at - Clock::now());
    most = std::max(0, static_cast<int>(left.count()) + 1);
  }
  pollfd watched[] = {{wake, POLLIN, 0}, {watches ? session->link->descriptor() : -1, POLLIN, 0}};
  poll(watched, watches ? 2 : 1, most);
  std::uint64_t count = 0;
  if (watched[0].revents != 0) {
    (void)!read(wake, &count, sizeof count);
    return;
  }
  if (!watches) return;
  const bool turned = session->link->active_changed();
  const bool idle = idle_at && Clock::now() >= *idle_at;
  if (idle) {
    idle_at.reset();
    session->idle();
  }
  if (turned || idle) session->look_after_user();
  if (session->link->dead()) drop(session);
}

void Worker::Shared::loop() {
  std::unique_ptr<Session> session;
  for (;;) {
    std::shared_ptr<Job> job;
    {
      const std::lock_guard lock{mutex};
      if (stopping) break;
      if (!jobs.empty()) {
        job = jobs.front();
        jobs.pop_front();
        job->started = true;
      }
    }
    if (!job) {
      rest(session);
      continue;
    }
    // Whoever asked gave up already: acting now would surprise everybody.
    if (job->deadline.passed()) {
      job->result = failed(Sent::Nothing, "timeout", "The display was busy for too long; nothing was sent.");
    } else {
      serve(session, *job);
    }
    idle_at = std::chrono::steady_clock::now() + kIdle;
    const std::lock_guard lock{mutex};
    job->finished = true;
    changed.notify_all();
  }
  drop(session);
  const std::lock_guard lock{mutex};
  ended = true;
  changed.notify_all();
}

Worker::Worker(std::string display) : shared_(std::make_shared<Shared>()) {
  shared_->display = std::move(display);
  std::thread([shared = shared_] { shared->loop(); }).detach();
}

Worker::~Worker() {
  std::unique_lock lock{shared_->mutex};
  shared_->stopping = true;
  shared_->call();
  const auto ended = [&] { return shared_->ended; };
  if (shared_->changed.wait_for(lock, std::chrono::seconds{2}, ended)) return;
  if (shared_->descriptor >= 0) shutdown(shared_->descriptor, SHUT_RDWR);
  shared_->changed.wait_for(lock, std::chrono::milliseconds{500}, ended);
}

Delivered Worker::run(const Deadline& deadline, std::function<Delivered(Session&)> work) {
  auto job = std::make_shared<Job>(Job{deadline, std::move(work)});
  std::unique_lock lock{shared_->mutex};
  shared_->jobs.push_back(job);
  shared_->call();
  const auto finished = [&] { return job->finished; };
  if (shared_->changed.wait_until(lock, deadline.stop(), deadline.at(), finished)) return job->result;
  if (!job->started)
    return failed(Sent::Nothing, deadline.cancelled() ? "cancelled" : "timeout",
                  "The display was busy for too long; nothing was sent.");
  if (shared_->changed.wait_for(lock, kGrace, finished)) return job->result;
  if (shared_->descriptor >= 0) shutdown(shared_->descriptor, SHUT_RDWR);
  return failed(Sent::Unknown, "timeout", "The X server of display \"" + shared_->display + "\" does not answer.");
}

}  // namespace deskmark::x11_input
