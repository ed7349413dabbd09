// The supervisor's socket: one request and one answer per connection, each one line of JSON.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "src/desktop/process.hpp"

namespace deskmark::desktop {

/// Asks the supervisor to start a program.
struct RunRequest {
  std::vector<std::string> argv;  ///< argv[0] is a path
  Environment environment;        ///< the caller's; the desktop's is laid over it
  std::string directory;
  mode_t umask = 022;
};

struct RunAnswer {
  pid_t pid = 0;
  std::string log;      ///< file with what the program prints
  std::string problem;  ///< empty: started
};

/// Listening socket, close-on-exec and non-blocking; -1 on failure.
[[nodiscard]] int listen_at(const std::string& path);

/// Client side. Always answers within the limit.
[[nodiscard]] RunAnswer ask_to_run(const std::string& path, const RunRequest& request, std::chrono::milliseconds limit);

/// Server side: accepts one connection and reads its request, at most for a second. Nothing: no sensible request.
struct Asked {
  int connection = -1;
  RunRequest request;
};
[[nodiscard]] std::optional<Asked> accept_request(int listener);
/// Sends the answer and closes the connection.
void answer(int connection, const RunAnswer& reply);

/// Lines from a descriptor, which it does not own.
class LineReader {
 public:
  explicit LineReader(int fd) : fd_(fd) {}
  /// The next line without its newline. Nothing: end, fault, too long (8 MiB) or too late.
  [[nodiscard]] std::optional<std::string> next(std::chrono::milliseconds limit);

 private:
  int fd_;
  std::string buffer_;
};

/// Writes everything or gives up; no SIGPIPE.
bool write_all(int fd, const std::string& text);

}  // namespace deskmark::desktop
