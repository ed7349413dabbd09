#include "src/policy/audit.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "src/policy/private_file.hpp"

namespace deskmark {

std::optional<std::string> AuditLog::append(std::string_view line) const {
  if (path_.empty()) return "there is no place for it (neither XDG_STATE_HOME nor HOME is set)";
  const std::string folder = path_.substr(0, path_.rfind('/'));
  if (auto problem = make_private_directory(folder)) return problem;
  const FileLock lock(path_ + ".lock", FileLock::Wait::Yes);
  if (!lock.held()) return path_ + ".lock cannot be locked";
  const auto problem = [this] { return std::optional{path_ + ": " + std::strerror(errno)}; };
  struct stat info {};
  if (::lstat(path_.c_str(), &info) == 0 && info.st_size > 0 &&
      info.st_size + static_cast<std::int64_t>(line.size()) + 1 > max_bytes_) {
    ::unlink(rotated(kept_).c_str());
    for (int i = kept_ - 1; i >= 1; --i) ::rename(rotated(i).c_str(), rotated(i + 1).c_str());
    if (kept_ > 0 ? ::rename(path_.c_str(), rotated(1).c_str()) != 0 : ::unlink(path_.c_str()) != 0) return problem();
  }
  const int fd =
      ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0600);
  if (fd < 0) return problem();
  std::optional<std::string> wrong;
  if (::fstat(fd, &info) != 0) {
    wrong = problem();
  } else if (!S_ISREG(info.st_mode) || info.st_uid != ::geteuid() || (info.st_mode & 077) != 0) {
    wrong = path_ + ": not a private file of this user";
  } else {
    std::string text{line};
    text += '\n';
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0) {
      wrong = problem();
    } else if (static_cast<std::size_t>(n) != text.size()) {
      // Half a line would spoil the next one.
      if (::ftruncate(fd, info.st_size) != 0) wrong = problem();
      wrong = path_ + ": no room left";
    }
  }
  ::close(fd);
  return wrong;
}

std::vector<std::string> AuditLog::tail(std::size_t most) const {
  std::vector<std::string> lines;
  for (int i = kept_; i >= 0; --i) {
    const PrivateText file = read_private_file(i ? rotated(i) : path_, std::size_t{1} << 30);
    for (std::size_t at = 0; at < file.text.size();) {
      const std::size_t end = std::min(file.text.find('\n', at), file.text.size());
      if (end > at) lines.push_back(file.text.substr(at, end - at));
      at = end + 1;
    }
  }
  if (lines.size() > most) lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(most));
  return lines;
}

}  // namespace deskmark
