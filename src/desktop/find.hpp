// Which display a command talks to: the one of its environment, or a headless desktop of this user.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/desktop/process.hpp"

namespace deskmark::desktop {

/// How to reach a running desktop.
struct DesktopAddress {
  std::string display;      ///< ":100"
  std::string xauthority;   ///< XAUTHORITY
  std::string session_bus;  ///< DBUS_SESSION_BUS_ADDRESS
  std::string runtime;      ///< XDG_RUNTIME_DIR
  Environment environment;  ///< all of it
};

/// The newest running headless desktop of this user.
[[nodiscard]] std::optional<DesktopAddress> find_desktop();
/// The running headless desktop on a display (":100"), if it is one of this user's.
[[nodiscard]] std::optional<DesktopAddress> find_desktop(const std::string& display);

/// Where use_display() ended up.
struct DisplayChoice {
  enum class From { Given, Own, None };
  From from = From::None;
  std::string display;  ///< the display in use; empty for None
  std::string message;  ///< None: what was tried and how to start one
};

/// Makes this process's environment lead to a display: $DISPLAY when it answers (the rest of the environment of an own
/// desktop is filled in when it is one's display), else the newest own desktop. Changes the environment: call it before
/// there are threads.
DisplayChoice use_display();

}  // namespace deskmark::desktop
