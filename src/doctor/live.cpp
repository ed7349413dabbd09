#include "src/doctor/live.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <utility>

#include "perception/marks/picture_file.hpp"
#include "src/doctor/probe.hpp"

extern char** environ;  // NOLINT

namespace deskmark::doctor {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;

/// The probe's process and what it said.
class Probe {
 public:
  Probe() {
    std::array<int, 2> to{-1, -1};
    std::array<int, 2> from{-1, -1};
    if (::pipe2(to.data(), O_CLOEXEC) != 0 || ::pipe2(from.data(), O_CLOEXEC) != 0) return;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
    std::string self = "/proc/self/exe";
    std::string name = "deskmark";
    std::string verb = "doctor-probe";
    std::array<char*, 3> argv{name.data(), verb.data(), nullptr};
    if (::posix_spawn(&pid_, self.c_str(), &actions, nullptr, argv.data(), environ) != 0) pid_ = -1;
    posix_spawn_file_actions_destroy(&actions);
    ::close(to[0]);
    ::close(from[1]);
    in_ = to[1];
    out_ = from[0];
  }
  ~Probe() {
    if (in_ >= 0) ::close(in_);
    if (out_ >= 0) ::close(out_);
    if (pid_ <= 0) return;
    // It leaves when its input ends.
    for (int i = 0; i < 100; ++i) {
      if (::waitpid(pid_, nullptr, WNOHANG) != 0) return;
      ::usleep(20'000);
    }
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;

  /// Waits for lines until `enough` is content with those since the last forget().
  bool wait(const std::function<bool(const std::vector<std::string>&)>& enough, std::chrono::milliseconds limit) {
    const auto end = Clock::now() + limit;
    while (!enough(lines_)) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
      pollfd fd{out_, POLLIN, 0};
      if (left <= 0 || ::poll(&fd, 1, static_cast<int>(left)) <= 0) return false;
      std::array<char, 4096> bytes{};
      const ssize_t n = ::read(out_, bytes.data(), bytes.size());
      if (n <= 0) return false;
      pending_.append(bytes.data(), static_cast<std::size_t>(n));
      for (std::size_t at = 0; (at = pending_.find('\n')) != std::string::npos;) {
        lines_.push_back(pending_.substr(0, at));
        pending_.erase(0, at + 1);
      }
    }
    return true;
  }
  void forget() { lines_.clear(); }
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }

 private:
  pid_t pid_ = -1;
  int in_ = -1;
  int out_ = -1;
  std::string pending_;
  std::vector<std::string> lines_;
};

long count(const std::vector<std::string>& lines, const std::string& line) {
  return std::count(lines.begin(), lines.end(), line);
}

/// What the probe's keys typed, as far as it is Latin-1.
std::string typed(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) {
    if (!line.starts_with("key ")) continue;
    const long symbol = std::strtol(line.c_str() + 4, nullptr, 10);
    if (symbol >= 0x20 && symbol < 0x7f) out += static_cast<char>(symbol);
  }
  return out;
}

struct Trial {
  const char* action;
  json arguments;
  std::function<bool(const std::vector<std::string>&)> arrived;
};

std::vector<Trial> trials() {
  const json at = json::array({120, 100});
  const auto pressed = [](const char* button, long times) {
    return [button, times](const std::vector<std::string>& lines) {
      return count(lines, std::string{"button "} + button) >= times;
    };
  };
  return {
      {"click", {{"coordinate", at}}, pressed("1", 1)},
      {"double_click", {{"coordinate", at}}, pressed("1", 2)},
      {"right_click", {{"coordinate", at}}, pressed("3", 1)},
      {"middle_click", {{"coordinate", at}}, pressed("2", 1)},
      {"scroll", {{"coordinate", at}, {"direction", "down"}, {"amount", 2}}, pressed("5", 2)},
      {"drag",
       {{"from_coordinate", at}, {"to_coordinate", {220, 160}}},
       [](const auto& lines) {
         return count(lines, "button 1") >= 1 && count(lines, "motion") >= 1 && count(lines, "release 1") >= 1;
       }},
      {"type", {{"text", "Deskmark 42"}}, [](const auto& lines) { return typed(lines) == "Deskmark 42"; }},
      {"key", {{"keys", "F5"}}, [](const auto& lines) { return count(lines, "key 65474") >= 1; }},
  };
}

void put(Report& report, const std::string& action, const char* status, const std::string& reason) {
  for (Capability& c : report.capabilities) {
    if (c.action != action || c.status == "unsupported") continue;
    c.status = status;
    c.reason = reason;
  }
}

/// Whether the picture shows the probe.
bool shows_probe(const Reply& reply) {
  const LoadedPicture picture = decode_picture(reply.picture);
  return picture.ok() && picture.image.width > 200 && picture.image.height > 150 &&
         picture.image.rgb(picture.image.width / 2, picture.image.height / 2) == kProbeColour;
}

}  // namespace

void prove(Report& report, const EngineOptions& options) {
  Check check{"live", Status::Ok, "", "", {}};
  const auto failed = [&](std::string why) {
    check.status = Status::Missing;
    check.detail = std::move(why);
    report.checks.push_back(check);
  };
  const Check* display = report.find("display");
  if (!display || display->status == Status::Missing) return failed("there is no display to try things on");
  Probe probe;
  const auto shown = [](const std::vector<std::string>& lines) {
    return !lines.empty() && lines[0].starts_with("window ");
  };
  if (!probe.wait(shown, std::chrono::seconds{10})) return failed("the probe window did not appear");
  const unsigned long window = std::strtoul(probe.lines()[0].c_str() + 7, nullptr, 10);

  EngineOptions own = options;
  own.approve = "foreground";  // whoever runs this asked for it; it acts on its own window only
  own.approve_apps.clear();
  own.profile = own.allow = ActionSet::all();
  own.exclude_apps.clear();
  Engine engine(own);
  const auto client = engine.new_client();
  const Caller caller{"doctor", {}};
  const auto call = [&](const json& arguments) { return engine.call(*client, arguments, {}, {}, caller); };
  const auto capture = [&] { return call({{"action", "capture"}, {"mode", "vision"}, {"window_id", window}}); };

  // It may not be drawn yet.
  Reply picture = capture();
  for (const auto end = Clock::now() + std::chrono::seconds{5}; !shows_probe(picture) && Clock::now() < end;) {
    ::usleep(50'000);
    picture = capture();
  }
  if (!shows_probe(picture)) {
    put(report, "capture", "degraded", "the probe window was not seen as it is drawn");
    return failed("the probe window was not captured: " + picture.body.value("message", "its colour is wrong"));
  }
  std::string background;
  std::string foreground;
  std::string neither;
  for (const Trial& trial : trials()) {
    bool done = false;
    std::string why;
    for (const char* delivery : {"background", "foreground"}) {
      json arguments = trial.arguments;
      arguments["action"] = trial.action;
      arguments["delivery_mode"] = delivery;
      if (!capture().body.value("ok", false)) break;
      probe.forget();
      const Reply reply = call(arguments);
      if (probe.wait(trial.arrived, std::chrono::seconds{3})) {
        const bool behind = std::string{delivery} == "background";
        put(report, trial.action, behind ? "available" : "degraded",
            behind ? "tried" : "in the foreground only (" + reply.body.value("route", "") + ")");
        (behind ? background : foreground) += std::string{" "} + trial.action;
        done = true;
        break;
      }
      why = reply.body.value("message", "nothing arrived");
      // Input is never sent twice: what may have been sent is not tried another way.
      if (reply.body.value("effect", "") != "refused") break;
    }
    if (!done) {
      put(report, trial.action, "unsupported", "tried: " + why);
      neither += std::string{" "} + trial.action;
    }
  }
  if (!neither.empty())
    check.status = Status::Missing;
  else if (!foreground.empty())
    check.status = Status::Degraded;
  check.detail = "captured";
  if (!background.empty()) check.detail += "; arrived in the background:" + background;
  if (!foreground.empty()) check.detail += "; in the foreground only:" + foreground;
  if (!neither.empty()) check.detail += "; did not arrive:" + neither;
  report.checks.push_back(std::move(check));
}

}  // namespace deskmark::doctor
