// What a job of the input thread works with: the connection and what lives on it.
#pragma once

#include <chrono>
#include <memory>

#include "input/x11/agent.hpp"
#include "input/x11/link.hpp"

namespace deskmark::x11_input {

struct Session {
  std::unique_ptr<Link> link;
  Agent agent;
  /// The newest click: one more that comes soon after it at the same place would be taken for a double click.
  struct {
    std::chrono::steady_clock::time_point when;
    DevicePoint at;
    unsigned button = 0;
  } last_click;
  explicit Session(std::unique_ptr<Link> opened) : link(std::move(opened)), agent(*link) {}
};

}  // namespace deskmark::x11_input
