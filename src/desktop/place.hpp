// Where a headless desktop keeps its files, and who owns which display.
//
//   <home>/<display number>/   0700, one per desktop; home is $XDG_RUNTIME_DIR/deskmark, /run/user/UID/deskmark or
//   /tmp/deskmark-UID
//     lock         held (fcntl) by the supervisor for as long as it lives: the kernel says who runs, never a number in
//     a file state.json   0600, what status prints control      socket, requests to start a program Xauthority   the
//     display's cookie run/         XDG_RUNTIME_DIR of the desktop, with the session bus's socket in it log/ what the
//     parts and programs print
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace deskmark::desktop {

struct Place {
  std::string directory;
  [[nodiscard]] std::string lock() const { return directory + "/lock"; }
  [[nodiscard]] std::string state() const { return directory + "/state.json"; }
  [[nodiscard]] std::string control() const { return directory + "/control"; }
  [[nodiscard]] std::string xauthority() const { return directory + "/Xauthority"; }
  [[nodiscard]] std::string runtime() const { return directory + "/run"; }
  [[nodiscard]] std::string log() const { return directory + "/log"; }
  [[nodiscard]] std::string bin() const {
    return directory + "/bin";
  }  ///< programs that need a flag to publish their tree
};

/// D-Bus address of the desktop's session bus.
[[nodiscard]] std::string bus_address(const Place& place);

/// Home for a new desktop, created when missing. `problem` names the directory and what is wrong with it.
struct Home {
  std::string path;
  std::string problem;
};
[[nodiscard]] Home home_for_new();
/// Homes that exist, in the order they are looked at.
[[nodiscard]] std::vector<std::string> homes();
/// Directories of desktops in a home, with their display number.
struct Entry {
  std::string directory;
  int number = 0;
};
[[nodiscard]] std::vector<Entry> entries(const std::string& home);
[[nodiscard]] std::string home_of(const std::string& directory);

/// Exclusive use of a home while desktops are claimed or their remains are cleared away. Creates the home; on release,
/// by the destructor at the latest, the home is removed when it is empty. Nothing else may remove it: the lock would be
/// on a directory that is no more.
class HomeLock {
 public:
  explicit HomeLock(const std::string& home);
  ~HomeLock();
  HomeLock(const HomeLock&) = delete;
  HomeLock& operator=(const HomeLock&) = delete;
  [[nodiscard]] bool held() const { return fd_ >= 0; }
  void release();

 private:
  std::string home_;
  int fd_ = -1;
};

/// Process that holds a desktop's lock; nothing: its supervisor is dead.
[[nodiscard]] std::optional<pid_t> supervisor_of(const Place& place);
/// Takes the lock for the rest of this process's life. The file must not be opened again by it.
[[nodiscard]] bool take_supervisor_lock(const Place& place);

/// Creates the directory tree of a new desktop. Returns a problem, empty when there is none.
[[nodiscard]] std::string create(const Place& place);
/// Removes a desktop's directory, not following links.
void remove_place(const Place& place);

/// Process that holds an X display's lock file, 0: none. The process need not exist any more.
[[nodiscard]] pid_t display_owner(int number);
/// Whether an X server, anyone's, has this display.
[[nodiscard]] bool display_in_use(int number);
/// Removes lock file and socket that a killed X server left on a display of ours.
void remove_stale_display_files(int number);

/// Writes an Xauthority file with a fresh cookie for the display. Returns a problem, empty when there is none.
[[nodiscard]] std::string write_xauthority(const Place& place, int number);
/// 32 random hexadecimal digits.
[[nodiscard]] std::string random_id();

/// Replaces a file at once (readers see the old or the new one), mode 0600.
[[nodiscard]] bool replace_file(const std::string& path, const std::string& content);

}  // namespace deskmark::desktop
