// An X server of the test's own, gone when the object is.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

extern char** environ;

namespace deskmark::test {

/// A child process; ended with the object.
class Process {
 public:
  Process() = default;
  explicit Process(const std::vector<std::string>& command) {
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (posix_spawnp(&pid_, arguments[0], &actions, nullptr, arguments.data(), environ) != 0) pid_ = -1;
    posix_spawn_file_actions_destroy(&actions);
  }
  ~Process() { end(); }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  [[nodiscard]] bool started() const { return pid_ > 0; }
  void send(int signal) const {
    if (pid_ > 0) kill(pid_, signal);
  }
  void end() {
    if (pid_ <= 0) return;
    kill(pid_, SIGCONT);
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  pid_t pid_ = -1;
};

/// Xvfb. `options` follow the command; `number` empty: a free display. name() is empty when it did not come up.
class DisplayServer {
 public:
  explicit DisplayServer(const std::string& screen = "800x600x24", const std::vector<std::string>& options = {},
                         const std::string& number = "")
      : DisplayServer(make_pipe(), screen, options, number) {}

  [[nodiscard]] const std::string& name() const { return name_; }
  Process& process() { return process_; }

 private:
  struct Pipe {
    int read;
    int write;
  };
  static Pipe make_pipe() {
    int ends[2] = {-1, -1};
    if (pipe(ends) != 0) return {-1, -1};
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    return {ends[0], ends[1]};
  }
  static std::vector<std::string> command(const Pipe& pipe, const std::string& screen,
                                          const std::vector<std::string>& options, const std::string& number) {
    std::vector<std::string> words{"Xvfb"};
    if (!number.empty()) words.push_back(number);
    for (const char* word : {"-screen", "0"}) words.emplace_back(word);
    words.push_back(screen);
    for (const char* word : {"-nolisten", "tcp", "-displayfd"}) words.emplace_back(word);
    words.push_back(std::to_string(pipe.write));
    words.insert(words.end(), options.begin(), options.end());
    return words;
  }
  DisplayServer(Pipe pipe, const std::string& screen, const std::vector<std::string>& options,
                const std::string& number)
      : process_(command(pipe, screen, options, number)) {
    close(pipe.write);
    char c = 0;
    while (read(pipe.read, &c, 1) == 1 && c != '\n') name_ += c;  // ends also when the server dies
    close(pipe.read);
    if (!name_.empty()) name_ = ":" + name_;
  }

  Process process_;
  std::string name_;
};

}  // namespace deskmark::test
