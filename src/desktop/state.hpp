// What is known of a running desktop: written by its supervisor on every change, read by everyone else.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "src/desktop/process.hpp"

namespace deskmark::desktop {

struct Size {
  int width = 1440;  ///< device pixels
  int height = 900;
};

/// One of the processes a desktop is made of.
struct PartState {
  std::string name;     ///< display, bus, accessibility, registry, windows
  std::string program;  ///< path
  pid_t pid = 0;        ///< 0: not running
  std::string state;    ///< starting, running, restarting, failed, waiting, stopped
  int restarts = 0;
  std::string message;  ///< why it restarts or failed
};

/// A program started in the desktop.
struct AppState {
  pid_t pid = 0;
  std::string command;
  bool running = true;
  std::string ended;  ///< "exit code 0", "signal 15 (Terminated)"; empty while it runs
  std::string log;    ///< file with what it prints
};

struct DesktopState {
  std::string id;
  int number = 0;  ///< X display number
  Size size;
  pid_t supervisor = 0;
  std::int64_t started = 0;  ///< seconds since the epoch
  std::string state;         ///< starting, running, degraded (a part restarts), failed (a part is given up), stopping
  std::vector<PartState> parts;
  std::vector<AppState> apps;
  Environment environment;

  [[nodiscard]] std::string display() const { return ":" + std::to_string(number); }
};

[[nodiscard]] nlohmann::ordered_json to_json(const DesktopState& state);
/// Nothing: not a state that this program wrote.
[[nodiscard]] std::optional<DesktopState> parse_state(const std::string& text);
[[nodiscard]] std::optional<DesktopState> read_state(const std::string& path);

}  // namespace deskmark::desktop
