#include "src/desktop/app_runner.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include "src/desktop/browsers.hpp"
#include "src/desktop/environment.hpp"

namespace deskmark::desktop {
namespace {

constexpr std::size_t kRemembered = 50;  ///< programs; ended ones beyond it are forgotten

constexpr std::uintmax_t kLongestLog = 4U << 20;  ///< bytes

}  // namespace

RunAnswer AppRunner::run(const RunRequest& wanted) {
  const std::string name = std::filesystem::path(wanted.argv[0]).filename().string().substr(0, 60);
  const std::string log = plan_.place.log() + "/" + std::to_string(++started_) + "-" + name + ".log";
  const int output = open(log.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
  SpawnRequest request;
  request.argv = wanted.argv;
  request.argv[0] = wrapped(plan_.place, request.argv[0]);
  request.environment = member_environment(wanted.environment, state_.environment, plan_.id);
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
  forget_old();
  save_();
  return {spawned.pid, log, ""};
}

void AppRunner::note_exit(pid_t pid, int wait_status) {
  for (auto& app : state_.apps) {
    if (app.pid != pid || !app.running) continue;
    app.running = false;
    app.ended = describe_exit(wait_status);
    save_();
  }
}

void AppRunner::trim_logs() const {
  std::error_code ignored;
  for (const auto& file : std::filesystem::directory_iterator(plan_.place.log(), ignored)) {
    // They are written in append mode, so the next line lands at the new end.
    const auto size = file.file_size(ignored);
    if (!ignored && size > kLongestLog) std::filesystem::resize_file(file.path(), 0, ignored);
  }
}

void AppRunner::forget_old() {
  while (state_.apps.size() > kRemembered) {
    const auto ended =
        std::find_if(state_.apps.begin(), state_.apps.end(), [](const auto& app) { return !app.running; });
    if (ended == state_.apps.end()) return;
    unlink(ended->log.c_str());
    state_.apps.erase(ended);
  }
}

}  // namespace deskmark::desktop
