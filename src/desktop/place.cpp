#include "src/desktop/place.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace deskmark::desktop {
namespace {

namespace fs = std::filesystem;

std::string text_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr ? value : "";
}

bool is_number(const std::string& text) {
  return !text.empty() && text.size() <= 5 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool own_directory(const std::string& path) {
  struct stat info {};
  return lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid();
}

/// Home of the desktop whose environment this process runs in; its XDG_RUNTIME_DIR lies inside the desktop's directory.
std::string surrounding_home() {
  const fs::path directory = text_of("DESKMARK_DESKTOP");
  if (!directory.is_absolute() || !is_number(directory.filename())) return {};
  const std::string home = directory.parent_path();
  return fs::path(home).filename().string().starts_with("deskmark") ? home : std::string{};
}

std::string user_runtime() { return "/run/user/" + std::to_string(geteuid()); }
std::string temporary_home() { return "/tmp/deskmark-" + std::to_string(geteuid()); }

std::string make_private(const std::string& path) {
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return path + ": " + std::strerror(errno);
  struct stat info {};
  if (lstat(path.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) return path + " is not a directory";
  if (info.st_uid != geteuid()) return path + " belongs to another user";
  if ((info.st_mode & 077) != 0 && chmod(path.c_str(), 0700) != 0) return path + ": " + std::strerror(errno);
  if (access(path.c_str(), W_OK | X_OK) != 0) return path + ": " + std::strerror(errno);
  return {};
}

std::string lock_file(int number) { return "/tmp/.X" + std::to_string(number) + "-lock"; }
std::string socket_file(int number) { return "/tmp/.X11-unix/X" + std::to_string(number); }

bool listens(const std::string& path, bool abstract) {
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return false;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t skip = abstract ? 1 : 0;
  std::memcpy(address.sun_path + skip, path.data(), std::min(path.size(), sizeof address.sun_path - 1 - skip));
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + skip + path.size());
  // A full backlog (EAGAIN) is a server too.
  const bool there = connect(fd, reinterpret_cast<sockaddr*>(&address), length) == 0 || errno == EAGAIN;
  close(fd);
  return there;
}

/// A zombie is none: in a container nobody may ever collect it.
bool process_exists(pid_t pid) {
  if (pid <= 0 || (kill(pid, 0) != 0 && errno != EPERM)) return false;
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return true;
  const auto name_end = line.rfind(')');
  return name_end == std::string::npos || line.compare(name_end, 3, ") Z") != 0;
}

}  // namespace

std::string bus_address(const Place& place) {
  std::string address = "unix:path=";
  for (const unsigned char c : place.runtime() + "/bus") {
    if (std::isalnum(c) != 0 || std::strchr("-_/.\\", c) != nullptr) {
      address += static_cast<char>(c);
    } else {
      constexpr const char* kDigits = "0123456789abcdef";
      address += '%';
      address += kDigits[c >> 4];
      address += kDigits[c & 15];
    }
  }
  return address;
}

Home home_for_new() {
  std::string home = text_of("DESKMARK_HOME");
  std::string hint;
  if (!home.empty()) {
    hint = " (DESKMARK_HOME must be an absolute path whose parent directory is writable)";
    if (!home.starts_with('/')) return {"", home + " is not usable" + hint};
  } else if (home = surrounding_home(); home.empty()) {
    if (const std::string runtime = text_of("XDG_RUNTIME_DIR"); !runtime.empty()) {
      home = runtime + "/deskmark";
      hint = " (XDG_RUNTIME_DIR is " + runtime + "; it must be an absolute path to a writable directory, or unset)";
      if (!runtime.starts_with('/')) return {"", runtime + " is not usable" + hint};
    } else {
      home = own_directory(user_runtime()) ? user_runtime() + "/deskmark" : temporary_home();
    }
  }
  // Socket paths are at most 107 bytes; the longest of ours is <home>/99999/run/at-spi/bus_99999.
  if (home.size() > 74) return {"", home + " is too long for sockets below it" + hint};
  if (auto problem = make_private(home); !problem.empty()) return {"", problem + hint};
  return {home, ""};
}

std::vector<std::string> homes() {
  std::vector<std::string> found;
  const auto add = [&](const std::string& home) {
    if (!home.empty() && own_directory(home) && std::find(found.begin(), found.end(), home) == found.end())
      found.push_back(home);
  };
  if (const std::string only = text_of("DESKMARK_HOME"); !only.empty()) {
    add(only);
    return found;
  }
  add(surrounding_home());
  if (const std::string runtime = text_of("XDG_RUNTIME_DIR"); runtime.starts_with('/')) add(runtime + "/deskmark");
  add(user_runtime() + "/deskmark");
  add(temporary_home());
  return found;
}

std::vector<Entry> entries(const std::string& home) {
  std::vector<Entry> found;
  std::error_code ignored;
  for (const auto& item : fs::directory_iterator(home, ignored)) {
    const std::string name = item.path().filename();
    if (is_number(name) && own_directory(item.path())) found.push_back({item.path(), std::stoi(name)});
  }
  std::sort(found.begin(), found.end(), [](const Entry& a, const Entry& b) { return a.number < b.number; });
  return found;
}

std::string home_of(const std::string& directory) { return fs::path(directory).parent_path(); }

HomeLock::HomeLock(const std::string& home) : home_(home) {
  // The home may be removed by a last desktop that stops while we wait for the lock: then make it again.
  for (int attempt = 0; attempt < 100; ++attempt) {
    if (mkdir(home.c_str(), 0700) != 0 && errno != EEXIST) return;
    const int fd = open(home.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) continue;
    struct stat held {};
    struct stat there {};
    if (flock(fd, LOCK_EX) == 0 && fstat(fd, &held) == 0 && stat(home.c_str(), &there) == 0 &&
        held.st_ino == there.st_ino && held.st_dev == there.st_dev) {
      fd_ = fd;
      return;
    }
    close(fd);
  }
}

HomeLock::~HomeLock() { release(); }

void HomeLock::release() {
  if (fd_ < 0) return;
  rmdir(home_.c_str());  // if empty
  close(fd_);
  fd_ = -1;
}

std::optional<pid_t> supervisor_of(const Place& place) {
  const int fd = open(place.lock().c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  const bool asked = fcntl(fd, F_GETLK, &lock) == 0;
  close(fd);
  if (!asked || lock.l_type == F_UNLCK) return std::nullopt;
  return lock.l_pid;
}

bool take_supervisor_lock(const Place& place) {
  const int fd = open(place.lock().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return false;
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return fcntl(fd, F_SETLK, &lock) == 0;
}

std::string create(const Place& place) {
  for (const auto& directory : {place.directory, place.runtime(), place.log(), place.bin()})
    if (mkdir(directory.c_str(), 0700) != 0) return directory + ": " + std::strerror(errno);
  return {};
}

void remove_place(const Place& place) {
  std::error_code ignored;
  fs::remove_all(place.directory, ignored);
}

pid_t display_owner(int number) {
  std::ifstream file(lock_file(number));
  long pid = 0;
  return file >> pid && pid > 0 ? static_cast<pid_t>(pid) : 0;
}

bool display_in_use(int number) {
  return process_exists(display_owner(number)) || listens(socket_file(number), true) ||
         listens(socket_file(number), false);
}

void remove_stale_display_files(int number) {
  if (display_in_use(number)) return;
  unlink(lock_file(number).c_str());
  unlink(socket_file(number).c_str());
}

std::string write_xauthority(const Place& place, int number) {
  std::array<unsigned char, 16> cookie{};
  if (getrandom(cookie.data(), cookie.size(), 0) != static_cast<ssize_t>(cookie.size())) return "no random numbers";
  std::string file;
  const auto add_short = [&](std::size_t value) {
    file += static_cast<char>(value >> 8 & 0xff);
    file += static_cast<char>(value & 0xff);
  };
  const auto add = [&](const std::string& bytes) {
    add_short(bytes.size());
    file += bytes;
  };
  add_short(0xffff);  // FamilyWild: any host name, so that a renamed machine keeps its desktops
  add("");
  add(std::to_string(number));
  add("MIT-MAGIC-COOKIE-1");
  add(std::string(cookie.begin(), cookie.end()));
  if (!replace_file(place.xauthority(), file)) return place.xauthority() + ": " + std::strerror(errno);
  return {};
}

std::string random_id() {
  std::array<unsigned char, 16> bytes{};
  [[maybe_unused]] const auto got = getrandom(bytes.data(), bytes.size(), 0);
  std::string text;
  for (const unsigned char byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

bool replace_file(const std::string& path, const std::string& content) {
  const std::string fresh = path + ".new";
  const int fd = open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return false;
  std::size_t done = 0;
  while (done < content.size()) {
    const ssize_t wrote = write(fd, content.data() + done, content.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) break;
    done += static_cast<std::size_t>(wrote);
  }
  const bool whole = close(fd) == 0 && done == content.size();
  if (whole && rename(fresh.c_str(), path.c_str()) == 0) return true;
  unlink(fresh.c_str());
  return false;
}

}  // namespace deskmark::desktop
