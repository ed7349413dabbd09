#include "src/policy/private_file.hpp"

#include <fcntl.h>
#include <glib.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <vector>

namespace deskmark {
namespace {

std::string reason() { return std::strerror(errno); }

bool write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

std::optional<std::string> make_private_directory(const std::string& path) {
  if (path.empty() || path[0] != '/') return path + ": not an absolute path";
  for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1)) {
    if (::mkdir(path.substr(0, at).c_str(), 0700) != 0 && errno != EEXIST) return path.substr(0, at) + ": " + reason();
  }
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return path + ": " + reason();
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return path + ": " + reason();
  if (!S_ISDIR(info.st_mode)) return path + ": not a directory";
  if (info.st_uid != ::geteuid()) return path + ": belongs to another user";
  if ((info.st_mode & 022) != 0) return path + ": others may write to it";
  return std::nullopt;
}

PrivateText read_private_file(const std::string& path, std::size_t limit) {
  PrivateText out;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) {
    out.missing = errno == ENOENT;
    if (!out.missing) out.problem = reason();
    return out;
  }
  struct stat info {};
  if (::fstat(fd, &info) != 0) {
    out.problem = reason();
  } else if (!S_ISREG(info.st_mode)) {
    out.problem = "not a regular file";
  } else if (info.st_uid != ::geteuid()) {
    out.problem = "belongs to another user";
  } else if ((info.st_mode & 022) != 0) {
    out.problem = "others may write to it";
  } else {
    std::array<char, 8192> buffer{};
    while (out.text.size() <= limit) {
      const ssize_t n = ::read(fd, buffer.data(), buffer.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) out.problem = reason();
      if (n <= 0) break;
      out.text.append(buffer.data(), static_cast<std::size_t>(n));
    }
    if (out.text.size() > limit) out.problem = "too long";
  }
  ::close(fd);
  return out;
}

std::optional<std::string> write_private_file(const std::string& path, std::string_view content) {
  std::string temporary = path + ".XXXXXX";
  const int fd = ::mkostemp(temporary.data(), O_CLOEXEC);  // 0600
  if (fd < 0) return path + ": " + reason();
  const bool written = write_all(fd, content) && ::fsync(fd) == 0;
  const bool closed = ::close(fd) == 0;
  if (written && closed && ::rename(temporary.c_str(), path.c_str()) == 0) return std::nullopt;
  const std::string why = reason();
  ::unlink(temporary.c_str());
  return path + ": " + why;
}

FileLock::FileLock(const std::string& path, Wait wait) {
  fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (fd_ < 0) return;
  int done = 0;
  do {
    done = ::flock(fd_, LOCK_EX | (wait == Wait::No ? LOCK_NB : 0));
  } while (done != 0 && errno == EINTR);
  held_ = done == 0;
  busy_ = done != 0 && errno == EWOULDBLOCK;
}

FileLock::~FileLock() {
  if (fd_ >= 0) ::close(fd_);
}

std::string utc_now() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  tm parts{};
  ::gmtime_r(&now.tv_sec, &parts);
  std::array<char, 40> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  std::string out(text.data(), length);
  const long ms = now.tv_nsec / 1'000'000;
  for (const long digit : {ms / 100 % 10, ms / 10 % 10, ms % 10}) {
    if (out.size() == length) out += '.';
    out += static_cast<char>('0' + digit);
  }
  return out + "Z";
}

std::string sha256_hex(std::string_view bytes) {
  char* sum =
      g_compute_checksum_for_data(G_CHECKSUM_SHA256, reinterpret_cast<const guchar*>(bytes.data()), bytes.size());
  std::string out = sum ? sum : "";
  g_free(sum);
  return out;
}

std::string random_word(std::size_t length) {
  constexpr std::string_view kLetters = "abcdefghjkmnpqrstuvwxyz23456789";
  std::vector<unsigned char> bytes(length);
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    for (unsigned char& b : bytes) b = static_cast<unsigned char>(g_random_int_range(0, 256));
  }
  std::string out;
  for (const unsigned char b : bytes) out += kLetters[b % kLetters.size()];
  return out;
}

}  // namespace deskmark
