#include "src/desktop/find.hpp"

#include <algorithm>
#include <cstdlib>

#include "src/desktop/environment.hpp"
#include "src/desktop/probe.hpp"
#include "src/desktop/remains.hpp"

namespace deskmark::desktop {
namespace {

constexpr Milliseconds kLimit{2000};

DesktopAddress address_of(const Found& found) {
  const Environment& all = found.state.environment;
  return {found.state.display(), lookup(all, "XAUTHORITY"), lookup(all, "DBUS_SESSION_BUS_ADDRESS"),
          lookup(all, "XDG_RUNTIME_DIR"), all};
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// ":100.0" names the same display as ":100".
std::string without_screen(const std::string& display) { return display.substr(0, display.find('.')); }

void enter(const DesktopAddress& desktop) {
  for (const auto& name : foreign_variables()) unsetenv(name.c_str());
  for (const auto& [name, value] : desktop.environment) setenv(name.c_str(), value.c_str(), 1);
}

std::vector<Found> running() {
  std::vector<Found> found = find_all();
  std::erase_if(found, [](const Found& item) {
    return item.supervisor == 0 || (item.state.state != "running" && item.state.state != "degraded");
  });
  // Newest first; the number decides among those of one second.
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return std::pair(a.state.started, a.number) > std::pair(b.state.started, b.number);
  });
  return found;
}

}  // namespace

std::optional<DesktopAddress> find_desktop() {
  const auto found = running();
  if (found.empty()) return std::nullopt;
  return address_of(found.front());
}

std::optional<DesktopAddress> find_desktop(const std::string& display) {
  for (const auto& item : running())
    if (item.state.display() == without_screen(display)) return address_of(item);
  return std::nullopt;
}

DisplayChoice use_display() {
  using From = DisplayChoice::From;
  const std::string wanted = variable("DISPLAY");
  if (!wanted.empty()) {
    if (const auto own = find_desktop(wanted); own && display_answers({own->display, own->xauthority}, kLimit)) {
      enter(*own);
      return {From::Given, wanted, ""};
    }
    if (display_answers({wanted, ""}, kLimit)) return {From::Given, wanted, ""};
  }
  if (const auto own = find_desktop(); own && display_answers({own->display, own->xauthority}, kLimit)) {
    enter(*own);
    return {From::Own, own->display, ""};
  }
  const std::string tried = wanted.empty() ? "DISPLAY is not set" : "the X display " + wanted + " cannot be reached";
  return {From::None, "", tried + " and no headless desktop is running; start one: eval \"$(deskmark desktop start)\""};
}

}  // namespace deskmark::desktop
