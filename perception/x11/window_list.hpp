// The list of windows as the contract wants it.
#pragma once

#include "perception/x11/clients.hpp"

namespace deskmark::x11 {

/// Reads every window in a handful of round trips. Empty value with the connection's fault when it failed.
[[nodiscard]] Reading<WindowList> read_windows(Connection& connection, const Deadline& deadline);

}  // namespace deskmark::x11
