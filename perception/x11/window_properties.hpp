// What windows say about themselves, for many windows at once.
#pragma once

#include <vector>

#include "perception/x11/clients.hpp"
#include "perception/x11/window_rules.hpp"

namespace deskmark::x11 {

struct DescribedClient {
  Window window;  ///< everything but z, focused and owner
  Ties ties;
  bool alive = false;
  bool viewable = false;
};

/// Parallel to `clients`.
[[nodiscard]] std::vector<DescribedClient> describe_clients(Connection& connection, const std::vector<Client>& clients,
                                                            const RootState& root, const Deadline& deadline);

}  // namespace deskmark::x11
