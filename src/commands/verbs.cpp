// The verbs that act: click 7, type TEXT, set-value 7 VALUE… on the last capture of this display.
#include <cstdio>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "src/commands/command.hpp"
#include "src/commands/one_request.hpp"

namespace deskmark {
namespace {

using Json = nlohmann::json;

struct Verb {
  EngineOptions options;
  Output output;
  Json arguments;
  std::string coordinate;
  std::vector<std::string> modifiers;
  std::string app;
  int element = 0;
  bool foreground = false;
  bool bring_to_front = false;
  bool capture_after = false;
};

/// "120,80"
bool parse_pixel(const std::string& text, Json& out) {
  int x = 0;
  int y = 0;
  char end = 0;
  if (std::sscanf(text.c_str(), "%d,%d%c", &x, &y, &end) != 2) return false;
  out = {x, y};
  return true;
}

/// "7" or "120,80" as PREFIXelement or PREFIXcoordinate.
bool parse_place(const std::string& text, const std::string& prefix, Json& arguments) {
  Json pixel;
  if (parse_pixel(text, pixel)) {
    arguments[prefix + "coordinate"] = std::move(pixel);
    return true;
  }
  int element = 0;
  char end = 0;
  if (std::sscanf(text.c_str(), "%d%c", &element, &end) != 1) return false;
  arguments[prefix + "element"] = element;
  return true;
}

int run(const std::shared_ptr<Verb>& v) {
  if (v->element != 0) v->arguments["element"] = v->element;
  if (!v->coordinate.empty()) {
    Json pixel;
    if (!parse_pixel(v->coordinate, pixel)) {
      std::fprintf(stderr, "--coordinate: expected X,Y in pixels of the last picture\n");
      return kUsage;
    }
    v->arguments["coordinate"] = std::move(pixel);
  }
  if (!v->modifiers.empty()) v->arguments["modifiers"] = v->modifiers;
  if (!v->app.empty()) v->arguments["app"] = v->app;
  if (v->foreground || v->bring_to_front) v->arguments["delivery_mode"] = "foreground";
  if (v->bring_to_front) v->arguments["bring_to_front"] = true;
  if (v->capture_after) v->arguments["capture_after"] = true;
  return one_request(v->options, v->arguments, v->output);
}

class Maker {
 public:
  Maker(CLI::App& app, Chosen& chosen) : app_(app), chosen_(chosen) {}

  std::pair<CLI::App*, std::shared_ptr<Verb>> verb(const char* name, const char* action, const char* help) {
    const auto v = std::make_shared<Verb>();
    v->arguments["action"] = action;
    CLI::App* command = app_.add_subcommand(name, help);
    command->add_flag("--json", v->output.json, "print the reply as JSON");
    command->add_flag("--dry-run", v->options.dry_run, "print what would be sent, send nothing");
    command->add_flag("--capture-after", v->capture_after, "a fresh capture in the same reply");
    command->add_option("--out", v->output.out, "file for the picture of --capture-after");
    add_engine_options(*command, v->options);
    command->callback([v, this_chosen = &chosen_] { this_chosen->run = [v] { return run(v); }; });
    return {command, v};
  }

  static void delivery(CLI::App& command, Verb& v) {
    command.add_option("--app", v.app, "refuse unless the window is of this application");
    command.add_flag("--foreground", v.foreground, "front the window, act, put focus, stacking and pointer back");
    command.add_flag("--bring-to-front", v.bring_to_front, "front the window and leave it there");
  }

  static void place(CLI::App& command, Verb& v) {
    CLI::Option* element = command.add_option("element", v.element, "number of the mark");
    CLI::Option* pixel = command.add_option("--coordinate", v.coordinate, "X,Y in pixels of the last picture");
    command.add_option("--modifiers", v.modifiers, "held meanwhile: ctrl,shift,alt,super")->delimiter(',');
    element->excludes(pixel);
  }

 private:
  CLI::App& app_;
  Chosen& chosen_;
};

}  // namespace

void add_action_commands(CLI::App& app, Chosen& chosen) {
  Maker make(app, chosen);
  struct Click {
    const char* name;
    const char* action;
    const char* help;
  };
  for (const Click& c : {Click{"click", "click", "Click a mark of the last capture, or a pixel of its picture"},
                         Click{"double-click", "double_click", "Double click"},
                         Click{"right-click", "right_click", "Click with the right button"},
                         Click{"middle-click", "middle_click", "Click with the middle button"}}) {
    auto [command, v] = make.verb(c.name, c.action, c.help);
    Maker::place(*command, *v);
    Maker::delivery(*command, *v);
  }
  {
    auto [command, v] =
        make.verb("scroll", "scroll", "Turn the wheel over a mark, a pixel or the middle of the window");
    Maker::place(*command, *v);
    Maker::delivery(*command, *v);
    command
        ->add_option_function<std::string>(
            "--direction", [v = v](const std::string& word) { v->arguments["direction"] = word; },
            "up, down (default), left, right")
        ->check(CLI::IsMember({"up", "down", "left", "right"}));
    command
        ->add_option_function<int>(
            "--amount", [v = v](int ticks) { v->arguments["amount"] = ticks; }, "wheel ticks (default 3)")
        ->check(CLI::Range(1, 50));
  }
  {
    auto [command, v] = make.verb("drag", "drag", "Drag from one place to another: a mark's number or X,Y each");
    Maker::delivery(*command, *v);
    command->add_option("--modifiers", v->modifiers, "held meanwhile: ctrl,shift,alt,super")->delimiter(',');
    const auto end = [v = v](const char* prefix) {
      return [v, prefix](const std::string& text) {
        if (!parse_place(text, prefix, v->arguments)) throw CLI::ValidationError("drag", "expected a number or X,Y");
      };
    };
    command->add_option_function<std::string>("from", end("from_"), "where it begins")->required();
    command->add_option_function<std::string>("to", end("to_"), "where it ends")->required();
  }
  {
    auto [command, v] = make.verb("type", "type", "Type a text into the field with the caret, or into --element");
    Maker::delivery(*command, *v);
    command->add_option("--element", v->element, "number of the field");
    command
        ->add_option_function<std::string>(
            "text", [v = v](const std::string& t) { v->arguments["text"] = t; }, "text")
        ->required();
  }
  {
    auto [command, v] = make.verb("key", "key", "Press a key or a combination: ctrl+s, Return, F5");
    Maker::delivery(*command, *v);
    command->add_option("--element", v->element, "number of the element that gets it");
    command
        ->add_option_function<std::string>(
            "keys", [v = v](const std::string& k) { v->arguments["keys"] = k; }, "keys")
        ->required();
  }
  {
    auto [command, v] = make.verb("set-value", "set_value", "Set a field, slider, list, check box… to a value");
    Maker::delivery(*command, *v);
    command->add_option("element", v->element, "number of the mark")->required();
    command
        ->add_option_function<std::string>(
            "value", [v = v](const std::string& t) { v->arguments["value"] = t; }, "option, number, text, on or off")
        ->required();
  }
  {
    auto [command, v] = make.verb("focus-app", "focus_app", "Send what follows to this application");
    command->add_option("app", v->app, "application name, WM_CLASS or part of a title")->required();
    command->add_flag_function(
        "--raise", [v = v](std::int64_t) { v->arguments["raise_window"] = true; },
        "activate and raise its window, too");
  }
}

}  // namespace deskmark
