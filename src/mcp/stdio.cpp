#include "src/mcp/stdio.hpp"

#include <limits.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <utility>
#include <vector>

#include "src/mcp/framing.hpp"

namespace deskmark::mcp {
namespace {

using Clock = std::chrono::steady_clock;

bool is_socket(int fd) {
  struct stat status {};
  return fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode);
}

/// Not a reason to give the client up.
bool passing(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

int milliseconds_until(std::optional<Clock::time_point> at) {
  if (!at) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*at - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 60'000));
}

}  // namespace

StdioLoop::StdioLoop(int in, int out, int stop_fd, StdioLimits limits)
    : in_(in),
      out_(out),
      stop_fd_(stop_fd),
      limits_(limits),
      wake_fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      out_is_socket_(is_socket(out)) {}

StdioLoop::~StdioLoop() { close(wake_fd_); }

void StdioLoop::wake() const {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto done = write(wake_fd_, &one, sizeof one);
}

void StdioLoop::send(std::string line) {
  {
    const std::scoped_lock lock(mutex_);
    if (pending_.empty()) {
      pending_ = std::move(line);
    } else {
      pending_ += line;
    }
    pending_ += '\n';
  }
  wake();
}

std::size_t StdioLoop::unwritten() const {
  const std::scoped_lock lock(mutex_);
  return pending_.size() + writing_.size() - written_;
}

bool StdioLoop::write_some() {
  if (written_ == writing_.size()) {
    writing_.clear();
    written_ = 0;
    const std::scoped_lock lock(mutex_);
    std::swap(writing_, pending_);
  }
  if (writing_.empty()) return true;
  if (out_is_socket_) {
    const ssize_t done =
        ::send(out_, writing_.data() + written_, writing_.size() - written_, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (done < 0) return passing(errno);
    written_ += static_cast<std::size_t>(done);
    return true;
  }
  // A pipe that polls as writable takes PIPE_BUF bytes without waiting, but not more; its blocking mode is shared with
  // other processes and stays as it is.
  for (pollfd ready{out_, POLLOUT, 0}; written_ < writing_.size();) {
    const std::size_t piece = std::min<std::size_t>(writing_.size() - written_, PIPE_BUF);
    const ssize_t done = ::write(out_, writing_.data() + written_, piece);
    if (done < 0) return passing(errno);
    written_ += static_cast<std::size_t>(done);
    if (poll(&ready, 1, 0) != 1 || ready.revents != POLLOUT) break;
  }
  return true;
}

Ended StdioLoop::run(McpServer& server) {
  LineSplitter lines;
  std::vector<char> buffer(std::size_t{64} << 10);
  bool input_open = true;
  bool output_open = true;
  bool cancelled = false;
  std::optional<Clock::time_point> deadline;

  const auto handle = [&](const Line& line) {
    line.oversized ? server.on_oversized_line() : server.on_line(line.text);
  };
  const auto cancel = [&] {
    if (std::exchange(cancelled, true)) return;
    input_open = false;
    server.cancel_all();
    deadline = Clock::now() + limits_.stop;
  };

  while (true) {
    const bool idle = server.idle();  // before looking at the output: an answer is sent before its call counts as done
    const bool flushed = unwritten() == 0 || !output_open;
    if (!input_open && idle && flushed) return Ended::Clean;
    if (deadline && Clock::now() >= *deadline) {
      if (cancelled) return idle ? Ended::Clean : Ended::Stuck;
      cancel();
      continue;
    }

    std::array<pollfd, 4> fds{{
        {wake_fd_, POLLIN, 0},
        {cancelled ? -1 : stop_fd_, POLLIN, 0},
        {input_open && unwritten() <= limits_.backlog ? in_ : -1, POLLIN, 0},
        {output_open ? out_ : -1, static_cast<short>(flushed ? 0 : POLLOUT), 0},
    }};
    if (poll(fds.data(), fds.size(), milliseconds_until(deadline)) < 0 && errno != EINTR) {
      cancel();
      continue;
    }
    if (fds[0].revents != 0) {
      std::uint64_t count = 0;
      [[maybe_unused]] const auto done = read(wake_fd_, &count, sizeof count);
    }
    if (fds[1].revents != 0) cancel();
    if ((fds[3].revents & (POLLERR | POLLNVAL | POLLHUP)) != 0 || ((fds[3].revents & POLLOUT) != 0 && !write_some())) {
      output_open = false;
      cancel();
    }
    if (fds[2].revents == 0 || !input_open) continue;
    const ssize_t got = read(in_, buffer.data(), buffer.size());
    if (got > 0) {
      lines.append({buffer.data(), static_cast<std::size_t>(got)});
      while (const auto line = lines.next()) handle(*line);
    } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
      if (const auto line = lines.rest()) handle(*line);
      input_open = false;
      deadline = Clock::now() + limits_.finish;
    }
  }
}

}  // namespace deskmark::mcp
