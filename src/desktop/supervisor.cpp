#include "src/desktop/supervisor.hpp"

#include <glib-unix.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <ctime>
#include <deque>

#include "src/desktop/app_runner.hpp"
#include "src/desktop/environment.hpp"
#include "src/desktop/part_runner.hpp"
#include "src/desktop/restart_policy.hpp"

namespace deskmark::desktop {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kAppGrace{3000};  ///< from SIGTERM to SIGKILL
constexpr milliseconds kPartGrace{2000};
constexpr milliseconds kSettle{50};

std::string dumped(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

class Supervisor {
 public:
  Supervisor(Plan plan, int ready)
      : plan_(std::move(plan)),
        ready_(ready),
        state_(initial_state(plan_)),
        parts_(plan_, state_,
               {[this](milliseconds limit) { iterate(limit); }, [this] { reap(); }, [this] { return stop_; },
                [this] { save(); }}),
        apps_(plan_, state_, [this] { save(); }) {
    state_.supervisor = getpid();
    needs_[kBus] = {kDisplay};  // so that the services it activates get a display that answers
    needs_[kAccessibility] = {kDisplay, kBus};
    needs_[kRegistry] = {kAccessibility};
    needs_[kWindows] = {kDisplay};
  }

  int run() {
    prctl(PR_SET_CHILD_SUBREAPER, 1);  // programs that detach themselves stay ours
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGHUP, SIG_IGN);
    sigset_t handled;
    sigemptyset(&handled);
    for (const int signal : {SIGCHLD, SIGTERM, SIGINT}) sigaddset(&handled, signal);
    sigprocmask(SIG_BLOCK, &handled, nullptr);  // before GLib makes threads
    signals_ = signalfd(-1, &handled, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals_ < 0 || !take_supervisor_lock(plan_.place)) return 1;
    write_all(ready_, dumped({{"locked", true}}, -1));
    g_unix_fd_add(signals_, G_IO_IN, &Supervisor::on_signal, this);
    save();

    std::string problem = start_everything();
    if (stop_) problem = "stopped while starting";
    if (!problem.empty()) {
      take_down();
      write_all(ready_, dumped({{"ok", false}, {"message", problem}, {"taken", parts_.display_taken()}}, -1));
      return 1;
    }
    write_all(ready_, dumped({{"ok", true}}, -1));
    close(ready_);
    g_timeout_add_seconds(60, &Supervisor::on_minute, this);
    while (!stop_) {
      mend();
      serve();
      const auto wake = next_wake();
      if (!stop_ && (!wake || *wake > milliseconds{0})) iterate(wake);
    }
    take_down();
    return 0;
  }

 private:
  // --- events -------------------------------------------------------------------------------------------------------
  static gboolean on_signal(gint fd, GIOCondition, gpointer self) {
    signalfd_siginfo info{};
    while (read(fd, &info, sizeof info) == static_cast<ssize_t>(sizeof info))
      if (info.ssi_signo == SIGTERM || info.ssi_signo == SIGINT) static_cast<Supervisor*>(self)->stop_ = true;
    static_cast<Supervisor*>(self)->reap();
    return G_SOURCE_CONTINUE;
  }

  static gboolean on_connection(gint fd, GIOCondition, gpointer self) {
    if (auto asked = accept_request(fd)) static_cast<Supervisor*>(self)->asked_.push_back(std::move(*asked));
    return G_SOURCE_CONTINUE;
  }

  static gboolean on_minute(gpointer self) {
    static_cast<Supervisor*>(self)->apps_.trim_logs();
    return G_SOURCE_CONTINUE;
  }

  /// Handles events, waiting for one at most `limit` (nothing: as long as it takes).
  void iterate(std::optional<milliseconds> limit) {
    const auto wake = [](gpointer fired) -> gboolean {
      *static_cast<bool*>(fired) = true;
      return G_SOURCE_REMOVE;
    };
    bool fired = false;
    guint timer = 0;
    if (limit) timer = g_timeout_add(static_cast<guint>(limit->count()), wake, &fired);
    g_main_context_iteration(nullptr, TRUE);
    if (limit && !fired) g_source_remove(timer);
  }

  void reap() {
    int status = 0;
    for (pid_t pid = 0; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
      parts_.note_exit(pid, status);
      apps_.note_exit(pid, status);
    }
  }

  // --- parts --------------------------------------------------------------------------------------------------------
  bool depends(std::size_t part, std::size_t on) const {
    return std::any_of(needs_[part].begin(), needs_[part].end(),
                       [&](std::size_t need) { return need == on || depends(need, on); });
  }

  bool needs_run(std::size_t part) const {
    return std::all_of(needs_[part].begin(), needs_[part].end(),
                       [&](std::size_t need) { return state_.parts[need].state == "running"; });
  }

  std::string start_everything() {
    if (auto problem = write_xauthority(plan_.place, plan_.number); !problem.empty()) return problem;
    for (std::size_t i = 0; i < kPartCount; ++i)
      if (auto problem = parts_.start(i); !problem.empty()) return problem;
    listener_ = listen_at(plan_.place.control());
    if (listener_ < 0) return plan_.place.control() + " cannot be listened at";
    control_source_ = g_unix_fd_add(listener_, G_IO_IN, &Supervisor::on_connection, this);
    for (const auto& argv : plan_.runs) {
      const RunAnswer started = apps_.run({argv, plan_.environment, plan_.directory, plan_.umask});
      if (!started.problem.empty()) return started.problem;
    }
    judge();
    return {};
  }

  /// Notes one failure of a part: another try later, or none.
  void failed(std::size_t index, const std::string& why) {
    PartState& part = state_.parts[index];
    part.message = why;
    if (const auto pause = policies_[index].failed(Clock::now())) {
      part.state = "restarting";
      next_try_[index] = Clock::now() + *pause;
    } else {
      part.state = "failed";
      part.message = "given up after " + std::to_string(RestartPolicy::kFailures) + " failures in " +
                     std::to_string(RestartPolicy::kWithin.count()) + " s; the last: " + why;
    }
  }

  /// Restarts what died and what needs it.
  void mend() {
    if (parts_.any_died()) {
      // Clients of a dying X server or bus may be reaped before it: learn the cause before judging.
      for (const auto until = Clock::now() + kSettle; Clock::now() < until;) iterate(milliseconds{5});
    }
    for (std::size_t i = 0; i < kPartCount; ++i) {
      const auto death = parts_.take_death(i);
      if (!death) continue;
      failed(i, state_.parts[i].name + " ended (" + *death + ")");
      for (std::size_t j = kPartCount; j-- > 0;) {
        if (!depends(j, i)) continue;
        parts_.end(j);
        if (state_.parts[j].state != "failed") state_.parts[j].state = "waiting";
      }
      judge();
    }
    for (std::size_t i = 0; i < kPartCount && !stop_; ++i) {
      PartState& part = state_.parts[i];
      const bool again = part.state == "restarting" && Clock::now() >= next_try_[i];
      if ((!again && part.state != "waiting") || !needs_run(i)) continue;
      if (const auto problem = parts_.start(i); !problem.empty())
        failed(i, problem);
      else if (again)
        ++part.restarts;
      judge();
    }
  }

  std::optional<milliseconds> next_wake() const {
    if (parts_.any_died()) return milliseconds{0};
    std::optional<milliseconds> soonest;
    for (std::size_t i = 0; i < kPartCount; ++i) {
      if (state_.parts[i].state != "restarting" || !needs_run(i)) continue;
      const auto left = std::chrono::duration_cast<milliseconds>(next_try_[i] - Clock::now()) + milliseconds{1};
      soonest = std::max(milliseconds{0}, std::min(left, soonest.value_or(left)));
    }
    return soonest;
  }

  // --- programs -----------------------------------------------------------------------------------------------------
  void serve() {
    const PartState& display = state_.parts[kDisplay];
    while (!asked_.empty() && !stop_) {
      // A display that is being restarted is waited for.
      if (display.state != "running" && display.state != "failed") return;
      const Asked asked = std::move(asked_.front());
      asked_.pop_front();
      if (display.state == "failed")
        answer(asked.connection, {0, "", "the desktop has no display any more: " + display.message});
      else
        answer(asked.connection, apps_.run(asked.request));
    }
  }

  // --- the end ------------------------------------------------------------------------------------------------------
  void take_down() {
    state_.state = "stopping";
    save();
    if (control_source_ != 0) g_source_remove(control_source_);
    if (listener_ >= 0) close(listener_);
    unlink(plan_.place.control().c_str());
    for (const auto& asked : asked_) answer(asked.connection, {0, "", "the desktop is stopping"});
    const auto tick = [this] { reap(); };
    const auto programs = [this] { return programs_alive(); };
    end_all(programs, kAppGrace, tick);
    for (const std::size_t part : {kWindows, kRegistry, kAccessibility, kBus}) parts_.end(part);
    end_all(programs, kPartGrace, tick);  // services that the bus activated and that outlived it
    parts_.end(kDisplay);
    end_all([this] { return members(plan_.id); }, kPartGrace, tick);
    remove_stale_display_files(plan_.number);
    const HomeLock lock(home_of(plan_.place.directory));
    remove_place(plan_.place);
  }

  /// Everything below this process that neither is a part nor was started by one.
  std::vector<Process> programs_alive() const {
    std::vector<Process> programs = descendants(getpid());
    for (const auto& part : state_.parts) {
      if (part.pid <= 0) continue;
      const std::vector<Process> owned = descendants(part.pid);
      std::erase_if(programs, [&](const Process& process) {
        return process.pid == part.pid ||
               std::any_of(owned.begin(), owned.end(), [&](const Process& other) { return other.pid == process.pid; });
      });
    }
    return programs;
  }

  // --- what others see ----------------------------------------------------------------------------------------------
  void judge() {
    const auto is = [](const char* word) { return [word](const PartState& part) { return part.state == word; }; };
    const auto& parts = state_.parts;
    if (std::all_of(parts.begin(), parts.end(), is("running")))
      state_.state = "running";
    else
      state_.state = std::any_of(parts.begin(), parts.end(), is("failed")) ? "failed" : "degraded";
    save();
  }

  void save() { static_cast<void>(replace_file(plan_.place.state(), dumped(to_json(state_), 2))); }

  const Plan plan_;
  int ready_;
  DesktopState state_;
  PartRunner parts_;
  AppRunner apps_;
  std::array<std::vector<std::size_t>, kPartCount> needs_;  ///< must run before a part, and take it down with them
  std::array<RestartPolicy, kPartCount> policies_;
  std::array<Clock::time_point, kPartCount> next_try_;
  std::deque<Asked> asked_;
  int signals_ = -1;
  int listener_ = -1;
  guint control_source_ = 0;
  bool stop_ = false;
};

}  // namespace

DesktopState initial_state(const Plan& plan) {
  DesktopState state;
  state.id = plan.id;
  state.number = plan.number;
  state.size = plan.size;
  state.started = static_cast<std::int64_t>(std::time(nullptr));
  state.state = "starting";
  state.environment = desktop_environment(plan.place.directory, plan.number);
  const auto add = [&](const char* name, const std::string& program) {
    state.parts.push_back({name, program, 0, "waiting", 0, ""});
  };
  // In the order of PartIndex.
  add("display", plan.programs.display);
  add("bus", plan.programs.bus);
  add("accessibility", plan.programs.accessibility);
  add("registry", "");
  add("windows", plan.programs.windows);
  return state;
}

int supervise(Plan plan, int ready) { return Supervisor(std::move(plan), ready).run(); }

}  // namespace deskmark::desktop
