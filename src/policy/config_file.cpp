#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "src/policy/config.hpp"

namespace deskmark {
namespace {

constexpr std::size_t kLargest = std::size_t{1} << 20;

std::string directory() {
  // A relative path is to be ignored (XDG Base Directory Specification).
  if (const char* config = std::getenv("XDG_CONFIG_HOME"); config && config[0] == '/') return config;
  if (const char* home = std::getenv("HOME"); home && home[0] == '/') return std::string{home} + "/.config";
  return {};
}

}  // namespace

std::string config_path() {
  const std::string base = directory();
  return base.empty() ? base : base + "/deskmark/config.json";
}

std::variant<Configuration, std::string> read_config(const std::string& path) {
  if (path.empty()) return Configuration{};
  const auto problem = [&](const std::string& what) { return path + ": " + what; };
  // Not blocking: a pipe in its place must not hang the start.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return Configuration{};
    return problem(std::strerror(errno));
  }
  struct stat info {};
  std::string text;
  std::string wrong;
  if (::fstat(fd, &info) != 0) {
    wrong = std::strerror(errno);
  } else if (!S_ISREG(info.st_mode)) {
    wrong = "not a regular file";
  } else if (info.st_uid != ::geteuid() && info.st_uid != 0) {
    wrong = "belongs to another user";
  } else if ((info.st_mode & 022) != 0) {
    wrong = "others may write to it, and it gives approvals; run: chmod go-w '" + path + "'";
  } else {
    char buffer[8192];
    for (ssize_t n = 0; text.size() <= kLargest && (n = ::read(fd, buffer, sizeof buffer)) != 0;) {
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) {
        wrong = std::strerror(errno);
        break;
      }
      text.append(buffer, static_cast<std::size_t>(n));
    }
    if (text.size() > kLargest) wrong = "larger than 1 MiB";
  }
  ::close(fd);
  if (!wrong.empty()) return problem(wrong);
  auto parsed = parse_config(text);
  if (const auto* reason = std::get_if<std::string>(&parsed)) return problem(*reason);
  return parsed;
}

}  // namespace deskmark
