#include "src/commands/one_request.hpp"

#include <cstdio>
#include <utility>

#include "src/commands/command.hpp"
#include "src/commands/interrupt.hpp"
#include "src/commands/kept.hpp"
#include "src/commands/output.hpp"

namespace deskmark {
namespace {

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

bool looks_only(const nlohmann::json& arguments) {
  const std::string action = arguments.is_object() && arguments.contains("action") && arguments["action"].is_string()
                                 ? arguments["action"].get<std::string>()
                                 : "";
  return action == "wait" || action == "list_apps" || action == "list_windows";
}

}  // namespace

int one_request(EngineOptions options, const nlohmann::json& arguments, const Output& output) {
  find_display(options);
  const bool remembers = !looks_only(arguments);
  const std::string kept = remembers ? kept_capture_path(options.display) : "";
  Engine engine{std::move(options)};
  const auto client = engine.new_client();
  if (!kept.empty()) {
    if (const std::string text = read_kept(kept); !text.empty()) (void)Engine::recall(*client, text);
  }
  Reply reply;
  {
    const Interrupt interrupt;
    reply = engine.call(*client, arguments, interrupt.token(), {}, {"command line", {}});
  }
  if (!kept.empty()) write_kept(kept, Engine::remembered(*client));
  return finish(std::move(reply), output);
}

}  // namespace deskmark
