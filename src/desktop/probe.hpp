// Short questions to an X server or a bus, each with a time limit: for telling when a part of a desktop is ready.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace deskmark::desktop {

using Milliseconds = std::chrono::milliseconds;

/// A display and the file with its cookie; an empty file means $XAUTHORITY or ~/.Xauthority.
struct DisplayAddress {
  std::string display;
  std::string xauthority;
};

/// Whether an X server accepts a connection.
[[nodiscard]] bool display_answers(const DisplayAddress& address, Milliseconds limit);
/// Whether a window manager that follows EWMH has taken over.
[[nodiscard]] bool window_manager_answers(const DisplayAddress& address, Milliseconds limit);

struct ClientWindow {
  std::uint32_t id = 0;
  std::string title;
};
/// Windows the window manager manages, oldest first. Nothing: no answer in time.
[[nodiscard]] std::optional<std::vector<ClientWindow>> client_windows(const DisplayAddress& address,
                                                                      Milliseconds limit);

/// The accessibility bus as org.a11y.Bus on the session bus tells it. Empty: no answer.
[[nodiscard]] std::string accessibility_address(const std::string& session_bus, Milliseconds limit);
/// org.a11y.Status.IsEnabled.
[[nodiscard]] bool accessibility_enabled(const std::string& session_bus, Milliseconds limit);
/// Process that owns a name on a bus, 0: nobody.
[[nodiscard]] pid_t owner_of(const std::string& bus, const std::string& name, Milliseconds limit);
/// Has the bus start the service behind a name; true once it is there.
[[nodiscard]] bool start_service(const std::string& bus, const std::string& name, Milliseconds limit);

}  // namespace deskmark::desktop
