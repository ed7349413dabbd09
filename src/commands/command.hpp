// One verb of the command line: each file adds its own to the parser and leaves what to run in `Chosen`.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <variant>

#include "src/engine.hpp"
#include "src/policy/config.hpp"

namespace deskmark {

/// Exit codes of every command (contract): 0 ok; 1 `ok: false`; 2 usage; 3 no display or accessibility; 4 denied.
enum ExitCode { kOk = 0, kNotOk = 1, kUsage = 2, kNoDisplay = 3, kDenied = 4 };

struct Chosen {
  std::function<int()> run;  ///< set by the subcommand that was given
};

void add_capture_command(CLI::App& app, Chosen& chosen);
void add_call_command(CLI::App& app, Chosen& chosen);
void add_list_commands(CLI::App& app, Chosen& chosen);
void add_wait_command(CLI::App& app, Chosen& chosen);
/// click, double-click, right-click, middle-click, drag, scroll, type, key, set-value, focus-app.
void add_action_commands(CLI::App& app, Chosen& chosen);
void add_perceive_command(CLI::App& app, Chosen& chosen);
void add_record_command(CLI::App& app, Chosen& chosen);
void add_replay_command(CLI::App& app, Chosen& chosen);
void add_check_command(CLI::App& app, Chosen& chosen);
void add_mcp_command(CLI::App& app, Chosen& chosen);
void add_handoff_commands(CLI::App& app, Chosen& chosen);
void add_approve_command(CLI::App& app, Chosen& chosen);
void add_doctor_command(CLI::App& app, Chosen& chosen);
void add_audit_command(CLI::App& app, Chosen& chosen);

/// The configuration file as read at the start of this process, or what is wrong with it.
[[nodiscard]] const std::variant<Configuration, std::string>& configured();

/// Sets EngineOptions from the configuration file and adds the flags that override it, shared by every command that
/// starts an engine.
void add_engine_options(CLI::App& command, EngineOptions& options);

/// Leads this process to the display of `options`, else $DISPLAY, else a headless desktop of this user. Changes the
/// environment: call it before the engine starts its threads.
void find_display(EngineOptions& options);

/// The exit code that a reply stands for.
[[nodiscard]] int exit_code(const nlohmann::ordered_json& reply);

}  // namespace deskmark
