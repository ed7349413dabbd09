#include "perception/x11/shared_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

namespace deskmark::x11 {

bool SharedMemory::reserve(std::size_t bytes, const Deadline& deadline) {
  if (refused_ || !connection_.extensions().shared_memory) return false;
  if (size_ >= bytes) return true;
  release();
  // Room for a picture a quarter larger, so that a growing window does not cost a new segment each time.
  const std::size_t page = 4096;
  const std::size_t size = (bytes + bytes / 4 + page - 1) / page * page;
  const int file = memfd_create("deskmark-pixels", MFD_CLOEXEC);
  if (file < 0) return false;
  if (ftruncate(file, static_cast<off_t>(size)) != 0) {
    close(file);
    return false;
  }
  void* data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (data == MAP_FAILED) {
    close(file);
    return false;
  }
  xcb_connection_t* const c = connection_.xcb();
  const xcb_shm_seg_t segment = xcb_generate_id(c);
  const auto attached = xcb_shm_attach_fd_checked(c, segment, file, 0);  // closes `file` once it is sent
  const bool answered = connection_.sync(deadline);
  if (!answered || !connection_.succeeded(attached, deadline)) {
    if (!answered) xcb_discard_reply(c, attached.sequence);
    munmap(data, size);
    refused_ = answered;
    return false;
  }
  segment_ = segment;
  data_ = data;
  size_ = size;
  return true;
}

void SharedMemory::release() {
  if (data_ == nullptr) return;
  if (!connection_.dead()) xcb_shm_detach(connection_.xcb(), segment_);
  munmap(data_, size_);
  data_ = nullptr;
  segment_ = 0;
  size_ = 0;
}

}  // namespace deskmark::x11
