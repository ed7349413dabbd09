// deskmark doctor: what works here, what does not, and what to do about it.
#include <cstdio>
#include <memory>

#include "src/commands/command.hpp"
#include "src/doctor/checks.hpp"
#include "src/doctor/live.hpp"
#include "src/doctor/probe.hpp"

namespace deskmark {
namespace {

struct Doctor {
  EngineOptions options;
  bool json = false;
  bool live = false;
};

int run(Doctor& d) {
  find_display(d.options);
  doctor::Report report = doctor::examine(d.options);
  if (d.live) doctor::prove(report, d.options);
  if (d.json)
    std::printf("%s\n", doctor::report_json(report).dump(2).c_str());
  else
    doctor::print_report(report);
  const auto missing = [&](const char* name) {
    const doctor::Check* check = report.find(name);
    return check && check->status == doctor::Status::Missing;
  };
  if (missing("display") || missing("accessibility")) return kNoDisplay;
  for (const doctor::Check& check : report.checks) {
    if (check.status == doctor::Status::Missing) return kNotOk;
  }
  return kOk;
}

}  // namespace

void add_doctor_command(CLI::App& app, Chosen& chosen) {
  const auto d = std::make_shared<Doctor>();
  CLI::App* command =
      app.add_subcommand("doctor", "What works on this machine and display, and what to do where it does not");
  command->add_flag("--json", d->json, "a versioned report");
  command->add_flag("--live", d->live, "proves it: opens a window of its own, captures it, clicks and types into it");
  command->add_option("--display", d->options.display,
                      "X display (default: $DISPLAY, else a desktop of ours that runs)");
  // A configuration that cannot be read is one of the findings.
  if (const auto* configuration = std::get_if<Configuration>(&configured())) {
    for (const auto& apply : configuration->settings) apply(d->options);
  }
  command->callback([d, &chosen] { chosen.run = [d] { return run(*d); }; });
  CLI::App* probe = app.add_subcommand("doctor-probe", "the window of doctor --live");
  probe->group("");  // not listed
  probe->callback([&chosen] { chosen.run = [] { return doctor::run_probe(); }; });
}

}  // namespace deskmark
