// deskmark: the command line. Each verb lives in src/commands/ (or src/desktop/, src/mcp/) and registers itself here.
#include <CLI/CLI.hpp>
#include <csignal>

#include "src/commands/command.hpp"
#include "src/desktop/command.hpp"

int main(int argc, char** argv) {
  // A reader that went away is an error of the write, not the end of the process.
  std::signal(SIGPIPE, SIG_IGN);

  CLI::App app{"deskmark: numbers on everything that can be acted on, for agents that operate a Linux desktop"};
  app.set_version_flag("--version", std::string{"deskmark "} + DESKMARK_VERSION);
  app.require_subcommand(1);
  app.footer("Exit codes: 0 ok, 1 not ok, 2 usage, 3 no display or accessibility, 4 denied.");

  deskmark::Chosen chosen;
  deskmark::add_capture_command(app, chosen);
  deskmark::add_list_commands(app, chosen);
  deskmark::add_wait_command(app, chosen);
  deskmark::add_call_command(app, chosen);
  deskmark::add_action_commands(app, chosen);
  deskmark::add_perceive_command(app, chosen);
  deskmark::add_record_command(app, chosen);
  deskmark::add_replay_command(app, chosen);
  deskmark::add_check_command(app, chosen);
  deskmark::add_mcp_command(app, chosen);
  deskmark::add_handoff_commands(app, chosen);
  deskmark::add_approve_command(app, chosen);
  deskmark::add_audit_command(app, chosen);
  deskmark::add_doctor_command(app, chosen);
  deskmark::desktop::add_desktop_command(app, chosen);

  deskmark::desktop::drop_separator(argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    const int code = app.exit(e);
    return code == 0 ? deskmark::kOk : deskmark::kUsage;
  }
  return chosen.run ? chosen.run() : deskmark::kUsage;
}
