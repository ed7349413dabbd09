// deskmark takeover, handback, lease: the person's side of the hand-off.
#include <cstdio>
#include <memory>
#include <string>

#include "src/commands/command.hpp"
#include "src/engine/replies.hpp"
#include "src/policy/desk.hpp"
#include "src/policy/lease.hpp"

namespace deskmark {
namespace {

struct Handoff {
  EngineOptions options;
  std::string reason;
  bool json = false;
};

void print(const Lease& lease, bool json, const std::string& display) {
  if (json) {
    const OrderedJson out{{"display", display},   {"holder", lease.holder == Holder::Human ? "human" : "agent"},
                          {"epoch", lease.epoch}, {"reason", valid_utf8(lease.reason)},
                          {"since", lease.since}, {"readable", lease.readable}};
    std::printf("%s\n", out.dump(2).c_str());
    return;
  }
  std::printf("display %s is held by %s\n", display.c_str(), lease.holder == Holder::Human ? "a person" : "the agent");
  if (!lease.readable)
    std::printf("  the lease cannot be read, so that a person counts as holding it: deskmark handback\n");
  if (!lease.since.empty()) std::printf("  since %s\n", lease.since.c_str());
  // A reason comes from an agent: it must not move the cursor of the terminal it is read at.
  std::string reason = valid_utf8(lease.reason);
  for (char& c : reason) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  if (!reason.empty()) std::printf("  reason: %s\n", reason.c_str());
}

int run(Handoff& state, std::optional<Holder> to) {
  find_display(state.options);
  const std::string directory = desk_directory(state.options.display);
  if (directory.empty()) {
    std::fprintf(
        stderr, "no display: give one with --display, set DISPLAY, or start one: eval \"$(deskmark desktop start)\"\n");
    return kNoDisplay;
  }
  const LeaseFile lease(directory);
  if (to) {
    if (const auto problem = lease.change(*to, state.reason)) {
      std::fprintf(stderr, "%s\n", problem->c_str());
      return kNotOk;
    }
  }
  const char* display = std::getenv("DISPLAY");
  print(lease.read(), state.json, state.options.display.empty() ? (display ? display : "") : state.options.display);
  return kOk;
}

}  // namespace

void add_handoff_commands(CLI::App& app, Chosen& chosen) {
  const auto add = [&](const char* name, std::optional<Holder> to, const char* help) {
    const auto s = std::make_shared<Handoff>();
    CLI::App* command = app.add_subcommand(name, help);
    command->add_option("--display", s->options.display,
                        "X display (default: $DISPLAY, else a desktop of ours that runs)");
    command->add_flag("--json", s->json, "print JSON");
    if (to == Holder::Human) command->add_option("--reason", s->reason, "a word to whoever asks who holds it");
    command->callback([s, to, &chosen] { chosen.run = [s, to] { return run(*s, to); }; });
  };
  add("takeover", Holder::Human, "Take the desktop: every action and capture is refused until you hand it back");
  add("handback", Holder::Agent, "Give the desktop back to the agent");
  add("lease", std::nullopt, "Who holds the desktop, since when and why");
}

}  // namespace deskmark
