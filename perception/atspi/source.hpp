// Accessible applications and trees over AT-SPI (D-Bus).
#pragma once

#include <memory>

#include "perception/sources.hpp"

namespace deskmark {

/// Connects lazily and reconnects by itself: a bus that is not there now is reported by each call (TreeStatus::NoBus,
/// accessibility_unavailable) and tried again by the next.
std::unique_ptr<AccessibleSource> open_atspi();

}  // namespace deskmark
