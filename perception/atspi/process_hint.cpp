#include "perception/atspi/process_hint.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

namespace deskmark::atspi {
namespace {

std::string contents(int pid, const char* file) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/" + file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

Toolkit toolkit_from_maps(std::string_view maps) {
  if (has(maps, "libQt6Gui")) return Toolkit::Qt6;
  if (has(maps, "libQt5Gui")) return Toolkit::Qt5;
  if (has(maps, "libxul.so")) return Toolkit::Firefox;
  // The engine's data files: Chromium, Electron, CEF, whatever the program is called.
  if (has(maps, "v8_context_snapshot") || has(maps, "icudtl.dat")) return Toolkit::Chromium;
  if (has(maps, "libmergedlo.so") || has(maps, "libvcllo.so")) return Toolkit::LibreOffice;
  if (has(maps, "libjvm.so")) return Toolkit::Java;
  if (has(maps, "libgtk-4.so")) return Toolkit::Gtk4;
  if (has(maps, "libgtk-3.so") || has(maps, "libgtk-x11-2.0.so")) return Toolkit::Gtk3;
  if (has(maps, "libatk-bridge-2.0.so") || has(maps, "libatspi.so")) return Toolkit::Other;
  return Toolkit::Unknown;
}

bool switched_on(Toolkit toolkit, std::string_view command_line, std::string_view environment) {
  switch (toolkit) {
    case Toolkit::Chromium: return has(command_line, "--force-renderer-accessibility");
    case Toolkit::Firefox: return has(environment, "GNOME_ACCESSIBILITY=1");
    case Toolkit::Unknown: return false;
    default: return true;  // joins by itself when it finds the bus, unless told not to
  }
}

std::string switch_on_remedy(Toolkit toolkit) {
  switch (toolkit) {
    case Toolkit::Chromium: return "start it with --force-renderer-accessibility";
    case Toolkit::Firefox: return "start it with GNOME_ACCESSIBILITY=1 in its environment";
    case Toolkit::Qt5:
    case Toolkit::Qt6:
      return "start it with QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1 in its environment, while the accessibility bus runs";
    case Toolkit::Gtk4: return "start it with GTK_A11Y=atspi in its environment, while the accessibility bus runs";
    case Toolkit::Gtk3:
    case Toolkit::LibreOffice:
      return "start it again while the accessibility bus runs, without NO_AT_BRIDGE in its environment";
    case Toolkit::Java:
      return "install the Java accessibility wrapper (package libatk-wrapper-java) and start it again";
    default: return {};
  }
}

double process_age(int pid) {
  const std::string stat = contents(pid, "stat");
  std::ifstream uptime("/proc/uptime");
  double up = 0;
  const std::size_t end = stat.rfind(')');  // the name may hold spaces and parentheses
  if (end == std::string::npos || !(uptime >> up)) return 1e9;
  std::istringstream rest(stat.substr(end + 1));
  std::string field;
  constexpr int kStartTime = 22;  // proc(5)
  for (int i = 3; i <= kStartTime && rest >> field; ++i) {
  }
  const long ticks = sysconf(_SC_CLK_TCK);
  return ticks > 0 ? up - std::strtod(field.c_str(), nullptr) / static_cast<double>(ticks) : 1e9;
}

ProcessHint inspect_process(int pid) {
  ProcessHint hint;
  hint.toolkit = toolkit_from_maps(contents(pid, "maps"));
  hint.switched_on = switched_on(hint.toolkit, contents(pid, "cmdline"), contents(pid, "environ"));
  hint.age = process_age(pid);
  return hint;
}

}  // namespace deskmark::atspi
