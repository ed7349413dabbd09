// Where what belongs to one desktop is kept between processes: its lease, its approvals, its pictures.
#pragma once

#include <string>

namespace deskmark {

/// The directory of the desktop on `display` (":0"; empty: $DISPLAY): that of a headless desktop of ours, else one of
/// its own in the runtime directory. Empty when there is no display or no place; need not exist yet.
[[nodiscard]] std::string desk_directory(const std::string& display);

/// $XDG_STATE_HOME/deskmark, else ~/.local/state/deskmark; empty when neither is known.
[[nodiscard]] std::string state_directory();

}  // namespace deskmark
