// The proof: a window of our own is captured, clicked and typed into, and says what reached it.
#pragma once

#include "src/doctor/checks.hpp"

namespace deskmark::doctor {

/// Starts the probe window on the display of `options`, tries the actions on it and puts what came of them into
/// `report`. Takes seconds; ends what it started.
void prove(Report& report, const EngineOptions& options);

}  // namespace deskmark::doctor
