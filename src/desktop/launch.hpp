// Starting and stopping headless desktops, as functions: what the command line does, and what tests and other commands
// may.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/desktop/remains.hpp"
#include "src/desktop/state.hpp"

namespace deskmark::desktop {

struct StartOptions {
  Size size;
  std::optional<int> number;  ///< display; nothing: a free one, from :100
  std::string window_manager;
  std::vector<std::string> runs;  ///< command lines, quoted as for a shell but not run by one
};

struct Started {
  DesktopState state;
  std::string problem;  ///< empty: every part is ready
};

/// Returns when every part is ready.
[[nodiscard]] Started start(const StartOptions& options);

/// Ends a desktop and everything in it. Returns a problem, empty when nothing of it is left.
[[nodiscard]] std::string stop(const Found& desktop);

/// "1440x900", 64..16384 each.
[[nodiscard]] std::optional<Size> parse_size(const std::string& text);
/// ":100", "100" or ":100.0".
[[nodiscard]] std::optional<int> parse_display(const std::string& text);

}  // namespace deskmark::desktop
