// A block of memory shared with the X server, for pixels that need no copy through the socket.
#pragma once

#include <xcb/shm.h>

#include <cstddef>
#include <cstdint>

#include "perception/x11/connection.hpp"

namespace deskmark::x11 {

/// An anonymous file passed to the server as a descriptor (MIT-SHM 1.2): it has no name, so that nothing is left behind
/// however this process ends. Reused from grab to grab; grows when a larger picture is asked for.
class SharedMemory {
 public:
  explicit SharedMemory(Connection& connection) : connection_(connection) {}
  ~SharedMemory() { release(); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  /// Makes at least `bytes` available; false when the server or the system gives none (use plain requests then).
  bool reserve(std::size_t bytes, const Deadline& deadline);
  [[nodiscard]] xcb_shm_seg_t segment() const { return segment_; }
  [[nodiscard]] const std::uint8_t* data() const { return static_cast<const std::uint8_t*>(data_); }

 private:
  void release();

  Connection& connection_;
  xcb_shm_seg_t segment_ = 0;
  void* data_ = nullptr;
  std::size_t size_ = 0;
  bool refused_ = false;  ///< the server said no once: not asked again
};

}  // namespace deskmark::x11
