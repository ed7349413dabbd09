#include "src/desktop/process.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <thread>

#include "src/desktop/pidfd.hpp"

namespace deskmark::desktop {
namespace {

// Runs in the child between fork and exec: nothing here may allocate or lock.
[[noreturn]] void become(const SpawnRequest& request, char* const* argv, char* const* envp, pid_t parent, int failure) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(127);  // the supervisor died before the line above
  setsid();
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int signal : {SIGPIPE, SIGHUP, SIGINT, SIGTERM, SIGCHLD}) std::signal(signal, SIG_DFL);
  ::umask(request.umask);
  const int null = open("/dev/null", O_RDWR);
  dup2(null, 0);
  dup2(request.output >= 0 ? request.output : null, 1);
  dup2(1, 2);
  if (request.notify >= 0) dup2(request.notify, 3);
  // All descriptors of the supervisor are close-on-exec; this also covers what it inherited unawares.
  close_range(request.notify >= 0 ? 4 : 3, ~0U, CLOSE_RANGE_CLOEXEC);
  int problem = 0;
  if (chdir(request.directory.c_str()) != 0) problem = errno;
  if (problem == 0) {
    execve(argv[0], argv, envp);
    problem = errno;
  }
  [[maybe_unused]] const auto written = write(failure, &problem, sizeof problem);
  _exit(127);
}

std::optional<Process> read_process(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  const auto name_end = line.rfind(')');  // the name may hold spaces and brackets
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream rest(line.substr(name_end + 1));
  std::vector<std::string> fields{std::istream_iterator<std::string>(rest), {}};
  if (fields.size() < 20) return std::nullopt;
  Process process;
  process.pid = pid;
  process.state = fields[0][0];
  process.parent = static_cast<pid_t>(std::strtol(fields[1].c_str(), nullptr, 10));
  process.start = std::strtoull(fields[19].c_str(), nullptr, 10);
  return process;
}

bool carries(pid_t pid, const std::string& assignment) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/environ", std::ios::binary);
  std::string entry;
  while (std::getline(file, entry, '\0'))
    if (entry == assignment) return true;
  return false;
}

void send(const Process& process, int signal) {
  const int handle = pidfd_open(process.pid, 0);
  if (handle < 0) return;
  if (alive(process)) pidfd_send_signal(handle, signal, nullptr, 0);
  close(handle);
}

}  // namespace

Spawned spawn(const SpawnRequest& request) {
  std::vector<std::string> assignments;
  for (const auto& [name, value] : request.environment) assignments.push_back(name + "=" + value);
  std::vector<char*> argv;
  std::vector<char*> envp;
  for (const auto& word : request.argv) argv.push_back(const_cast<char*>(word.c_str()));  // NOLINT: execve's type
  for (const auto& entry : assignments) envp.push_back(const_cast<char*>(entry.c_str()));
  argv.push_back(nullptr);
  envp.push_back(nullptr);

  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) return {-1, std::strerror(errno)};
  // Above the numbers the child rearranges.
  const int failure = fcntl(pipe_ends[1], F_DUPFD_CLOEXEC, 16);
  close(pipe_ends[1]);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) become(request, argv.data(), envp.data(), parent, failure);
  close(failure);
  if (pid < 0) {
    close(pipe_ends[0]);
    return {-1, std::strerror(errno)};
  }
  int problem = 0;
  ssize_t got = 0;
  do got = read(pipe_ends[0], &problem, sizeof problem);
  while (got < 0 && errno == EINTR);
  close(pipe_ends[0]);
  if (got == static_cast<ssize_t>(sizeof problem)) {
    waitpid(pid, nullptr, 0);
    return {-1, std::strerror(problem)};
  }
  return {pid, {}};
}

std::string find_program(const std::string& name, const std::string& path, const std::string& directory) {
  const auto runnable = [](const std::string& file) {
    struct stat info {};
    return stat(file.c_str(), &info) == 0 && S_ISREG(info.st_mode) && access(file.c_str(), X_OK) == 0;
  };
  const auto absolute = [&](const std::string& file) { return file.starts_with('/') ? file : directory + "/" + file; };
  if (name.empty()) return {};
  if (name.find('/') != std::string::npos) return runnable(absolute(name)) ? absolute(name) : std::string{};
  std::istringstream list(path);
  std::string folder;
  while (std::getline(list, folder, ':')) {
    const std::string file = absolute((folder.empty() ? "." : folder) + "/" + name);
    if (runnable(file)) return file;
  }
  return {};
}

std::vector<Process> all_processes() {
  std::vector<Process> found;
  DIR* proc = opendir("/proc");
  if (proc == nullptr) return found;
  while (const dirent* entry = readdir(proc)) {
    char* end = nullptr;
    const long pid = std::strtol(entry->d_name, &end, 10);
    if (pid <= 0 || *end != '\0') continue;
    if (auto process = read_process(static_cast<pid_t>(pid))) found.push_back(*process);
  }
  closedir(proc);
  return found;
}

std::vector<Process> descendants(pid_t root) {
  std::multimap<pid_t, Process> children;
  for (const auto& process : all_processes()) children.emplace(process.parent, process);
  std::vector<Process> found;
  std::vector<pid_t> open_list{root};
  while (!open_list.empty()) {
    const pid_t parent = open_list.back();
    open_list.pop_back();
    const auto [first, last] = children.equal_range(parent);
    for (auto it = first; it != last; ++it) {
      found.push_back(it->second);
      open_list.push_back(it->first == it->second.pid ? root : it->second.pid);
    }
  }
  return found;
}

std::vector<Process> members(const std::string& id) {
  const std::string assignment = std::string(kMemberVariable) + "=" + id;
  std::vector<Process> found;
  for (const auto& process : all_processes())
    if (process.pid != getpid() && process.state != 'Z' && carries(process.pid, assignment)) found.push_back(process);
  return found;
}

bool alive(const Process& process) {
  const auto now = read_process(process.pid);
  return now && now->start == process.start && now->state != 'Z' && now->state != 'X';
}

void end_processes(const std::vector<Process>& targets, std::chrono::milliseconds grace,
                   const std::function<void()>& tick) {
  const auto any_left = [&] { return std::any_of(targets.begin(), targets.end(), alive); };
  const auto wait = [&](std::chrono::milliseconds budget) {
    const auto until = std::chrono::steady_clock::now() + budget;
    while (any_left() && std::chrono::steady_clock::now() < until) {
      if (tick) tick();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    if (tick) tick();
  };
  for (const auto& process : targets) send(process, SIGTERM);
  for (const auto& process : targets) send(process, SIGCONT);  // a stopped process takes no SIGTERM
  wait(grace);
  for (const auto& process : targets) send(process, SIGKILL);
  wait(std::chrono::milliseconds(2000));
}

void end_all(const std::function<std::vector<Process>()>& find, std::chrono::milliseconds grace,
             const std::function<void()>& tick) {
  for (int round = 0; round < 5; ++round) {
    auto found = find();
    std::erase_if(found, [](const Process& process) { return !alive(process); });
    if (found.empty()) return;
    end_processes(found, round == 0 ? grace : grace / 4, tick);
  }
}

std::string describe_exit(int wait_status) {
  if (WIFEXITED(wait_status)) return "exit code " + std::to_string(WEXITSTATUS(wait_status));
  if (WIFSIGNALED(wait_status)) {
    const int signal = WTERMSIG(wait_status);
    const char* name = sigdescr_np(signal);
    return "signal " + std::to_string(signal) + (name != nullptr ? " (" + std::string(name) + ")" : "");
  }
  return "status " + std::to_string(wait_status);
}

}  // namespace deskmark::desktop
