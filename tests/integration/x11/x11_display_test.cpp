#include <cstdlib>

#include "x11_harness.hpp"

namespace deskmark::test {
namespace {

/// Sets environment variables (null: unset) and puts them back.
class Environment {
 public:
  Environment(std::initializer_list<std::pair<const char*, const char*>> wanted) {
    for (const auto& [name, value] : wanted) {
      const char* old = std::getenv(name);
      saved_.emplace_back(name, old != nullptr ? std::optional<std::string>{old} : std::nullopt);
      value != nullptr ? setenv(name, value, 1) : unsetenv(name);
    }
  }
  ~Environment() {
    for (const auto& [name, value] : saved_) value ? setenv(name, value->c_str(), 1) : unsetenv(name);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::vector<std::pair<const char*, std::optional<std::string>>> saved_;
};

}  // namespace

TEST_CASE("displays that cannot be reached are named, with the remedy") {
  const Environment none{{"DISPLAY", nullptr}, {"WAYLAND_DISPLAY", nullptr}, {"XDG_SESSION_TYPE", nullptr}};
  for (const std::string display : {"", ":59999", "nonsense", "localhost:7"}) {
    const auto reading = open_x11(display);
    CAPTURE(reading.error.message);
    CHECK(reading.error.code == "display_unavailable");
    CHECK(reading.error.message.find("desktop start") != std::string::npos);
    CHECK(reading.error.message.find(display) != std::string::npos);
  }
}

TEST_CASE("a Wayland session is said to be one, unless a display is named") {
  DisplayServer server{"400x300x24"};
  {
    const Environment wayland{{"DISPLAY", nullptr}, {"WAYLAND_DISPLAY", "wayland-0"}, {"XDG_SESSION_TYPE", nullptr}};
    CHECK(open_x11("").error.code == "wayland_session");
    CHECK(open_x11(server.name()));
  }
  {
    const Environment wayland{{"DISPLAY", nullptr}, {"WAYLAND_DISPLAY", nullptr}, {"XDG_SESSION_TYPE", "wayland"}};
    CHECK(open_x11("").error.code == "wayland_session");
  }
  {
    const Environment x11{
        {"DISPLAY", server.name().c_str()}, {"WAYLAND_DISPLAY", nullptr}, {"XDG_SESSION_TYPE", "wayland"}};
    CHECK(open_x11(""));
  }
}

TEST_CASE("a server that dies is an answer, and the next one on that display is used") {
  auto server = std::make_unique<DisplayServer>("400x300x24");
  const std::string name = server->name();
  const auto screen = opened(name);
  CHECK(screen->windows(soon()));
  server.reset();
  CHECK(screen->windows(soon()).error.code == "display_unavailable");
  CHECK(screen->grab_screen({0, 0, 10, 10}, soon()).error.code == "display_unavailable");
  server = std::make_unique<DisplayServer>("400x300x24", std::vector<std::string>{}, name);
  REQUIRE(server->name() == name);
  CHECK(screen->windows(soon()));
}

TEST_CASE("a server that hangs costs the deadline and no more") {
  DisplayServer server{"400x300x24"};
  auto screen = opened(server.name());
  const auto timed = [&](int ms) {
    const auto start = std::chrono::steady_clock::now();
    CHECK(screen->windows(soon(ms)).error.code == "timeout");
    return std::chrono::steady_clock::now() - start;
  };
  server.process().send(SIGSTOP);
  CHECK(timed(100) < std::chrono::milliseconds{1000});
  CHECK(timed(100) < std::chrono::milliseconds{1000});
  server.process().send(SIGCONT);
  CHECK(screen->windows(soon()));
  std::stop_source stop;
  server.process().send(SIGSTOP);
  std::jthread canceller{[&] { stop.request_stop(); }};
  const auto error = screen->windows(Deadline::in(std::chrono::seconds{20}, stop.get_token())).error;
  CHECK(error.code == "cancelled");
  const auto start = std::chrono::steady_clock::now();
  screen.reset();  // does not hang either
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds{3});
}

TEST_CASE("windows that come and go while we look") {
  DisplayServer server;
  const auto screen = opened(server.name());
  std::atomic<bool> stop = false;
  std::thread churn{[&] {
    Painter painter{server.name()};
    while (!stop) {
      const auto id = painter.show({.rect = {10, 10, 200, 200}, .background = 0xff0000});
      for (int i = 0; i < 20'000 && !stop; ++i) painter.place(id, {20 + i % 7, 30, 100 + i % 100, 100 + i % 90});
      painter.destroy(id);
    }
  }};
  int grabs = 0;
  for (const Deadline deadline = soon(15'000); grabs < 8 && !deadline.passed();) {
    const auto list = screen->windows(soon());
    REQUIRE_MESSAGE(list, list.error.message);
    if (list.value->windows.empty()) continue;
    const auto reading = screen->grab({list.value->windows[0]}, {0, 0, 300, 300}, soon());
    if (reading) {
      ++grabs;
      // Red or nothing: never pixels of a place the window left.
      const Image& image = *reading.value->pixels;
      const DeviceRect all{0, 0, image.width, image.height};
      CHECK(count(image, all, 0xff0000) + count(image, all, kGapColour) == all.area());
    }
    const bool expected = reading || reading.error.code == "window_gone" || reading.error.code == "window_minimized";
    REQUIRE_MESSAGE(expected, reading.error.message);
  }
  stop = true;
  churn.join();
  CHECK(grabs == 8);
}

}  // namespace deskmark::test
