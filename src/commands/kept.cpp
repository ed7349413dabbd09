#include "src/commands/kept.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdlib>

#include "src/commands/output.hpp"

namespace deskmark {
namespace {

constexpr off_t kLargest = 64 * 1024 * 1024;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// A directory that only this user can use, made when it is missing.
bool own_directory(const std::string& path) {
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return false;
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::geteuid() &&
         (info.st_mode & 0077) == 0;
}

}  // namespace

std::string kept_capture_path(const std::string& display) {
  std::string name = display.empty() ? environment("DISPLAY") : display;
  if (name.empty()) name = "none";
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '-') c = '_';
  }
  // Of a headless desktop this is its own, and ends with it.
  std::string base = environment("XDG_RUNTIME_DIR");
  if (base.empty()) {
    base = "/tmp/deskmark-" + std::to_string(::geteuid());
    if (!own_directory(base)) return "";
  }
  const std::string directory = base + "/deskmark-captures";
  return own_directory(directory) ? directory + "/" + name + ".json" : "";
}

std::string read_kept(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return "";
  std::string text;
  struct stat info {};
  if (::fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == ::geteuid() && (info.st_mode & 0077) == 0 &&
      info.st_size <= kLargest) {
    text.resize(static_cast<std::size_t>(info.st_size));
    std::size_t done = 0;
    while (done < text.size()) {
      const ssize_t n = ::read(fd, text.data() + done, text.size() - done);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) break;
      done += static_cast<std::size_t>(n);
    }
    text.resize(done);
  }
  ::close(fd);
  return text;
}

void write_kept(const std::string& path, const std::string& text) {
  if (path.empty()) return;
  if (text.empty()) {
    ::unlink(path.c_str());
    return;
  }
  std::string error;
  if (!write_file(path, {text.begin(), text.end()}, error)) ::unlink(path.c_str());
}

}  // namespace deskmark
