// Serves one client over a pair of file descriptors. All reading and writing happens on the calling thread, which never
// waits for anything but poll: a client that does not read cannot keep the server from noticing that it left.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

#include "src/mcp/server.hpp"

namespace deskmark::mcp {

enum class Ended : std::uint8_t {
  Clean,  ///< input ended or stop was asked for, everything is answered or cancelled
  Stuck,  ///< a call did not stop in time: leave with _exit, destroy nothing it may use
};

struct StdioLimits {
  /// After the input ended: how long accepted calls may still run before they are cancelled.
  std::chrono::milliseconds finish{10'000};
  /// After cancelling: how long to wait for the running call and for the client to read.
  std::chrono::milliseconds stop{2'000};
  /// Unread answers above which no more input is taken, bytes.
  std::size_t backlog = std::size_t{64} << 20;
};

class StdioLoop {
 public:
  /// `in` and `out` stay the caller's; `stop_fd` becomes readable when the server should leave (-1: never). SIGPIPE
  /// must not kill.
  StdioLoop(int in, int out, int stop_fd, StdioLimits limits = {});
  ~StdioLoop();
  StdioLoop(const StdioLoop&) = delete;
  StdioLoop& operator=(const StdioLoop&) = delete;

  /// One line to the client; from any thread, does not wait.
  void send(std::string line);
  /// Makes run() look again; from any thread.
  void wake() const;

  Ended run(McpServer& server);

 private:
  /// Writes what the client takes now; false when it is gone.
  bool write_some();
  [[nodiscard]] std::size_t unwritten() const;

  int in_;
  int out_;
  int stop_fd_;
  StdioLimits limits_;
  int wake_fd_;
  bool out_is_socket_;
  mutable std::mutex mutex_;
  std::string pending_;  ///< written by send(), under the mutex
  std::string writing_;  ///< taken from pending_, only on run()'s thread
  std::size_t written_ = 0;
};

}  // namespace deskmark::mcp
