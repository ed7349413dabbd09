// What the X11 tests share.
#pragma once

#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <thread>

#include "display_server.hpp"
#include "painter.hpp"
#include "perception/x11/screen.hpp"

namespace deskmark::test {

inline Deadline soon(int ms = 5000) { return Deadline::in(std::chrono::milliseconds{ms}); }

/// Polls until `holds`; false after `ms`.
inline bool eventually(const std::function<bool()>& holds, int ms = 5000) {
  const Deadline deadline = soon(ms);
  while (!holds()) {
    if (deadline.passed()) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
  return true;
}

inline std::unique_ptr<ScreenSource> opened(const std::string& display) {
  auto reading = open_x11(display);
  REQUIRE_MESSAGE(reading, reading.error.message);
  return std::move(*reading.value);
}

inline WindowList listed(ScreenSource& screen) {
  auto reading = screen.windows(soon());
  REQUIRE_MESSAGE(reading, reading.error.message);
  return std::move(*reading.value);
}

inline std::optional<Window> find(const WindowList& list, std::uint32_t id) {
  for (const Window& window : list.windows) {
    if (window.id == id) return window;
  }
  return std::nullopt;
}

inline std::optional<Window> find(ScreenSource& screen, std::uint32_t id) { return find(listed(screen), id); }

inline bool warned(const std::vector<Warning>& warnings, const std::string& code) {
  for (const Warning& warning : warnings) {
    if (warning.code == code) return true;
  }
  return false;
}

/// How many pixels of `rect` (in the image) are 0xRRGGBB = `rgb`.
inline std::int64_t count(const Image& image, const DeviceRect& rect, std::uint32_t rgb) {
  std::int64_t n = 0;
  for (int y = rect.y; y < rect.bottom(); ++y) {
    for (int x = rect.x; x < rect.right(); ++x) n += image.rgb(x, y) == rgb;
  }
  return n;
}
inline bool all(const Image& image, const DeviceRect& rect, std::uint32_t rgb) {
  return count(image, rect, rgb) == rect.area();
}

}  // namespace deskmark::test
