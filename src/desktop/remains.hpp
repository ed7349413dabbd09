// Clearing away what is left of a desktop whose supervisor was killed.
#pragma once

#include <string>
#include <vector>

#include "src/desktop/place.hpp"
#include "src/desktop/state.hpp"

namespace deskmark::desktop {

/// A desktop directory with what its state file says.
struct Found {
  Place place;
  int number = 0;
  pid_t supervisor = 0;  ///< 0: dead, only remains are there
  DesktopState state;    ///< empty when the file is unreadable
};

/// Every desktop of this user and every directory left of one.
[[nodiscard]] std::vector<Found> find_all();

/// Ends the processes of a dead desktop, removes its display's files and its directory. Nothing happens while a
/// supervisor lives. The caller holds the home's lock.
void clear_remains(const Place& place, int number);
/// The same for everything dead; returns the displays cleared, as ":N". Takes the locks itself.
std::vector<std::string> clear_all_remains();

}  // namespace deskmark::desktop
