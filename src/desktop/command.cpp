#include "src/desktop/command.hpp"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string_view>

#include "src/desktop/control.hpp"
#include "src/desktop/environment.hpp"
#include "src/desktop/launch.hpp"
#include "src/desktop/pidfd.hpp"
#include "src/desktop/probe.hpp"

namespace deskmark::desktop {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string size = "1440x900";
  std::string display;
  std::string window_manager;
  std::vector<std::string> runs;
  double wait_window = 0;  ///< seconds
  bool json = false;
  bool all = false;
};

void print_json(const Json& json) {
  std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << "\n" << std::flush;
}

int fail(const Options& options, int code, const std::string& message) {
  if (options.json)
    print_json({{"ok", false}, {"message", message}});
  else
    std::cerr << "deskmark: " << message << "\n";
  return code;
}

/// The desktop a command means, or the exit code after the failure was told.
struct Choice {
  std::optional<Found> desktop;
  int code = kOk;
};

Choice choose(const Options& options) {
  std::vector<Found> running = find_all();
  std::erase_if(running, [](const Found& found) { return found.supervisor == 0; });
  if (!options.display.empty()) {
    const auto number = parse_display(options.display);
    if (!number)
      return {std::nullopt, fail(options, kUsage, "--display: " + options.display + " is not a display such as :100")};
    for (auto& found : running)
      if (found.number == *number) return {std::move(found), kOk};
    return {std::nullopt, fail(options, kNoDisplay, "no headless desktop runs on :" + std::to_string(*number))};
  }
  if (running.empty()) {
    return {std::nullopt,
            fail(options, kNoDisplay, "no headless desktop is running; start one: eval \"$(deskmark desktop start)\"")};
  }
  const char* display = std::getenv("DISPLAY");
  const auto current = parse_display(display != nullptr ? display : "-");
  for (auto& found : running)
    if (current && found.number == *current) return {std::move(found), kOk};
  if (running.size() == 1) return {std::move(running.front()), kOk};
  std::string list;
  for (const auto& found : running) list += " :" + std::to_string(found.number);
  return {std::nullopt,
          fail(options, kNotOk, "several headless desktops are running; name one with --display:" + list)};
}

int start_command(const Options& options) {
  StartOptions wanted;
  const auto size = parse_size(options.size);
  if (!size) return fail(options, kUsage, "--size: " + options.size + " is not WIDTHxHEIGHT, 64 to 16384 pixels each");
  wanted.size = *size;
  if (!options.display.empty()) {
    wanted.number = parse_display(options.display);
    if (!wanted.number)
      return fail(options, kUsage, "--display: " + options.display + " is not a display such as :100");
  }
  wanted.window_manager = options.window_manager;
  wanted.runs = options.runs;
  const Started started = start(wanted);
  if (!started.problem.empty()) {
    // So that eval "$(deskmark desktop start)" fails too: its own status would be lost.
    if (!options.json && isatty(STDOUT_FILENO) == 0) std::cout << "false\n" << std::flush;
    return fail(options, kNotOk, started.problem);
  }
  if (options.json) {
    Json json{{"ok", true}};
    json.update(to_json(started.state));
    json["unset"] = foreign_variables();
    print_json(json);
    return kOk;
  }
  std::cout << shell_lines(started.state.environment) << std::flush;
  std::cerr << "desktop " << started.state.display() << " is ready\n";
  return kOk;
}

int env_command(const Options& options) {
  const auto chosen = choose(options);
  if (!chosen.desktop) return chosen.code;
  const DesktopState& state = chosen.desktop->state;
  if (options.json) {
    Json environment = Json::object();
    for (const auto& [name, value] : state.environment) environment[name] = value;
    print_json({{"ok", true}, {"display", state.display()}, {"env", environment}, {"unset", foreign_variables()}});
  } else {
    std::cout << shell_lines(state.environment) << std::flush;
  }
  return kOk;
}

std::string age(std::int64_t started) {
  const auto seconds = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::time(nullptr)) - started);
  if (seconds < 120) return std::to_string(seconds) + " s";
  if (seconds < 7200) return std::to_string(seconds / 60) + " min";
  return std::to_string(seconds / 3600) + " h";
}

void print_status(const DesktopState& state) {
  std::printf("%s  %s  %dx%d  up %s  supervisor %d\n", state.display().c_str(), state.state.c_str(), state.size.width,
              state.size.height, age(state.started).c_str(), state.supervisor);
  for (const auto& part : state.parts) {
    const std::string program = std::filesystem::path(part.program).filename();
    std::printf("  %-14s %-20s %-11s %-8s", part.name.c_str(), program.c_str(), part.state.c_str(),
                part.pid > 0 ? std::to_string(part.pid).c_str() : "-");
    if (part.restarts > 0) std::printf(" restarted %d times", part.restarts);
    if (!part.message.empty()) std::printf(" %s", part.message.c_str());
    std::printf("\n");
  }
  for (const auto& app : state.apps)
    std::printf("  program %-8d %s%s%s\n", app.pid, app.command.c_str(), app.running ? "" : ": ", app.ended.c_str());
}

int status_command(const Options& options) {
  std::optional<int> only;
  if (!options.display.empty()) {
    only = parse_display(options.display);
    if (!only) return fail(options, kUsage, "--display: " + options.display + " is not a display such as :100");
  }
  const auto cleared = clear_all_remains();
  Json desktops = Json::array();
  bool any = false;
  bool failed = false;
  for (const auto& found : find_all()) {
    if (found.supervisor == 0 || (only && found.number != *only)) continue;
    any = true;
    failed = failed || found.state.state == "failed";
    if (options.json)
      desktops.push_back(to_json(found.state));
    else
      print_status(found.state);
  }
  if (options.json) {
    print_json({{"ok", any && !failed}, {"desktops", desktops}, {"cleared", cleared}});
  } else {
    for (const auto& display : cleared) std::printf("%s was killed; its remains are cleared away\n", display.c_str());
    if (!any) std::printf("no headless desktop is running\n");
  }
  return !any ? kNoDisplay : failed ? kNotOk : kOk;
}

int stop_command(const Options& options) {
  const auto cleared = clear_all_remains();
  std::vector<Found> targets;
  if (options.all) {
    targets = find_all();
  } else if (auto chosen = choose(options); chosen.desktop) {
    targets.push_back(std::move(*chosen.desktop));
  } else if (cleared.empty()) {
    return chosen.code;
  }
  Json stopped = cleared;
  std::string problems;
  for (const auto& target : targets) {
    const std::string display = ":" + std::to_string(target.number);
    if (const auto problem = stop(target); problem.empty())
      stopped.push_back(display);
    else
      problems += (problems.empty() ? "" : "; ") + display + ": " + problem;
  }
  if (!problems.empty()) return fail(options, kNotOk, problems);
  if (options.json) {
    print_json({{"ok", true}, {"stopped", stopped}});
  } else {
    for (const std::string display : stopped) std::printf("stopped %s\n", display.c_str());
    if (stopped.empty()) std::printf("no headless desktop is running\n");
  }
  return kOk;
}

/// Waits for a window that was not there before. Returns a problem, empty when `window` is set.
std::string wait_for_window(const Found& desktop, const std::vector<ClientWindow>& before, pid_t pid, double limit,
                            ClientWindow& window) {
  const DisplayAddress address{desktop.state.display(), desktop.place.xauthority()};
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(limit);
  const int handle = pidfd_open(pid, 0);
  std::string problem = "no window appeared within " + std::to_string(static_cast<int>(limit)) + " s";
  bool ended = handle < 0;
  while (std::chrono::steady_clock::now() < until) {
    const bool last_look = ended;
    if (const auto now = client_windows(address, Milliseconds(1000))) {
      for (const auto& candidate : *now) {
        const auto same = [&](const ClientWindow& other) { return other.id == candidate.id; };
        if (std::any_of(before.begin(), before.end(), same)) continue;
        window = candidate;
        if (handle >= 0) close(handle);
        return {};
      }
    }
    // A program may hand over to another process and end: then its window comes all the same, or an exit code tells.
    if (last_look) {
      const auto state = read_state(desktop.place.state());
      for (const auto& app : state ? state->apps : std::vector<AppState>{})
        if (app.pid == pid && !app.running && app.ended != "exit code 0") {
          if (handle >= 0) close(handle);
          return "it ended before it had a window: " + app.ended + " (" + app.log + ")";
        }
    }
    pollfd watched{ended ? -1 : handle, POLLIN, 0};
    poll(&watched, 1, 50);
    ended = ended || (watched.revents & POLLIN) != 0;
  }
  if (handle >= 0) close(handle);
  return problem;
}

int run_command(const Options& options, const std::vector<std::string>& words) {
  if (words.empty()) return fail(options, kUsage, "desktop run: no program is named");
  const auto chosen = choose(options);
  if (!chosen.desktop) return chosen.code;
  const Found& desktop = *chosen.desktop;
  RunRequest request;
  request.argv = words;
  request.environment = own_environment();
  std::error_code ignored;
  request.directory = std::filesystem::current_path(ignored);
  if (request.directory.empty()) request.directory = "/";
  request.umask = umask(0);
  umask(request.umask);
  request.argv[0] = find_program(words[0], lookup(request.environment, "PATH"), request.directory);
  if (request.argv[0].empty()) return fail(options, kNotOk, words[0] + " is not installed or not executable");
  std::vector<ClientWindow> before;
  if (options.wait_window > 0) {
    auto windows = client_windows({desktop.state.display(), desktop.place.xauthority()}, Milliseconds(5000));
    if (windows) before = std::move(*windows);
  }
  const RunAnswer answer = ask_to_run(desktop.place.control(), request, std::chrono::seconds(20));
  if (!answer.problem.empty()) return fail(options, kNotOk, answer.problem);
  Json json{{"ok", true}, {"display", desktop.state.display()}, {"pid", answer.pid}, {"log", answer.log}};
  if (options.wait_window > 0) {
    ClientWindow window;
    if (auto problem = wait_for_window(desktop, before, answer.pid, options.wait_window, window); !problem.empty())
      return fail(options, kNotOk, words[0] + " (process " + std::to_string(answer.pid) + "): " + problem);
    json["window_id"] = window.id;
    json["window_title"] = window.title;
  }
  if (options.json) {
    print_json(json);
  } else {
    std::printf("%s runs on %s, process %d", words[0].c_str(), desktop.state.display().c_str(), answer.pid);
    if (json.contains("window_id"))
      std::printf(", window 0x%x \"%s\"", json["window_id"].get<unsigned>(),
                  json["window_title"].get<std::string>().c_str());
    std::printf("\n");
  }
  return kOk;
}

}  // namespace

void add_desktop_command(CLI::App& app, Chosen& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* desktop =
      app.add_subcommand("desktop", "Headless desktops: X server, window manager, session and accessibility bus");
  desktop->require_subcommand(1);
  const auto add = [&](const char* name, const char* help) {
    CLI::App* command = desktop->add_subcommand(name, help);
    command->add_option("--display", options->display, "Display of the desktop, such as :100");
    command->add_flag("--json", options->json, "For machines");
    return command;
  };
  CLI::App* start = add("start", "Start one; prints its environment for eval \"$(deskmark desktop start)\"");
  start->add_option("--size", options->size, "Screen, WIDTHxHEIGHT in pixels")->capture_default_str();
  start->add_option("--run", options->runs, "Program to start in it, with its arguments; may be repeated")
      ->expected(1)
      ->take_all();
  start->add_option("--wm", options->window_manager, "Window manager, if not openbox or the first that is installed");
  start->callback([options, &chosen] { chosen.run = [options] { return start_command(*options); }; });

  CLI::App* status = add("status", "Show what runs");
  status->callback([options, &chosen] { chosen.run = [options] { return status_command(*options); }; });

  CLI::App* stop = add("stop", "End one and everything in it");
  stop->add_flag("--all", options->all, "All of this user");
  stop->callback([options, &chosen] { chosen.run = [options] { return stop_command(*options); }; });

  CLI::App* env = add("env", "Print the environment again");
  env->callback([options, &chosen] { chosen.run = [options] { return env_command(*options); }; });

  CLI::App* run = add("run", "Start a program in it: desktop run [OPTIONS] PROGRAM ARGUMENTS...");
  run->add_option("--wait-window", options->wait_window, "Wait so many seconds for a window of it");
  run->prefix_command();
  run->callback([options, run, &chosen] {
    const auto words = run->remaining();
    chosen.run = [options, words] { return run_command(*options, words); };
  });
}

void drop_separator(int& argc, char** argv) {
  const auto is = [&](int i, const char* word) { return i < argc && std::string_view(argv[i]) == word; };
  if (!is(1, "desktop") || !is(2, "run")) return;
  for (int i = 3; i < argc && argv[i][0] == '-'; ++i) {
    if (is(i, "--")) {
      std::move(argv + i + 1, argv + argc + 1, argv + i);  // with the closing null
      --argc;
      return;
    }
    if (is(i, "--display") || is(i, "--wait-window")) ++i;  // its value
  }
}

}  // namespace deskmark::desktop
