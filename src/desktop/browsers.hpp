// Programs built on Chromium publish their accessible tree only when a flag says so; no variable of the environment
// does it any more (measured with Chromium 156). Inside a headless desktop they are started by way of a wrapper that
// adds the flag.
#pragma once

#include <string>

#include "src/desktop/place.hpp"

namespace deskmark::desktop {

/// Writes a wrapper into place.bin() for each known browser found along `path` (a PATH). Failing to is no reason not to
/// start.
void write_browser_wrappers(const Place& place, const std::string& path);

/// The wrapper for `program` (an absolute path) in this desktop, else `program` itself.
[[nodiscard]] std::string wrapped(const Place& place, const std::string& program);

}  // namespace deskmark::desktop
