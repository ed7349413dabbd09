#include "src/commands/interrupt.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>

namespace deskmark {
namespace {

sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

Interrupt::Interrupt() {
  const sigset_t set = stop_signals();
  // Only threads started from now on inherit the mask; the others belong to the engine, which blocks them as well (main
  // does).
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = signalfd(-1, &set, SFD_CLOEXEC);
  quit_ = eventfd(0, EFD_CLOEXEC);
  thread_ = std::thread([this] {
    pollfd fds[2] = {{signals_, POLLIN, 0}, {quit_, POLLIN, 0}};
    while (poll(fds, 2, -1) < 0) {
    }
    if (fds[0].revents & POLLIN) source_.request_stop();
  });
}

Interrupt::~Interrupt() {
  const std::uint64_t one = 1;
  if (write(quit_, &one, sizeof one) != sizeof one) {
    // An eventfd write of 1 cannot fail here; the thread ends with the process otherwise.
  }
  thread_.join();
  close(signals_);
  close(quit_);
  const sigset_t set = stop_signals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace deskmark
