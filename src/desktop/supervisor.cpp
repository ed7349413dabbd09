#include "src/desktop/supervisor.hpp"

#include <fcntl.h>
#include <gio/gio.h>
#include <glib-unix.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>

#include "src/desktop/control.hpp"
#include "src/desktop/environment.hpp"
#include "src/desktop/probe.hpp"
#include "src/desktop/registry_watch.hpp"
#include "src/desktop/restart_policy.hpp"

namespace deskmark::desktop {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kReadyLimit = seconds(15);  ///< for one part
constexpr milliseconds kProbeLimit{1000};          ///< for one question to it
constexpr milliseconds kAppGrace{3000};            ///< from SIGTERM to SIGKILL
constexpr milliseconds kPartGrace{2000};
constexpr milliseconds kSettle{50};
constexpr std::size_t kAppsRemembered = 50;  ///< ended programs that status still lists
constexpr const char* kRegistry = "org.a11y.atspi.Registry";

enum Index : std::size_t { kDisplay, kBus, kAccessibility, kRegistryPart, kWindows, kPartCount };

struct Part {
  std::vector<std::size_t> needs;  ///< parts that must run before this one, and take it down with them
  RestartPolicy policy;
  Clock::time_point next_try;
  bool died = false;  ///< since it was last looked at
  std::string ended;
};

class Supervisor {
 public:
  Supervisor(Plan plan, int ready) : plan_(std::move(plan)), ready_(ready), state_(initial_state(plan_)) {
    state_.supervisor = getpid();
    parts_[kBus].needs = {kDisplay};  // so that the services it activates get a display that answers
    parts_[kAccessibility].needs = {kDisplay, kBus};
    parts_[kRegistryPart].needs = {kAccessibility};
    parts_[kWindows].needs = {kDisplay};
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
    tell({{"locked", true}});
    g_unix_fd_add(signals_, G_IO_IN, &Supervisor::on_signal, this);
    save();

    const std::string problem = start_everything();
    if (!problem.empty() || stop_) {
      const bool taken = display_taken_;
      take_down();
      tell({{"ok", false}, {"message", stop_ ? "stopped while starting" : problem}, {"taken", taken}});
      return 1;
    }
    tell({{"ok", true}});
    close(ready_);
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
      for (std::size_t i = 0; i < kPartCount; ++i) {
        if (state_.parts[i].pid != pid || i == kRegistryPart) continue;
        state_.parts[i].pid = 0;
        parts_[i].died = true;
        parts_[i].ended = describe_exit(status);
      }
      for (auto& app : state_.apps) {
        if (app.pid != pid || !app.running) continue;
        app.running = false;
        app.ended = describe_exit(status);
        save();
      }
    }
  }

  // --- parts --------------------------------------------------------------------------------------------------------
  Environment member_environment(const Environment& base) const {
    Environment environment = overlaid(base, state_.environment);
    environment.emplace_back(kMemberVariable, plan_.id);
    return environment;
  }

  std::vector<std::string> command(std::size_t part) const {
    switch (part) {
      case kDisplay: return display_command(plan_.programs, plan_.place, plan_.number, plan_.size);
      case kBus: return bus_command(plan_.programs, plan_.place);
      case kAccessibility: return accessibility_command(plan_.programs);
      case kWindows: return windows_command(plan_.programs, plan_.place);
      default: return {};
    }
  }

  DisplayAddress address() const { return {state_.display(), plan_.place.xauthority()}; }
  std::string session_bus() const { return bus_address(plan_.place); }

  /// Whether the part has said, or shows, that it serves. `notice`: what it was given to say so.
  bool is_ready(std::size_t part, int notice) {
    switch (part) {
      case kDisplay:
        // Another server on that display might answer as well.
        return display_owner(plan_.number) == state_.parts[part].pid && display_answers(address(), kProbeLimit);
      case kBus: {
        std::array<char, 512> text{};
        return read(notice, text.data(), text.size()) > 0;
      }
      case kAccessibility:
        return owner_of(session_bus(), "org.a11y.Bus", kProbeLimit) == state_.parts[part].pid &&
               !accessibility_address(session_bus(), kProbeLimit).empty() &&
               accessibility_enabled(session_bus(), kProbeLimit);
      case kWindows: return window_manager_answers(address(), kProbeLimit);
      default: return false;
    }
  }

  std::string log_of(std::size_t part) const { return plan_.place.log() + "/" + state_.parts[part].name + ".log"; }

  std::string last_words(std::size_t part) const {
    std::ifstream file(log_of(part));
    std::string last;
    for (std::string line; std::getline(file, line);)
      if (line.find_first_not_of(" \t\r()") != std::string::npos) last = line;
    return last.empty() ? "" : "; it said: " + last.substr(0, 300);
  }

  /// Returns a problem, empty once the part serves.
  std::string bring_up(std::size_t index) {
    if (index == kRegistryPart) return bring_up_registry();
    PartState& part = state_.parts[index];
    part.state = "starting";
    parts_[index].died = false;
    save();
    if (index == kDisplay) remove_stale_display_files(plan_.number);
    if (index == kAccessibility) end_stray_launcher();

    const int log = open(log_of(index).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    std::array<int, 2> notice{-1, -1};
    if (index == kBus && pipe2(notice.data(), O_CLOEXEC) == 0) fcntl(notice[0], F_SETFL, O_NONBLOCK);
    SpawnRequest request;
    request.argv = command(index);
    request.environment = member_environment(plan_.environment);
    if (index == kAccessibility) {
      // It writes what it is told to the user's settings, and follows them: neither is wanted here.
      request.environment.emplace_back("GSETTINGS_BACKEND", "memory");
    }
    request.umask = 077;
    request.output = log;
    request.notify = notice[1];
    const Spawned spawned = spawn(request);
    if (log >= 0) close(log);
    if (notice[1] >= 0) close(notice[1]);

    std::string problem;
    if (spawned.pid < 0) {
      problem = part.program + ": " + spawned.problem;
    } else {
      part.pid = spawned.pid;
      problem = wait_until_ready(index, notice[0]);
    }
    if (notice[0] >= 0) close(notice[0]);
    if (!problem.empty()) {
      if (index == kDisplay && part.pid == 0 && display_in_use(plan_.number)) {
        display_taken_ = true;
        problem = "display " + state_.display() + " is taken by another X server";
      }
      end_part(index);
      return problem;
    }
    part.state = "running";
    part.message.clear();
    save();
    return {};
  }

  std::string wait_until_ready(std::size_t index, int notice) {
    const auto until = Clock::now() + kReadyLimit;
    while (!is_ready(index, notice)) {
      if (parts_[index].died)
        return state_.parts[index].program + " ended (" + parts_[index].ended + ")" + last_words(index);
      if (stop_) return "stopped";
      if (Clock::now() >= until) {
        return state_.parts[index].program + " was not ready within " + std::to_string(kReadyLimit.count() / 1000) +
               " s" + last_words(index);
      }
      iterate(milliseconds{10});
    }
    return {};
  }

  /// The registry is started by the accessibility bus, and belongs to it; it is only asked for and watched here.
  std::string bring_up_registry() {
    PartState& part = state_.parts[kRegistryPart];
    part.state = "starting";
    const std::string bus = accessibility_address(session_bus(), kProbeLimit);
    if (bus.empty() || !start_service(bus, kRegistry, kReadyLimit)) return "the accessibility registry does not start";
    part.pid = owner_of(bus, kRegistry, kProbeLimit);
    if (part.pid == 0) return "the accessibility registry ended";
    std::error_code ignored;
    part.program = std::filesystem::read_symlink("/proc/" + std::to_string(part.pid) + "/exe", ignored);
    registry_.start(bus, kRegistry, [this] {
      parts_[kRegistryPart].died = true;
      parts_[kRegistryPart].ended = "left the bus";
      state_.parts[kRegistryPart].pid = 0;
    });
    parts_[kRegistryPart].died = false;
    part.state = "running";
    part.message.clear();
    save();
    return {};
  }

  /// When the launcher dies, the first program that asks makes the session bus start another, which nobody supervises.
  void end_stray_launcher() {
    const pid_t owner = owner_of(session_bus(), "org.a11y.Bus", kProbeLimit);
    if (owner == 0) return;
    for (const auto& process : members(plan_.id))
      if (process.pid == owner) end_processes({process}, kPartGrace, [this] { reap(); });
  }

  void end_part(std::size_t index) {
    if (index == kRegistryPart || index == kAccessibility) registry_.stop();
    PartState& part = state_.parts[index];
    if (part.pid > 0 && index != kRegistryPart) {
      std::vector<Process> targets = descendants(part.pid);
      for (const auto& process : all_processes())
        if (process.pid == part.pid) targets.push_back(process);
      end_processes(targets, kPartGrace, [this] { reap(); });
    }
    part.pid = 0;
    parts_[index].died = false;
  }

  bool depends(std::size_t part, std::size_t on) const {
    const auto& needs = parts_[part].needs;
    return std::any_of(needs.begin(), needs.end(), [&](std::size_t need) { return need == on || depends(need, on); });
  }

  std::string start_everything() {
    if (auto problem = write_xauthority(plan_.place, plan_.number); !problem.empty()) return problem;
    for (std::size_t i = 0; i < kPartCount; ++i)
      if (auto problem = bring_up(i); !problem.empty()) return problem;
    listener_ = listen_at(plan_.place.control());
    if (listener_ < 0) return plan_.place.control() + " cannot be listened at";
    control_source_ = g_unix_fd_add(listener_, G_IO_IN, &Supervisor::on_connection, this);
    for (const auto& argv : plan_.runs) {
      const RunAnswer started = run_app({argv, plan_.environment, plan_.directory, plan_.umask});
      if (!started.problem.empty()) return started.problem;
    }
    judge();
    return {};
  }

  /// Notes one failure of a part: another try later, or none.
  void failed(std::size_t index, const std::string& why) {
    PartState& part = state_.parts[index];
    part.message = why;
    if (const auto pause = parts_[index].policy.failed(Clock::now())) {
      part.state = "restarting";
      parts_[index].next_try = Clock::now() + *pause;
    } else {
      part.state = "failed";
      part.message = "given up after " + std::to_string(RestartPolicy::kFailures) + " failures in " +
                     std::to_string(RestartPolicy::kWithin.count()) + " s; the last: " + why;
    }
  }

  bool all_run(const std::vector<std::size_t>& indices) const {
    return std::all_of(indices.begin(), indices.end(),
                       [&](std::size_t i) { return state_.parts[i].state == "running"; });
  }

  /// Restarts what died and what needs it.
  void mend() {
    const bool changed = std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.died; });
    // Clients of a dying X server or bus may be reaped before it: learn the cause before judging.
    if (changed)
      for (const auto until = Clock::now() + kSettle; Clock::now() < until;) iterate(milliseconds{5});
    for (std::size_t i = 0; i < kPartCount; ++i) {
      if (!parts_[i].died) continue;
      parts_[i].died = false;
      failed(i, state_.parts[i].name + " ended (" + parts_[i].ended + ")");
      for (std::size_t j = kPartCount; j-- > 0;) {
        if (!depends(j, i)) continue;
        end_part(j);
        if (state_.parts[j].state != "failed") state_.parts[j].state = "waiting";
      }
    }
    if (changed) judge();
    for (std::size_t i = 0; i < kPartCount && !stop_; ++i) {
      PartState& part = state_.parts[i];
      const bool due = part.state == "waiting" || (part.state == "restarting" && Clock::now() >= parts_[i].next_try);
      if (!due || !all_run(parts_[i].needs)) continue;
      const bool again = part.state == "restarting";
      const auto problem = bring_up(i);
      if (problem.empty()) {
        if (again) ++part.restarts;
      } else {
        failed(i, problem);
      }
      judge();
    }
  }

  std::optional<milliseconds> next_wake() const {
    std::optional<milliseconds> soonest;
    for (std::size_t i = 0; i < kPartCount; ++i) {
      if (parts_[i].died) return milliseconds{0};
      if (state_.parts[i].state != "restarting" || !all_run(parts_[i].needs)) continue;
      const auto left = std::chrono::duration_cast<milliseconds>(parts_[i].next_try - Clock::now()) + milliseconds{1};
      soonest = std::max(milliseconds{0}, std::min(left, soonest.value_or(left)));
    }
    return soonest;
  }

  // --- programs -----------------------------------------------------------------------------------------------------
  void serve() {
    while (!asked_.empty() && !stop_) {
      // A part that is being restarted is waited for: the requests are served after mend().
      if (state_.state == "degraded" && state_.parts[kDisplay].state != "running") return;
      const Asked asked = std::move(asked_.front());
      asked_.pop_front();
      if (state_.parts[kDisplay].state == "failed")
        answer(asked.connection, {0, "", "the desktop has no display any more: " + state_.parts[kDisplay].message});
      else
        answer(asked.connection, run_app(asked.request));
    }
  }

  RunAnswer run_app(const RunRequest& wanted) {
    const std::string name = std::filesystem::path(wanted.argv[0]).filename();
    const std::string log =
        plan_.place.log() + "/" + std::to_string(++apps_started_) + "-" + name.substr(0, 60) + ".log";
    const int output = open(log.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    SpawnRequest request;
    request.argv = wanted.argv;
    request.environment = member_environment(wanted.environment);
    request.directory = wanted.directory;
    request.umask = wanted.umask;
    request.output = output;
    const Spawned spawned = spawn(request);
    if (output >= 0) close(output);
    if (spawned.pid < 0) {
      unlink(log.c_str());
      return {0, "", wanted.argv[0] + " in " + wanted.directory + ": " + spawned.problem};
    }
    std::string command;
    for (const auto& word : wanted.argv) command += (command.empty() ? "" : " ") + word;
    state_.apps.push_back({spawned.pid, command.substr(0, 500), true, "", log});
    forget_old_apps();
    save();
    return {spawned.pid, log, ""};
  }

  void forget_old_apps() {
    while (state_.apps.size() > kAppsRemembered) {
      const auto ended =
          std::find_if(state_.apps.begin(), state_.apps.end(), [](const auto& app) { return !app.running; });
      if (ended == state_.apps.end()) return;
      unlink(ended->log.c_str());
      state_.apps.erase(ended);
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
    for (const std::size_t part : {kWindows, kRegistryPart, kAccessibility, kBus}) end_part(part);
    // Services that the bus activated and that outlived it.
    end_all(programs, kPartGrace, tick);
    end_part(kDisplay);
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
      std::vector<Process> owned = descendants(part.pid);
      std::erase_if(programs, [&](const Process& process) {
        return process.pid == part.pid ||
               std::any_of(owned.begin(), owned.end(), [&](const Process& other) { return other.pid == process.pid; });
      });
    }
    return programs;
  }

  // --- what others see ----------------------------------------------------------------------------------------------
  void judge() {
    const auto any = [&](const char* word) {
      return std::any_of(state_.parts.begin(), state_.parts.end(),
                         [&](const auto& part) { return part.state == word; });
    };
    const bool running =
        std::all_of(state_.parts.begin(), state_.parts.end(), [](const auto& part) { return part.state == "running"; });
    state_.state = running ? "running" : any("failed") ? "failed" : "degraded";
    save();
  }

  void save() {
    [[maybe_unused]] const bool written = replace_file(
        plan_.place.state(), to_json(state_).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  }

  void tell(const nlohmann::json& message) {
    write_all(ready_, message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  }

  Plan plan_;
  int ready_;
  DesktopState state_;
  std::array<Part, kPartCount> parts_;
  RegistryWatch registry_;
  std::deque<Asked> asked_;
  int signals_ = -1;
  int listener_ = -1;
  guint control_source_ = 0;
  int apps_started_ = 0;
  bool display_taken_ = false;
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
  add("display", plan.programs.display);
  add("bus", plan.programs.bus);
  add("accessibility", plan.programs.accessibility);
  add("registry", "");
  add("windows", plan.programs.windows);
  return state;
}

int supervise(Plan plan, int ready) { return Supervisor(std::move(plan), ready).run(); }

}  // namespace deskmark::desktop
