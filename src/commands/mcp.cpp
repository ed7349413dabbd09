// deskmark mcp: the engine behind a Model Context Protocol server on standard input and output.
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <string>
#include <utility>

#include "src/commands/command.hpp"
#include "src/engine/process_life.hpp"
#include "src/mcp/process.hpp"

namespace deskmark {
namespace {

// Models shrink larger pictures, and then miss.
constexpr int kModelDimension = 1568;

int serve_mcp(EngineOptions options, mcp::ReplyForm form) {
  const mcp::ProcessStdio stdio;  // before anything that might print or start a program
  spdlog::set_default_logger(
      std::make_shared<spdlog::logger>("deskmark", std::make_shared<spdlog::sinks::stderr_sink_mt>()));
  find_display(options);
  const ActionSet actions = allowed_actions(options);
  process_lives_on();
  Engine engine{std::move(options)};
  const auto client = engine.new_client();
  const auto host = [&](const nlohmann::json& arguments, std::stop_token stop, const Progress& progress,
                        const Caller& caller) {
    return engine.call(*client, arguments, std::move(stop), progress, caller);
  };
  return mcp::serve(stdio, host, {.version = DESKMARK_VERSION, .form = form, .actions = actions});
}

}  // namespace

void add_mcp_command(CLI::App& app, Chosen& chosen) {
  struct State {
    EngineOptions options{.max_image_dimension = kModelDimension};
    std::string reply = "both";
  };
  const auto s = std::make_shared<State>();
  CLI::App* command = app.add_subcommand("mcp", "Model Context Protocol server on standard input and output");
  add_engine_options(*command, s->options);
  if (const auto* configuration = std::get_if<Configuration>(&configured())) {
    if (configuration->reply) s->reply = *configuration->reply;
  }
  command
      ->add_option("--reply", s->reply,
                   "both: text and structured content (default); compact: text; structured: structured content")
      ->check(CLI::IsMember({"both", "compact", "structured"}));
  command->callback(
      [s, &chosen] { chosen.run = [s] { return serve_mcp(s->options, *mcp::reply_form_from_word(s->reply)); }; });
}

}  // namespace deskmark
