#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "src/desktop/control.hpp"
#include "src/desktop/environment.hpp"
#include "src/desktop/launch.hpp"
#include "src/desktop/parts.hpp"
#include "src/desktop/restart_policy.hpp"

namespace deskmark::desktop {
namespace {

using namespace std::chrono_literals;

/// A directory of its own, removed at the end.
struct Folder {
  std::string path = "/tmp/dm-unit-XXXXXX";
  Folder() { REQUIRE(mkdtemp(path.data()) != nullptr); }
  ~Folder() { std::filesystem::remove_all(path); }
};

TEST_CASE("a part that dies is restarted at once, then with growing pauses, then given up") {
  RestartPolicy policy;
  auto now = RestartPolicy::Clock::now();
  CHECK(policy.failed(now) == 0ms);
  CHECK(policy.failed(now += 1s) == 200ms);
  CHECK(policy.failed(now += 1s) == 400ms);
  CHECK(policy.failed(now += 1s) == 800ms);
  CHECK_FALSE(policy.failed(now += 1s).has_value());
}

TEST_CASE("failures long ago do not count") {
  RestartPolicy policy;
  auto now = RestartPolicy::Clock::now();
  for (int i = 0; i < 20; ++i) CHECK(policy.failed(now += 61s) == 0ms);
}

TEST_CASE("sizes") {
  CHECK(parse_size("1440x900")->width == 1440);
  CHECK(parse_size("1440x900")->height == 900);
  for (const char* bad :
       {"", "x", "800", "800x", "x600", "800x600x24", "63x600", "800x16385", "-800x600", "800 x600", "8e2x600"})
    CHECK_FALSE_MESSAGE(parse_size(bad).has_value(), bad);
}

TEST_CASE("displays") {
  CHECK(parse_display(":100") == 100);
  CHECK(parse_display("7") == 7);
  CHECK(parse_display(":7.0") == 7);
  for (const char* bad : {"", ":", "x", "-1", ":-1", "host:1", ":99999", ":1x"})
    CHECK_FALSE_MESSAGE(parse_display(bad).has_value(), bad);
}

TEST_CASE("values survive a shell") {
  const std::string value = "it's $HOME `x` \"q\" \\ \n & ; é";
  const std::string script = "v=" + shell_quoted(value) + "; printf %s \"$v\"";
  FILE* shell = popen(("sh -c " + shell_quoted(script)).c_str(), "r");
  REQUIRE(shell != nullptr);
  std::array<char, 200> text{};
  const std::size_t size = fread(text.data(), 1, text.size(), shell);
  CHECK(pclose(shell) == 0);
  CHECK(std::string(text.data(), size) == value);
}

TEST_CASE("the desktop's environment is laid over the caller's") {
  const Environment base = {{"PATH", "/bin"},      {"DISPLAY", ":0"},      {"WAYLAND_DISPLAY", "wayland-0"},
                            {"NO_AT_BRIDGE", "1"}, {kMemberVariable, "x"}, {"LANG", "de_DE"}};
  const Environment result = overlaid(base, {{"DISPLAY", ":100"}});
  CHECK(result == Environment{{"PATH", "/bin"}, {"LANG", "de_DE"}, {"DISPLAY", ":100"}});
  CHECK(lookup(member_environment(base, {}, "id"), kMemberVariable) == "id");
}

TEST_CASE("every toolkit is told to publish its tree, and no screen reader is announced") {
  const Environment environment = desktop_environment("/run/d/100", 100);
  for (const char* name :
       {"GTK_A11Y", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "ACCESSIBILITY_ENABLED", "GNOME_ACCESSIBILITY"})
    CHECK_FALSE_MESSAGE(lookup(environment, name).empty(), name);
  CHECK(lookup(environment, "DISPLAY") == ":100");
  Programs programs;
  programs.accessibility = "launcher";
  const auto command = accessibility_command(programs);
  CHECK(std::find(command.begin(), command.end(), "--screen-reader=0") != command.end());
}

TEST_CASE("the state file gives back what was written") {
  DesktopState state;
  state.id = "abc";
  state.number = 117;
  state.size = {800, 600};
  state.supervisor = 42;
  state.started = 1'700'000'000;
  state.state = "degraded";
  state.parts = {{"display", "/usr/bin/Xvfb", 43, "running", 2, ""},
                 {"bus", "/usr/bin/dbus-daemon", 0, "failed", 0, "why"}};
  state.apps = {{44, "xterm -e sh", true, "", "/log"}, {45, "true", false, "exit code 0", "/log2"}};
  state.environment = {{"DISPLAY", ":117"}, {"X", "a=b"}};
  const auto back = parse_state(to_json(state).dump());
  REQUIRE(back.has_value());
  CHECK(to_json(*back) == to_json(state));
  CHECK(back->environment == state.environment);
}

TEST_CASE("a state file that something else wrote is refused") {
  for (const char* bad : {"", "{", "[]", "{}", R"({"display": 7})", R"({"display": ""})"})
    CHECK_FALSE_MESSAGE(parse_state(bad).has_value(), bad);
}

TEST_CASE("bus addresses escape what D-Bus asks for") {
  CHECK(bus_address({"/run/user/0/deskmark/100"}) == "unix:path=/run/user/0/deskmark/100/run/bus");
  CHECK(bus_address({"/a b,c/é"}) == "unix:path=/a%20b%2cc/%c3%a9/run/bus");
}

TEST_CASE("a request to run travels byte for byte") {
  const Folder folder;
  const std::string path = folder.path + "/control";
  const int listener = listen_at(path);
  REQUIRE(listener >= 0);
  RunRequest request;
  request.argv = {"/bin/x", "", "a\nb\"\\", "\xff\xfe not UTF-8", "ä€😀"};
  request.environment = {{"A", "\x80"}, {"EMPTY", ""}};
  request.directory = "/tmp/\xe4";
  request.umask = 027;
  RunAnswer reply;
  std::thread client([&] { reply = ask_to_run(path, request, 10s); });
  std::optional<Asked> asked;
  for (const auto until = std::chrono::steady_clock::now() + 10s; !asked && std::chrono::steady_clock::now() < until;)
    asked = accept_request(listener);  // non-blocking until the client is there
  REQUIRE(asked.has_value());
  answer(asked->connection, {7, "/log", ""});
  client.join();
  close(listener);
  CHECK(asked->request.argv == request.argv);
  CHECK(asked->request.environment == request.environment);
  CHECK(asked->request.directory == request.directory);
  CHECK(asked->request.umask == request.umask);
  CHECK(reply.pid == 7);
  CHECK(reply.problem.empty());
}

TEST_CASE("a supervisor that does not listen is a problem, not a hang") {
  const Folder folder;
  CHECK_FALSE(ask_to_run(folder.path + "/nobody", {{"/bin/true"}, {}, "/", 0}, 1s).problem.empty());
}

TEST_CASE("lines are read one by one, within a time") {
  std::array<int, 2> ends{};
  REQUIRE(pipe2(ends.data(), O_CLOEXEC) == 0);
  LineReader lines(ends[0]);
  CHECK_FALSE(lines.next(10ms).has_value());
  REQUIRE(write(ends[1], "one\ntw", 6) == 6);
  CHECK(lines.next(1s) == "one");
  CHECK_FALSE(lines.next(10ms).has_value());
  REQUIRE(write(ends[1], "o\n", 2) == 2);
  close(ends[1]);
  CHECK(lines.next(1s) == "two");
  CHECK_FALSE(lines.next(1s).has_value());
  close(ends[0]);
}

TEST_CASE("programs are found as a shell finds them") {
  const Folder folder;
  std::ofstream(folder.path + "/tool") << "#!/bin/sh\n";
  std::filesystem::permissions(folder.path + "/tool", std::filesystem::perms::owner_all);
  std::ofstream(folder.path + "/text") << "x";
  std::filesystem::create_directory(folder.path + "/sub");
  CHECK(find_program("tool", "/nowhere:" + folder.path) == folder.path + "/tool");
  CHECK(find_program("./tool", "", folder.path) == folder.path + "/./tool");
  CHECK(find_program(folder.path + "/tool", "") == folder.path + "/tool");
  for (const char* none : {"text", "sub", "missing", ""}) CHECK_MESSAGE(find_program(none, folder.path).empty(), none);
}

TEST_CASE("a program that cannot be executed is told as such") {
  const Folder folder;
  CHECK(spawn({{folder.path + "/missing"}, {}}).problem == "No such file or directory");
  CHECK_FALSE(spawn({{"/bin/true"}, {}, folder.path + "/no-directory"}).problem.empty());
}

TEST_CASE("members are found by their id and ended, also those that ignore SIGTERM") {
  const std::string id = random_id();
  const Environment environment = {{"PATH", "/usr/bin:/bin"}, {kMemberVariable, id}};
  const auto reap = [] {
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
  };
  std::array<int, 2> ends{};
  REQUIRE(pipe2(ends.data(), O_CLOEXEC) == 0);
  SpawnRequest stubborn{{"/bin/sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1; done"}, environment};
  stubborn.output = ends[1];
  REQUIRE(spawn(stubborn).pid > 0);
  REQUIRE(spawn({{"/bin/sleep", "600"}, environment}).pid > 0);
  REQUIRE(LineReader(ends[0]).next(10s) == "ready");
  CHECK(members(id).size() >= 2);
  CHECK(members(random_id()).empty());
  end_all([&] { return members(id); }, 200ms, reap);
  CHECK(members(id).empty());
  close(ends[0]);
  close(ends[1]);
}

TEST_CASE("the display's file holds one cookie for it, for the owner only") {
  const Folder folder;
  const Place place{folder.path};
  REQUIRE(write_xauthority(place, 117).empty());
  std::ifstream file(place.xauthority(), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  CHECK(bytes.substr(0, 9) == std::string("\xff\xff\0\0\0\3"
                                          "117",
                                          9));
  CHECK(bytes.size() == 2 + 2 + 2 + 3 + 2 + 18 + 2 + 16);
  CHECK((std::filesystem::status(place.xauthority()).permissions() & std::filesystem::perms(077)) ==
        std::filesystem::perms::none);
}

TEST_CASE("the lock says who lives") {
  const Folder folder;
  const Place place{folder.path};
  CHECK_FALSE(supervisor_of(place).has_value());
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const bool taken = take_supervisor_lock(place);
    write_all(ends[1], taken ? "y\n" : "n\n");
    pause();
    _exit(0);
  }
  CHECK(LineReader(ends[0]).next(10s) == "y");
  CHECK(supervisor_of(place) == child);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  CHECK_FALSE(supervisor_of(place).has_value());
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace deskmark::desktop
