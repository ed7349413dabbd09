// The verbs that are one request each: capture, list-apps, list-windows, wait, call.
#include <cstdio>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "src/commands/command.hpp"
#include "src/commands/one_request.hpp"

namespace deskmark {
namespace {

void add_output_options(CLI::App& command, Output& output) {
  command.add_flag("--json", output.json, "print the reply as JSON");
}

struct Capture {
  EngineOptions options;
  Output output;
  std::string mode = "som";
  std::string app;
  int pid = 0;
  std::uint32_t window_id = 0;
};

}  // namespace

void add_capture_command(CLI::App& app, Chosen& chosen) {
  const auto c = std::make_shared<Capture>();
  CLI::App* command =
      app.add_subcommand("capture", "Picture or text of a window, with a number on everything that can be acted on");
  command->add_option("--mode", c->mode, "som: numbered picture; vision: plain picture; ax: text")
      ->check(CLI::IsMember({"som", "vision", "ax"}));
  command->add_option("--app", c->app,
                      "application name, WM_CLASS, desktop id or part of a title; 'screen', 'desktop'");
  command->add_option("--pid", c->pid, "process id");
  command->add_option("--window-id", c->window_id, "native window id (decimal or 0x…)");
  command->add_option("--out", c->output.out, "file for the picture");
  command->add_option("--labels-json", c->output.labels_json, "file for where each number was drawn (picture pixels)");
  add_output_options(*command, c->output);
  add_engine_options(*command, c->options);
  command->callback([c, &chosen] {
    chosen.run = [c] {
      nlohmann::json arguments{{"action", "capture"}, {"mode", c->mode}};
      if (!c->app.empty()) arguments["app"] = c->app;
      if (c->pid != 0) arguments["pid"] = c->pid;
      if (c->window_id != 0) arguments["window_id"] = c->window_id;
      c->options.label_boxes = !c->output.labels_json.empty();
      return one_request(c->options, arguments, c->output);
    };
  });
}

void add_list_commands(CLI::App& app, Chosen& chosen) {
  const auto add = [&](const char* name, const char* action, const char* help) {
    struct State {
      EngineOptions options;
      Output output;
    };
    const auto s = std::make_shared<State>();
    CLI::App* command = app.add_subcommand(name, help);
    add_output_options(*command, s->output);
    add_engine_options(*command, s->options);
    command->callback([s, action, &chosen] {
      chosen.run = [s, action] { return one_request(s->options, {{"action", action}}, s->output); };
    });
  };
  add("list-apps", "list_apps", "Running applications");
  add("list-windows", "list_windows", "Windows, frontmost first");
}

void add_wait_command(CLI::App& app, Chosen& chosen) {
  struct State {
    EngineOptions options;
    Output output;
    double seconds = 1;
  };
  const auto s = std::make_shared<State>();
  CLI::App* command = app.add_subcommand("wait", "Wait a number of seconds");
  command->add_option("seconds", s->seconds, "0 < seconds <= 30");
  add_output_options(*command, s->output);
  command->callback([s, &chosen] {
    chosen.run = [s] { return one_request(s->options, {{"action", "wait"}, {"seconds", s->seconds}}, s->output); };
  });
}

void add_call_command(CLI::App& app, Chosen& chosen) {
  struct State {
    EngineOptions options;
    Output output;
    std::string json;
  };
  const auto s = std::make_shared<State>();
  CLI::App* command =
      app.add_subcommand("call", "One request as JSON, the reply as JSON; '-' reads it from standard input");
  command->add_option("request", s->json, "for instance {\"action\":\"capture\",\"mode\":\"ax\"}")->required();
  command->add_option("--out", s->output.out, "file for the picture");
  command->add_flag("--dry-run", s->options.dry_run, "an action is planned and the plan told, nothing is sent");
  add_engine_options(*command, s->options);
  command->callback([s, &chosen] {
    chosen.run = [s] {
      if (s->json == "-") s->json.assign(std::istreambuf_iterator<char>(std::cin), {});
      s->output.json = true;
      const auto arguments = nlohmann::json::parse(s->json, nullptr, false);
      if (arguments.is_discarded()) {
        std::fprintf(stderr, "call: the request is not JSON\n");
        return static_cast<int>(kUsage);
      }
      return one_request(s->options, arguments, s->output);
    };
  });
}

}  // namespace deskmark
