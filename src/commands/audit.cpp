// deskmark audit: what was done, readably.
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "src/commands/command.hpp"
#include "src/engine/replies.hpp"
#include "src/policy/audit.hpp"
#include "src/policy/desk.hpp"

namespace deskmark {
namespace {

struct Audit {
  std::size_t lines = 50;
  bool json = false;
};

std::string text(const nlohmann::json& line, const char* key) {
  const auto found = line.find(key);
  if (found == line.end() || found->is_null()) return {};
  std::string out = valid_utf8(found->is_string() ? found->get<std::string>() : found->dump());
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return out;
}

int run(const Audit& state) {
  const std::string directory = state_directory();
  const AuditLog log(directory.empty() ? "" : directory + "/audit.jsonl", 0, 100);
  for (const std::string& raw : log.tail(state.lines)) {
    if (state.json) {
      std::printf("%s\n", raw.c_str());
      continue;
    }
    const auto line = nlohmann::json::parse(raw, nullptr, false);
    if (!line.is_object()) {
      std::printf("(a line that is not JSON)\n");
      continue;
    }
    std::string what = text(line, "plan");
    if (what.empty()) {
      what = text(line, "action");
      if (const auto target = line.find("target"); target != line.end() && target->is_object())
        what += " of " + text(*target, "app");
    }
    std::string outcome = text(line, "effect");
    if (outcome.empty()) outcome = text(line, "ok") == "true" ? "ok" : "not done";
    for (const char* key : {"code", "route", "approval"}) {
      if (const std::string word = text(line, key); !word.empty())
        outcome += std::string{", "} + (std::string{key} == "approval" ? "approval: " : "") + word;
    }
    std::printf("%s  %s  %s  ->  %s\n", text(line, "time").c_str(), text(line, "client").c_str(), what.c_str(),
                outcome.c_str());
  }
  return kOk;
}

}  // namespace

void add_audit_command(CLI::App& app, Chosen& chosen) {
  const auto s = std::make_shared<Audit>();
  CLI::App* command = app.add_subcommand("audit", "What was asked for and done, the newest last");
  command->add_option("-n,--lines", s->lines, "how many (default 50)");
  command->add_flag("--json", s->json, "the lines as they are written");
  command->callback([s, &chosen] { chosen.run = [s] { return run(*s); }; });
}

}  // namespace deskmark
