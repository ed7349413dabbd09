// Processes of a headless desktop: starting them so that they die with their supervisor, finding them again, ending
// them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace deskmark::desktop {

using Environment = std::vector<std::pair<std::string, std::string>>;

/// Every process of a desktop carries this variable with the desktop's id, so that what is left of a desktop can be
/// found after its supervisor was killed. Programs that merely use the desktop do not carry it.
inline constexpr const char* kMemberVariable = "DESKMARK_DESKTOP_MEMBER";

struct SpawnRequest {
  std::vector<std::string> argv;  ///< argv[0] is the path that is executed
  Environment environment;        ///< the whole environment
  std::string directory = "/";
  mode_t umask = 022;
  int output = -1;  ///< descriptor for stdout and stderr; -1: /dev/null
  int notify = -1;  ///< descriptor the child gets as number 3; -1: none
};

struct Spawned {
  pid_t pid = -1;
  std::string problem;  ///< why exec failed, empty when it did not
};

/// Starts a program in its own session. It gets SIGTERM when the calling thread ends. Returns after exec took place or
/// failed.
[[nodiscard]] Spawned spawn(const SpawnRequest& request);

/// Path of an executable: `name` itself when it holds a slash (relative to `directory`), else looked up in `path`
/// (colon-separated). Empty when there is none.
[[nodiscard]] std::string find_program(const std::string& name, const std::string& path,
                                       const std::string& directory = "/");

/// A process that cannot be mistaken for a later one with the same number.
struct Process {
  pid_t pid = 0;
  pid_t parent = 0;
  unsigned long long start = 0;  ///< clock ticks since boot
  char state = '?';              ///< as in /proc/PID/stat; Z: a zombie
};

[[nodiscard]] std::vector<Process> all_processes();
/// Everything below `root` (without it).
[[nodiscard]] std::vector<Process> descendants(pid_t root);
/// Processes that carry kMemberVariable with this id, without the caller and zombies.
[[nodiscard]] std::vector<Process> members(const std::string& id);
[[nodiscard]] bool alive(const Process& process);

/// SIGTERM, up to `grace` for them to go, then SIGKILL. `tick` is called while waiting (to reap children).
void end_processes(const std::vector<Process>& targets, std::chrono::milliseconds grace,
                   const std::function<void()>& tick = {});
/// The same again and again until `find` finds no more (what is being ended may start new ones), at most a few times.
void end_all(const std::function<std::vector<Process>()>& find, std::chrono::milliseconds grace,
             const std::function<void()>& tick = {});

/// "exit code 1", "signal 9 (Killed)".
[[nodiscard]] std::string describe_exit(int wait_status);

}  // namespace deskmark::desktop
