#include <cstdio>

#include "src/doctor/checks.hpp"
#include "src/engine/replies.hpp"
#include "src/policy/approval.hpp"

namespace deskmark::doctor {
namespace {

constexpr int kVersion = 1;

struct Family {
  const char* name;
  const char* install;
  std::string Packages::*packages;
};
constexpr Family kFamilies[] = {{"Debian, Ubuntu", "sudo apt-get install", &Packages::debian},
                                {"Fedora", "sudo dnf install", &Packages::fedora},
                                {"Arch", "sudo pacman -S", &Packages::arch}};

std::string command(const Check& check, const Family& family) {
  std::string out;
  for (const Packages& p : check.packages) {
    if (!(p.*family.packages).empty()) out += " " + p.*family.packages;
  }
  return out.empty() ? out : family.install + out;
}

bool is(const Report& report, const char* name, Status status) {
  const Check* check = report.find(name);
  return check ? check->status == status : status == Status::Missing;
}

Capability capability(Action action, const Report& report, const EngineOptions& options) {
  Capability c{std::string{action_word(action)}, "available", ""};
  const auto say = [&](const char* status, std::string reason) {
    c.status = status;
    c.reason = std::move(reason);
    return c;
  };
  if (!allowed_actions(options).has(action)) return say("unsupported", "not in the profile");
  if (action == Action::Wait) return c;
  if (is(report, "display", Status::Missing)) return say("unsupported", "no display");
  if (action == Action::RequestHandoff || action == Action::WaitForHuman) {
    return is(report, "lease", Status::Ok) ? c : say("degraded", report.find("lease")->detail);
  }
  const bool tree = is(report, "accessibility", Status::Ok);
  const bool text = !is(report, "text", Status::Missing);
  const bool input = is(report, "input", Status::Ok);
  switch (action) {
    case Action::ListApps:
    case Action::ListWindows:
      return tree ? c : say("degraded", "names of windows only: no application is on the accessibility bus");
    case Action::Capture:
      if (is(report, "pixels", Status::Missing)) return say("degraded", "text only: the screen cannot be grabbed");
      if (!tree) return say("degraded", text ? "marks from pixels only" : "marks from pixels only, without text");
      return text ? c : say("degraded", "windows without accessibility have no text");
    case Action::SetValue:
      return tree ? say("unverified", "not tried") : say("unsupported", "no application is on the accessibility bus");
    case Action::Click:
      if (!input && !tree) return say("unsupported", "neither pointer nor accessibility");
      return input ? say("unverified", "not tried") : say("degraded", "through accessibility only");
    case Action::Type:
      if (!input && !tree) return say("unsupported", "neither keyboard nor accessibility");
      return input ? say("unverified", "not tried")
                   : say("degraded", "into fields that take text through accessibility");
    case Action::FocusApp:
      return is(report, "window_manager", Status::Ok)
                 ? say("unverified", "not tried")
                 : say("degraded", "nothing can be raised without a window manager");
    default:
      return input ? say("unverified", "not tried") : say("unsupported", "pointer and keyboard cannot be driven");
  }
}

}  // namespace

std::vector<Capability> capabilities_of(const Report& report, const EngineOptions& options) {
  std::vector<Capability> out;
  for (unsigned i = 0; i <= static_cast<unsigned>(Action::WaitForHuman); ++i)
    out.push_back(capability(static_cast<Action>(i), report, options));
  return out;
}

nlohmann::ordered_json report_json(const Report& report) {
  nlohmann::ordered_json out;
  out["version"] = kVersion;
  out["deskmark"] = DESKMARK_VERSION;
  out["display"] = report.display;
  bool ok = true;
  auto checks = nlohmann::ordered_json::array();
  for (const Check& check : report.checks) {
    ok = ok && check.status != Status::Missing;
    nlohmann::ordered_json c{
        {"name", check.name}, {"status", status_word(check.status)}, {"detail", valid_utf8(check.detail)}};
    if (!check.remedy.empty()) c["remedy"] = valid_utf8(check.remedy);
    if (!check.packages.empty()) {
      c["install"] = {{"debian", command(check, kFamilies[0])},
                      {"fedora", command(check, kFamilies[1])},
                      {"arch", command(check, kFamilies[2])}};
    }
    checks.push_back(std::move(c));
  }
  out["ok"] = ok;
  out["checks"] = std::move(checks);
  auto actions = nlohmann::ordered_json::object();
  for (const Capability& c : report.capabilities) {
    actions[c.action]["status"] = c.status;
    if (!c.reason.empty()) actions[c.action]["reason"] = valid_utf8(c.reason);
  }
  out["actions"] = std::move(actions);
  return out;
}

void print_report(const Report& report) {
  for (const Check& check : report.checks) {
    std::printf("%-9s %-15s %s\n", status_word(check.status), check.name.c_str(), valid_utf8(check.detail).c_str());
    if (!check.remedy.empty()) std::printf("%26s%s\n", "", valid_utf8(check.remedy).c_str());
    for (const Family& family : kFamilies) {
      if (const std::string install = command(check, family); !install.empty())
        std::printf("%26s%s: %s\n", "", family.name, install.c_str());
    }
  }
  std::printf("\n");
  for (const Capability& c : report.capabilities) {
    std::printf("%-12s %-16s %s\n", c.status.c_str(), c.action.c_str(), c.reason.c_str());
  }
}

}  // namespace deskmark::doctor
