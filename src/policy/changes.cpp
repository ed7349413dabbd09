#include "src/policy/changes.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cstdint>

namespace deskmark {

Changes::Changes(const std::string& directory, const std::stop_token& stop)
    : notify_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      on_stop_(stop, [this] {
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto done = ::write(wake_, &one, sizeof one);
      }) {
  constexpr std::uint32_t kEvents =
      IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;
  watching_ = notify_ >= 0 && ::inotify_add_watch(notify_, directory.c_str(), kEvents) >= 0;
}

Changes::~Changes() {
  if (notify_ >= 0) ::close(notify_);
  if (wake_ >= 0) ::close(wake_);
}

bool Changes::wait(int milliseconds) const {
  std::array<pollfd, 2> fds{{{notify_, POLLIN, 0}, {wake_, POLLIN, 0}}};
  if (::poll(fds.data(), fds.size(), milliseconds) <= 0 || !(fds[0].revents & POLLIN)) return false;
  std::array<char, 8192> events{};
  while (::read(notify_, events.data(), events.size()) > 0) {
  }
  return true;
}

}  // namespace deskmark
