// The process that keeps one headless desktop together: starts its parts in order, restarts what dies, starts programs
// on request, and takes everything down again.
#pragma once

#include <string>
#include <vector>

#include "src/desktop/parts.hpp"
#include "src/desktop/place.hpp"
#include "src/desktop/state.hpp"

namespace deskmark::desktop {

struct Plan {
  Place place;  ///< created, empty
  std::string id;
  int number = 0;
  Size size;
  Programs programs;
  std::vector<std::vector<std::string>> runs;  ///< programs to start at the end, argv[0] a path
  Environment environment;                     ///< the caller's
  std::string directory;                       ///< the caller's
  mode_t umask = 022;
};

/// Runs until SIGTERM; called in a process of its own, detached. Tells on `ready`, one line of JSON each: first
/// {"locked":true}, then {"ok":true} or {"ok":false,"message":…,"taken":bool}. Returns the exit code.
[[nodiscard]] int supervise(Plan plan, int ready);

/// State file of a desktop that is about to start.
[[nodiscard]] DesktopState initial_state(const Plan& plan);

}  // namespace deskmark::desktop
