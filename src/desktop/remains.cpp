#include "src/desktop/remains.hpp"

#include <unistd.h>

#include "src/desktop/process.hpp"

namespace deskmark::desktop {

std::vector<Found> find_all() {
  std::vector<Found> found;
  for (const auto& home : homes()) {
    for (const auto& entry : entries(home)) {
      Found item;
      item.place = {entry.directory};
      item.number = entry.number;
      item.supervisor = supervisor_of(item.place).value_or(0);
      if (auto state = read_state(item.place.state())) item.state = std::move(*state);
      found.push_back(std::move(item));
    }
  }
  return found;
}

void clear_remains(const Place& place, int number) {
  if (supervisor_of(place)) return;
  if (const auto state = read_state(place.state()); state && !state->id.empty())
    end_all([&] { return members(state->id); }, std::chrono::milliseconds(2000));
  remove_stale_display_files(number);
  remove_place(place);
}

std::vector<std::string> clear_all_remains() {
  std::vector<std::string> cleared;
  for (const auto& item : find_all()) {
    if (item.supervisor != 0) continue;
    const HomeLock lock(home_of(item.place.directory));
    // Looked at again under the lock: another command may have been faster, or a desktop be starting there.
    if (supervisor_of(item.place) || access(item.place.directory.c_str(), F_OK) != 0) continue;
    clear_remains(item.place, item.number);
    cleared.push_back(":" + std::to_string(item.number));
  }
  return cleared;
}

}  // namespace deskmark::desktop
