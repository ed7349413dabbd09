#include "src/desktop/environment.hpp"

#include <unistd.h>

#include <algorithm>

#include "src/desktop/place.hpp"

namespace deskmark::desktop {

Environment desktop_environment(const std::string& directory, int number) {
  const Place place{directory};
  return {
      {"DISPLAY", ":" + std::to_string(number)},
      {"XAUTHORITY", place.xauthority()},
      {"XDG_RUNTIME_DIR", place.runtime()},
      {"DBUS_SESSION_BUS_ADDRESS", bus_address(place)},
      {"DESKMARK_DESKTOP", directory},
      {"XDG_SESSION_TYPE", "x11"},
      {"GDK_BACKEND", "x11"},
      {"QT_QPA_PLATFORM", "xcb"},
      {"GTK_A11Y", "atspi"},                      // GTK 4 may pick no backend at all without a session
      {"QT_ACCESSIBILITY", "1"},                  // Qt 5, early
      {"QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "1"},  // Qt 5.x and 6
      {"GNOME_ACCESSIBILITY", "1"},               // Firefox
      {"ACCESSIBILITY_ENABLED", "1"},             // Chromium, Electron
      {"LIBGL_ALWAYS_SOFTWARE", "1"},             // Xvfb has no other
      // Without a GPU the GL renderer of GTK 4 takes so long for a frame that an animated window never comes to
      // register its tree: measured not within 30 s, and 0.8 s with this, at a quarter of the CPU time.
      {"GSK_RENDERER", "cairo"},
  };
}

const std::vector<std::string>& foreign_variables() {
  static const std::vector<std::string> names = {
      "WAYLAND_DISPLAY",      "WAYLAND_SOCKET",     "AT_SPI_BUS_ADDRESS",   "NO_AT_BRIDGE", "DBUS_SESSION_BUS_PID",
      "SESSION_MANAGER",      "DESKTOP_STARTUP_ID", "DBUS_STARTER_ADDRESS", "WINDOWID",     "DBUS_STARTER_BUS_TYPE",
      "XDG_ACTIVATION_TOKEN", "XDG_SESSION_ID",     "DESKTOP_AUTOSTART_ID",
  };
  return names;
}

Environment own_environment() {
  Environment all;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const auto equals = text.find('=');
    if (equals != std::string::npos && equals > 0) all.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return all;
}

Environment overlaid(const Environment& base, const Environment& desktop) {
  Environment result;
  for (const auto& [name, value] : base) {
    const auto same = [&name = name](const auto& other) { return other.first == name; };
    const auto& foreign = foreign_variables();
    if (std::find(foreign.begin(), foreign.end(), name) != foreign.end()) continue;
    if (name == kMemberVariable) continue;
    if (std::none_of(desktop.begin(), desktop.end(), same)) result.emplace_back(name, value);
  }
  result.insert(result.end(), desktop.begin(), desktop.end());
  // Browsers started by programs of the desktop find its wrappers first (browsers.hpp).
  if (const std::string directory = lookup(desktop, "DESKMARK_DESKTOP"); !directory.empty()) {
    for (auto& [name, value] : result) {
      const std::string bin = Place{directory}.bin();
      if (name == "PATH" && value.rfind(bin + ":", 0) != 0) value = bin + ":" + value;
    }
  }
  return result;
}

Environment member_environment(const Environment& base, const Environment& desktop, const std::string& id) {
  Environment result = overlaid(base, desktop);
  result.emplace_back(kMemberVariable, id);
  return result;
}

std::string lookup(const Environment& environment, const std::string& name) {
  for (const auto& [key, value] : environment)
    if (key == name) return value;
  return {};
}

std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  return quoted + "'";
}

std::string shell_lines(const Environment& desktop) {
  std::string lines = "unset";
  for (const auto& name : foreign_variables()) lines += " " + name;
  lines += ";\n";
  for (const auto& [name, value] : desktop) lines += "export " + name + "=" + shell_quoted(value) + ";\n";
  if (const std::string directory = lookup(desktop, "DESKMARK_DESKTOP"); !directory.empty()) {
    lines += "export PATH=" + shell_quoted(Place{directory}.bin()) + ":\"$PATH\";\n";
  }
  return lines;
}

}  // namespace deskmark::desktop
