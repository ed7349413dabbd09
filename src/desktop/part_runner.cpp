#include "src/desktop/part_runner.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "src/desktop/environment.hpp"

namespace deskmark::desktop {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::chrono::seconds kReadyLimit{15};  ///< for one part
constexpr milliseconds kProbeLimit{1000};        ///< for one question to it
constexpr milliseconds kGrace{2000};             ///< from SIGTERM to SIGKILL
constexpr const char* kRegistryName = "org.a11y.atspi.Registry";

}  // namespace

std::vector<std::string> PartRunner::command(std::size_t part) const {
  switch (part) {
    case kDisplay: return display_command(plan_.programs, plan_.place, plan_.number, plan_.size);
    case kBus: return bus_command(plan_.programs, plan_.place);
    case kAccessibility: return accessibility_command(plan_.programs);
    case kWindows: return windows_command(plan_.programs, plan_.place);
    default: return {};
  }
}

/// Whether the part says, or shows, that it serves. `notice`: what it was given to say so.
bool PartRunner::is_ready(std::size_t part, int notice) {
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

std::string PartRunner::log_of(std::size_t part) const {
  return plan_.place.log() + "/" + state_.parts[part].name + ".log";
}

std::string PartRunner::last_words(std::size_t part) const {
  std::ifstream file(log_of(part));
  std::string last;
  for (std::string line; std::getline(file, line);)
    if (line.find_first_not_of(" \t\r()") != std::string::npos) last = line;
  return last.empty() ? "" : "; it said: " + last.substr(0, 300);
}

std::string PartRunner::start(std::size_t index) {
  if (index == kRegistry) return start_registry();
  PartState& part = state_.parts[index];
  part.state = "starting";
  deaths_[index].reset();
  loop_.save();
  if (index == kDisplay) remove_stale_display_files(plan_.number);
  if (index == kAccessibility) end_stray_launcher();

  const int log = open(log_of(index).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
  std::array<int, 2> notice{-1, -1};
  if (index == kBus && pipe2(notice.data(), O_CLOEXEC) == 0) fcntl(notice[0], F_SETFL, O_NONBLOCK);
  SpawnRequest request;
  request.argv = command(index);
  request.environment = member_environment(plan_.environment, state_.environment, plan_.id);
  // The launcher writes what it is told to the user's settings, and follows them: neither is wanted here.
  if (index == kAccessibility) request.environment.emplace_back("GSETTINGS_BACKEND", "memory");
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
    end(index);
    return problem;
  }
  part.state = "running";
  part.message.clear();
  loop_.save();
  return {};
}

std::string PartRunner::wait_until_ready(std::size_t index, int notice) {
  const std::string& program = state_.parts[index].program;
  const auto until = Clock::now() + kReadyLimit;
  while (!is_ready(index, notice)) {
    if (deaths_[index]) return program + " ended (" + *deaths_[index] + ")" + last_words(index);
    if (loop_.stopping()) return "stopped";
    if (Clock::now() >= until)
      return program + " was not ready within " + std::to_string(kReadyLimit.count()) + " s" + last_words(index);
    loop_.iterate(milliseconds{10});
  }
  return {};
}

/// The registry is started by the accessibility bus, and belongs to it; it is only asked for and watched here.
std::string PartRunner::start_registry() {
  PartState& part = state_.parts[kRegistry];
  part.state = "starting";
  const std::string bus = accessibility_address(session_bus(), kProbeLimit);
  if (bus.empty() || !start_service(bus, kRegistryName, kReadyLimit))
    return "the accessibility registry does not start";
  part.pid = owner_of(bus, kRegistryName, kProbeLimit);
  if (part.pid == 0) return "the accessibility registry ended";
  std::error_code ignored;
  part.program = std::filesystem::read_symlink("/proc/" + std::to_string(part.pid) + "/exe", ignored);
  registry_.start(bus, kRegistryName, [this] {
    deaths_[kRegistry] = "left the bus";
    state_.parts[kRegistry].pid = 0;
  });
  deaths_[kRegistry].reset();
  part.state = "running";
  part.message.clear();
  loop_.save();
  return {};
}

/// When the launcher dies, the first program that asks makes the session bus start another, which nobody supervises.
void PartRunner::end_stray_launcher() {
  const pid_t owner = owner_of(session_bus(), "org.a11y.Bus", kProbeLimit);
  if (owner == 0) return;
  for (const auto& process : members(plan_.id))
    if (process.pid == owner) end_processes({process}, kGrace, loop_.reap);
}

void PartRunner::end(std::size_t index) {
  if (index == kRegistry || index == kAccessibility) registry_.stop();
  PartState& part = state_.parts[index];
  if (part.pid > 0 && index != kRegistry) {
    std::vector<Process> targets = descendants(part.pid);
    for (const auto& process : all_processes())
      if (process.pid == part.pid) targets.push_back(process);
    end_processes(targets, kGrace, loop_.reap);
  }
  part.pid = 0;
  deaths_[index].reset();
}

void PartRunner::note_exit(pid_t pid, int wait_status) {
  for (std::size_t i = 0; i < kPartCount; ++i) {
    if (state_.parts[i].pid != pid || i == kRegistry) continue;
    state_.parts[i].pid = 0;
    deaths_[i] = describe_exit(wait_status);
  }
}

bool PartRunner::any_died() const {
  return std::any_of(deaths_.begin(), deaths_.end(), [](const auto& death) { return death.has_value(); });
}

std::optional<std::string> PartRunner::take_death(std::size_t part) {
  return std::exchange(deaths_[part], std::nullopt);
}

}  // namespace deskmark::desktop
