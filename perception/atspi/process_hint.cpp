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

// Fields of /proc/PID/stat, proc(5).
constexpr int kUserTime = 14;  // and the kernel's share after it
constexpr int kStartTime = 22;

/// Sum of `count` fields from `first` on, counted in ticks there; negative when it cannot be read.
double stat_seconds(int pid, int first, int count) {
  const std::string stat = contents(pid, "stat");
  const std::size_t end = stat.rfind(')');  // the name may hold spaces and parentheses
  const long ticks = sysconf(_SC_CLK_TCK);
  if (end == std::string::npos || ticks <= 0) return -1;
  std::istringstream rest(stat.substr(end + 1));
  std::string field;
  double sum = 0;
  for (int i = 3; i < first + count; ++i) {
    if (!(rest >> field)) return -1;
    if (i >= first) sum += std::strtod(field.c_str(), nullptr);
  }
  return sum / static_cast<double>(ticks);
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
  std::ifstream uptime("/proc/uptime");
  double up = 0;
  const double started = stat_seconds(pid, kStartTime, 1);
  return started >= 0 && (uptime >> up) ? up - started : 1e9;
}

bool process_runs(int pid) {
  const std::string stat = contents(pid, "stat");
  const std::size_t end = stat.rfind(')');
  return end != std::string::npos && end + 2 < stat.size() && stat[end + 2] == 'R';
}

double process_time(int pid) { return stat_seconds(pid, kUserTime, 2); }

ProcessHint inspect_process(int pid) {
  ProcessHint hint;
  hint.toolkit = toolkit_from_maps(contents(pid, "maps"));
  hint.switched_on = switched_on(hint.toolkit, contents(pid, "cmdline"), contents(pid, "environ"));
  hint.age = process_age(pid);
  return hint;
}

}  // namespace deskmark::atspi
