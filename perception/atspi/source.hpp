// Accessible applications and trees over AT-SPI (D-Bus).
#pragma once

#include <memory>

#include "perception/sources.hpp"

namespace deskmark {

namespace atspi {
class BusThread;
}

/// The thread that owns the connection to the accessibility bus; reading and acting share one.
std::shared_ptr<atspi::BusThread> open_atspi_bus();

/// Connects lazily and reconnects by itself: a bus that is not there now is reported by each call (TreeStatus::NoBus,
/// accessibility_unavailable) and tried again by the next.
std::unique_ptr<AccessibleSource> open_atspi(std::shared_ptr<atspi::BusThread> thread = open_atspi_bus());

}  // namespace deskmark
