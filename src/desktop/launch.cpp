#include "src/desktop/launch.hpp"

#include <fcntl.h>
#include <glib.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "src/desktop/control.hpp"
#include "src/desktop/browsers.hpp"
#include "src/desktop/environment.hpp"
#include "src/desktop/pidfd.hpp"
#include "src/desktop/supervisor.hpp"

namespace deskmark::desktop {
namespace {

constexpr int kFirstNumber = 100;  // away from the numbers of people's displays and of xvfb-run
constexpr int kLastNumber = 999;
constexpr std::chrono::seconds kStartLimit{60};
constexpr int kStopLimitMs = 20'000;

/// Starts supervise() in a process without terminal, parent or open files of ours.
void detach(const Plan& plan, int ready) {
  const pid_t middle = fork();
  if (middle != 0) {
    if (middle > 0) waitpid(middle, nullptr, 0);
    return;
  }
  setsid();
  if (fork() != 0) _exit(0);
  // The descriptor goes to a known number, everything else is closed: a shell that waits for our output must not wait
  // for this.
  const int kept = fcntl(ready, F_DUPFD_CLOEXEC, 3);
  const int null = open("/dev/null", O_RDWR);
  const int log = open((plan.place.log() + "/supervisor.log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  dup2(null, 0);
  dup2(null, 1);
  dup2(log >= 0 ? log : null, 2);
  dup2(kept, 3);
  fcntl(3, F_SETFD, FD_CLOEXEC);
  close_range(4, ~0U, 0);
  umask(077);
  [[maybe_unused]] const int moved = chdir("/");
  _exit(supervise(plan, 3));
}

struct Attempt {
  std::string problem;
  bool taken = false;
};

Attempt attempt(const std::string& home, Plan plan) {
  plan.place = {home + "/" + std::to_string(plan.number)};
  plan.id = random_id();
  const std::string display = ":" + std::to_string(plan.number);
  HomeLock lock(home);
  if (!lock.held()) return {home + " cannot be locked", false};
  if (const auto owner = supervisor_of(plan.place))
    return {"display " + display + " is taken by a headless desktop (process " + std::to_string(*owner) + ")", true};
  clear_remains(plan.place, plan.number);
  if (display_in_use(plan.number)) return {"display " + display + " is taken by another X server", true};
  if (auto problem = create(plan.place); !problem.empty()) {
    remove_place(plan.place);
    return {problem, false};
  }
  write_browser_wrappers(plan.place, lookup(plan.environment, "PATH"));
  // Before anything runs: whoever clears away what may be left needs the id.
  if (!replace_file(plan.place.state(), to_json(initial_state(plan)).dump(2) + "\n")) {
    remove_place(plan.place);
    return {plan.place.state() + " cannot be written: " + std::strerror(errno), false};
  }
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {std::strerror(errno), false};
  detach(plan, ends[1]);
  close(ends[1]);
  LineReader lines(ends[0]);
  const auto locked = lines.next(std::chrono::seconds(10));
  lock.release();
  const auto result = locked ? lines.next(kStartLimit) : std::nullopt;
  close(ends[0]);
  if (!result) {
    const HomeLock again(home);
    clear_remains(plan.place, plan.number);
    return {"the supervisor of " + display + " ended without a word", false};
  }
  const auto json = nlohmann::json::parse(*result, nullptr, false);
  if (json.is_object() && json.value("ok", false)) return {};
  return {json.value("message", "unknown fault"), json.value("taken", false)};
}

/// Splits command lines and finds their programs. Returns a problem, empty when there is none.
std::string resolve(const std::vector<std::string>& lines, Plan& plan) {
  for (const auto& line : lines) {
    int count = 0;
    char** words = nullptr;
    if (g_shell_parse_argv(line.c_str(), &count, &words, nullptr) == FALSE)
      return "--run " + line + ": the quotes do not match";
    std::vector<std::string> argv(words, words + count);
    g_strfreev(words);
    const std::string program = find_program(argv[0], lookup(plan.environment, "PATH"), plan.directory);
    if (program.empty()) return argv[0] + " is not installed or not executable";
    argv[0] = program;
    plan.runs.push_back(std::move(argv));
  }
  return {};
}

}  // namespace

Started start(const StartOptions& options) {
  Plan plan;
  plan.size = options.size;
  plan.environment = own_environment();
  std::error_code ignored;
  plan.directory = std::filesystem::current_path(ignored);
  if (plan.directory.empty()) plan.directory = "/";
  plan.umask = umask(0);
  umask(plan.umask);
  plan.programs = find_programs(options.window_manager);
  if (!plan.programs.problem.empty()) return {{}, plan.programs.problem};
  if (auto problem = resolve(options.runs, plan); !problem.empty()) return {{}, problem};
  const Home home = home_for_new();
  if (!home.problem.empty()) return {{}, "no place for the desktop's files: " + home.problem};

  const int first = options.number.value_or(kFirstNumber);
  const int last = options.number.value_or(kLastNumber);
  Attempt result;
  for (int number = first; number <= last; ++number) {
    plan.number = number;
    result = attempt(home.path, plan);
    if (result.problem.empty()) {
      const Place place{home.path + "/" + std::to_string(number)};
      if (auto state = read_state(place.state())) return {std::move(*state), ""};
      return {{}, place.state() + " cannot be read"};
    }
    if (!result.taken) break;
  }
  return {{}, result.problem};
}

std::string stop(const Found& desktop) {
  const std::string home = home_of(desktop.place.directory);
  const auto owner = supervisor_of(desktop.place);
  if (owner) {
    const int handle = pidfd_open(*owner, 0);
    // Asked again: the number behind the handle is the supervisor's only if it still holds the lock.
    if (handle >= 0 && supervisor_of(desktop.place) == owner) {
      pidfd_send_signal(handle, SIGTERM, nullptr, 0);
      pollfd ended{handle, POLLIN, 0};
      while (poll(&ended, 1, kStopLimitMs) < 0 && errno == EINTR) {
      }
      if ((ended.revents & POLLIN) == 0) {
        pidfd_send_signal(handle, SIGKILL, nullptr, 0);
        poll(&ended, 1, 2000);
      }
    }
    if (handle >= 0) close(handle);
  }
  const HomeLock lock(home);
  const auto now = supervisor_of(desktop.place);
  if (now && now == owner) return "the supervisor (process " + std::to_string(*now) + ") does not end";
  if (!now && std::filesystem::exists(desktop.place.directory)) clear_remains(desktop.place, desktop.number);
  return {};
}

std::optional<Size> parse_size(const std::string& text) {
  Size size;
  const char* end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, size.width);
  if (width.ec != std::errc{} || width.ptr == end || *width.ptr != 'x') return std::nullopt;
  const auto height = std::from_chars(width.ptr + 1, end, size.height);
  if (height.ec != std::errc{} || height.ptr != end) return std::nullopt;
  const auto sane = [](int side) { return side >= 64 && side <= 16384; };
  return sane(size.width) && sane(size.height) ? std::optional(size) : std::nullopt;
}

std::optional<int> parse_display(const std::string& text) {
  const std::string digits = text.starts_with(':') ? text.substr(1, text.find('.') - 1) : text;
  int number = 0;
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, number);
  const bool good = parsed.ec == std::errc{} && parsed.ptr == end && number >= 0 && number <= 59535;
  return good ? std::optional(number) : std::nullopt;
}

}  // namespace deskmark::desktop
