// The verbs that are one request each: capture, list-apps, list-windows, wait, call.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "src/commands/command.hpp"
#include "src/commands/interrupt.hpp"
#include "src/commands/output.hpp"

namespace deskmark {
namespace {

using Json = nlohmann::ordered_json;

struct Output {
  bool json = false;
  std::string out;          ///< file for the picture
  std::string labels_json;  ///< file for the drawn number boxes
};

void add_output_options(CLI::App& command, Output& output) {
  command.add_flag("--json", output.json, "print the reply as JSON");
}

/// Writes the picture if asked, prints the reply and gives the exit code.
int finish(Reply reply, const Output& output) {
  std::string error;
  std::string picture_path;
  if (!output.out.empty() && !reply.picture.empty()) {
    if (!write_file(output.out, reply.picture, error)) {
      std::fprintf(stderr, "%s\n", error.c_str());
      return kNotOk;
    }
    picture_path = output.out;
    reply.body["screenshot_path"] = picture_path;
  }
  if (reply.body.contains("label_boxes") && !output.labels_json.empty()) {
    const std::string text = reply.body["label_boxes"].dump();
    if (!write_file(output.labels_json, {text.begin(), text.end()}, error)) {
      std::fprintf(stderr, "%s\n", error.c_str());
      return kNotOk;
    }
    reply.body.erase("label_boxes");
  }
  if (output.json) {
    std::printf("%s\n", reply.body.dump(2).c_str());
  } else {
    print_reply(reply.body, picture_path);
  }
  return exit_code(reply.body);
}

int request(EngineOptions options, const nlohmann::json& arguments, const Output& output) {
  find_display(options);
  Engine engine{std::move(options)};
  const auto client = engine.new_client();
  const Interrupt interrupt;
  return finish(engine.call(*client, arguments, interrupt.token(), {}), output);
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
      return request(c->options, arguments, c->output);
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
      chosen.run = [s, action] { return request(s->options, {{"action", action}}, s->output); };
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
    chosen.run = [s] { return request(s->options, {{"action", "wait"}, {"seconds", s->seconds}}, s->output); };
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
      return request(s->options, arguments, s->output);
    };
  });
}

}  // namespace deskmark
