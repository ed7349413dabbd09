#include "perception/x11/screen.hpp"

#include <cstdlib>

#include "perception/x11/display_thread.hpp"
#include "perception/x11/connection.hpp"
#include "perception/x11/grab.hpp"
#include "perception/x11/window_list.hpp"

namespace deskmark {
namespace {

using x11::Session;

constexpr std::chrono::seconds kConnecting{5};

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

class X11Screen : public ScreenSource {
 public:
  explicit X11Screen(const std::string& display) : thread_(display) {}

  /// An empty code when the display can be worked with.
  EdgeError connect() {
    return thread_.call<bool>(Deadline::in(kConnecting), [](Session&) { return Reading<bool>{true, {}, {}}; }).error;
  }

  Reading<WindowList> windows(const Deadline& deadline) override {
    return thread_.call<WindowList>(deadline,
                                    [deadline](Session& s) { return x11::read_windows(s.connection, deadline); });
  }
  Reading<Grab> grab(const std::vector<Window>& windows, const DeviceRect& area, const Deadline& deadline) override {
    return thread_.call<Grab>(
        deadline, [windows, area, deadline](Session& s) { return s.grabber.windows(windows, area, deadline); });
  }
  Reading<std::vector<std::uint64_t>> generations(const std::vector<Window>& windows,
                                                  const Deadline& deadline) override {
    std::vector<std::uint32_t> ids;
    for (const Window& window : windows) ids.push_back(window.id);
    using Numbers = std::vector<std::uint64_t>;
    return thread_.call<Numbers>(deadline, [ids, deadline](Session& s) -> Reading<Numbers> {
      Numbers numbers = s.tracker.generations(ids, deadline);
      if (auto fault = s.connection.fault()) return {std::nullopt, *std::move(fault), {}};
      return {std::move(numbers), {}, {}};
    });
  }
  Reading<Grab> grab_screen(const DeviceRect& area, const Deadline& deadline) override {
    return thread_.call<Grab>(deadline, [area, deadline](Session& s) { return s.grabber.screen(area, deadline); });
  }

 private:
  x11::DisplayThread thread_;
};

/// Set when the environment is that of a Wayland session and nobody chose an X display.
std::optional<EdgeError> wayland(const std::string& display) {
  if (!display.empty()) return std::nullopt;
  const std::string socket = environment("WAYLAND_DISPLAY");
  const bool session = environment("XDG_SESSION_TYPE") == "wayland" && environment("DISPLAY").empty();
  if (socket.empty() && !session) return std::nullopt;
  const std::string sign = socket.empty() ? "XDG_SESSION_TYPE is wayland" : "WAYLAND_DISPLAY is " + socket;
  return EdgeError{"wayland_session", "this is a Wayland session (" + sign +
                                          "), which is not supported yet; use an X11 session, start a display with "
                                          "`deskmark desktop start`, or name one with --display"};
}

}  // namespace

Reading<std::unique_ptr<ScreenSource>> open_x11(const std::string& display) {
  if (auto refused = wayland(display)) return {std::nullopt, *std::move(refused), {}};
  auto screen = std::make_unique<X11Screen>(display.empty() ? environment("DISPLAY") : display);
  if (EdgeError error = screen->connect(); !error.code.empty()) return {std::nullopt, std::move(error), {}};
  return {std::move(screen), {}, {}};
}

}  // namespace deskmark
