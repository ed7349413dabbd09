#include "src/desktop/parts.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

namespace deskmark::desktop {
namespace {

// Small and always the same, whatever the user's own configuration: one workspace (a wheel turn over the root must not
// switch it), no key bindings that programs could want, no menus.
constexpr const char* kOpenboxConfiguration = R"(<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus><focusNew>yes</focusNew><followMouse>no</followMouse><focusLast>yes</focusLast></focus>
  <placement><policy>Smart</policy><center>yes</center></placement>
  <theme><name>Clearlooks</name><titleLayout>NLIMC</titleLayout><animateIconify>no</animateIconify></theme>
  <desktops><number>1</number><popupTime>0</popupTime></desktops>
  <resize><popupShow>Never</popupShow></resize>
  <keyboard>
    <keybind key="A-Tab"><action name="NextWindow"/></keybind>
    <keybind key="A-F4"><action name="Close"/></keybind>
  </keyboard>
  <mouse>
    <dragThreshold>4</dragThreshold><doubleClickTime>400</doubleClickTime>
    <context name="Client">
      <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
      <mousebind button="Middle" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
      <mousebind button="Right" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
    </context>
    <context name="Titlebar">
      <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
      <mousebind button="Left" action="Drag"><action name="Move"/></mousebind>
      <mousebind button="Left" action="DoubleClick"><action name="ToggleMaximize"/></mousebind>
    </context>
    <context name="Top Bottom Left Right TLCorner TRCorner BLCorner BRCorner">
      <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
      <mousebind button="Left" action="Drag"><action name="Resize"/></mousebind>
    </context>
    <context name="Close"><mousebind button="Left" action="Click"><action name="Close"/></mousebind></context>
    <context name="Iconify"><mousebind button="Left" action="Click"><action name="Iconify"/></mousebind></context>
    <context name="Maximize"><mousebind button="Left" action="Click"><action name="ToggleMaximize"/></mousebind></context>
  </mouse>
</openbox_config>
)";

// openbox is what is tested; the others follow EWMH as well.
constexpr std::array kWindowManagers = {"openbox", "xfwm4", "metacity", "marco", "icewm", "fluxbox", "jwm", "kwin_x11"};

std::string search_path() {
  const char* path = std::getenv("PATH");
  // /usr/games and sbin are often missing from the PATH of services; nothing here lies there.
  return path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
}

std::string find_launcher() {
  for (const char* path : {"/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher",
                           "/usr/lib/at-spi2/at-spi-bus-launcher", "/usr/libexec/at-spi2/at-spi-bus-launcher"}) {
    if (auto found = find_program(path, ""); !found.empty()) return found;
  }
  return find_program("at-spi-bus-launcher", search_path());
}

}  // namespace

Programs find_programs(const std::string& window_manager) {
  Programs programs;
  std::vector<std::string> missing;
  std::vector<std::string> packages;
  const auto need = [&](std::string found, const std::string& name, const std::string& package) {
    if (found.empty()) {
      missing.push_back(name);
      if (!package.empty()) packages.push_back(package);
    }
    return found;
  };
  const std::string path = search_path();
  programs.display = need(find_program("Xvfb", path), "Xvfb", "xvfb");
  programs.bus = need(find_program("dbus-daemon", path), "dbus-daemon", "dbus");
  programs.accessibility = need(find_launcher(), "at-spi-bus-launcher", "at-spi2-core");
  if (window_manager.empty()) {
    for (const char* name : kWindowManagers)
      if (programs.windows = find_program(name, path); !programs.windows.empty()) break;
    programs.windows = need(programs.windows, "openbox", "openbox");
  } else {
    programs.windows = need(find_program(window_manager, path, std::filesystem::current_path()), window_manager, "");
  }
  if (missing.empty()) return programs;
  for (const auto& name : missing) programs.problem += (programs.problem.empty() ? "" : ", ") + name;
  programs.problem = "not installed: " + programs.problem;
  if (!packages.empty()) {
    programs.problem += " (sudo apt-get install";
    for (const auto& package : packages) programs.problem += " " + package;
    programs.problem += ")";
  }
  return programs;
}

std::vector<std::string> display_command(const Programs& programs, const Place& place, int number, Size size) {
  const std::string screen = std::to_string(size.width) + "x" + std::to_string(size.height) + "x24";
  return {programs.display,
          ":" + std::to_string(number),
          "-screen",
          "0",
          screen,
          "-nolisten",
          "tcp",
          "-noreset",
          "-s",  // no screen saver: it would blank what a capture sees
          "0",
          "-auth",
          place.xauthority()};
}

std::vector<std::string> bus_command(const Programs& programs, const Place& place) {
  return {programs.bus, "--session", "--nofork", "--nopidfile", "--address=" + bus_address(place), "--print-address=3"};
}

std::vector<std::string> accessibility_command(const Programs& programs) {
  // Never the screen reader's flag: it makes desktops start one.
  return {programs.accessibility, "--launch-immediately", "--a11y=1", "--screen-reader=0"};
}

std::vector<std::string> windows_command(const Programs& programs, const Place& place) {
  if (std::filesystem::path(programs.windows).filename() != "openbox") return {programs.windows};
  const std::string file = place.directory + "/openbox.xml";
  if (!replace_file(file, kOpenboxConfiguration)) return {programs.windows};
  return {programs.windows, "--config-file", file};
}

}  // namespace deskmark::desktop
