#include "src/policy/desk.hpp"

#include <cctype>
#include <cstdlib>

#include "src/desktop/place.hpp"

namespace deskmark {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// ":100" of ":100.0", "localhost:10" of "localhost:10.0".
std::string without_screen(const std::string& display) {
  const std::size_t colon = display.rfind(':');
  if (colon == std::string::npos) return display;
  return display.substr(0, display.find('.', colon));
}

std::string file_name(const std::string& display) {
  std::string out = "display";
  for (const char c : display) out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  return out;
}

}  // namespace

std::string desk_directory(const std::string& display) {
  const std::string shown = without_screen(display.empty() ? variable("DISPLAY") : display);
  if (shown.empty()) return {};
  if (shown.starts_with(':')) {
    for (const std::string& home : desktop::homes()) {
      for (const desktop::Entry& entry : desktop::entries(home)) {
        if (":" + std::to_string(entry.number) == shown && desktop::supervisor_of({entry.directory}))
          return entry.directory;
      }
    }
  }
  // Not home_for_new(): that makes the directory, and this only names it.
  const auto homes = desktop::homes();
  const std::string home = homes.empty() ? desktop::home_for_new().path : homes.front();
  return home.empty() ? home : home + "/" + file_name(shown);
}

std::string state_directory() {
  if (const std::string state = variable("XDG_STATE_HOME"); state.starts_with('/')) return state + "/deskmark";
  if (const std::string home = variable("HOME"); home.starts_with('/')) return home + "/.local/state/deskmark";
  return {};
}

}  // namespace deskmark
