// The programs a headless desktop is made of: which they are here, how they are called, when they are ready.
#pragma once

#include <string>
#include <vector>

#include "src/desktop/place.hpp"
#include "src/desktop/state.hpp"

namespace deskmark::desktop {

/// Paths of the programs that make up a desktop on this machine.
struct Programs {
  std::string display;        ///< Xvfb
  std::string bus;            ///< dbus-daemon
  std::string accessibility;  ///< at-spi-bus-launcher
  std::string windows;        ///< a window manager that follows EWMH
  std::string problem;        ///< names what is missing and the Debian packages that have it; empty: all there
};

/// `window_manager`: name or path, empty for openbox or else the first known one that is installed.
[[nodiscard]] Programs find_programs(const std::string& window_manager);

[[nodiscard]] std::vector<std::string> display_command(const Programs& programs, const Place& place, int number,
                                                       Size size);
[[nodiscard]] std::vector<std::string> bus_command(const Programs& programs, const Place& place);
[[nodiscard]] std::vector<std::string> accessibility_command(const Programs& programs);
/// Writes the configuration the window manager is called with, if it takes one.
[[nodiscard]] std::vector<std::string> windows_command(const Programs& programs, const Place& place);

}  // namespace deskmark::desktop
