#include "src/mcp/process.hpp"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <utility>

#include "src/mcp/stdio.hpp"

namespace deskmark::mcp {
namespace {

std::atomic<int> stop_fd{-1};

void ask_to_stop(int) {
  const int kept = errno;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto done = write(stop_fd.load(), &one, sizeof one);
  errno = kept;
}

void nothing(int) {}

void on_signal(int number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(number, &action, nullptr);
}

void replace(int fd, int by) {
  if (by < 0) return;
  dup2(by, fd);
  if (by != fd && by > 2) close(by);
}

}  // namespace

ProcessStdio::ProcessStdio()
    : in(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)),
      out(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)),
      stop(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  replace(STDIN_FILENO, open("/dev/null", O_RDONLY));
  if (fcntl(STDERR_FILENO, F_GETFD) < 0) replace(STDERR_FILENO, open("/dev/null", O_WRONLY));
  dup2(STDERR_FILENO, STDOUT_FILENO);
  stop_fd = stop;
  // Handlers, not blocked or ignored signals: those would be passed on to programs started from here.
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) on_signal(number, ask_to_stop);
  on_signal(SIGPIPE, nothing);
}

ProcessStdio::~ProcessStdio() {
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) on_signal(number, SIG_DFL);
  for (const int fd : {in, out, stop})
    if (fd >= 0) close(fd);
}

int serve(const ProcessStdio& stdio, ToolHost host, McpServer::Options options) {
  if (stdio.in < 0 || stdio.out < 0) {
    spdlog::error("mcp: standard input or output is closed");
    return 2;
  }
  StdioLoop loop(stdio.in, stdio.out, stdio.stop);
  McpServer server(
      std::move(host), std::move(options), [&loop](std::string line) { loop.send(std::move(line)); },
      [&loop] { loop.wake(); });
  if (loop.run(server) == Ended::Stuck) {
    spdlog::warn("mcp: leaving while a call is still running");
    _exit(0);
  }
  return 0;
}

}  // namespace deskmark::mcp
