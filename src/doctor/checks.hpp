// What deskmark needs of a machine and a desktop, looked at one by one, and what each action makes of it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "src/engine.hpp"

namespace deskmark::doctor {

enum class Status : std::uint8_t { Ok, Degraded, Missing };
[[nodiscard]] const char* status_word(Status status);  // "ok" "degraded" "missing"

/// Packages that bring what is missing, by family of distributions.
struct Packages {
  std::string debian;
  std::string fedora;
  std::string arch;
};

struct Check {
  std::string name;  ///< stable word: display, pixels, window_manager, accessibility, text, input, headless, …
  Status status = Status::Ok;
  std::string detail;  ///< what was found
  std::string remedy;  ///< what to do; empty when nothing needs doing
  std::vector<Packages> packages;
};

/// What one action can do here.
struct Capability {
  std::string action;
  std::string status;  ///< available, degraded, unsupported, unverified
  std::string reason;
};

struct Report {
  std::string display;
  std::vector<Check> checks;
  std::vector<Capability> capabilities;
  [[nodiscard]] const Check* find(const std::string& name) const;
};

/// Looks at everything; bounded to a few seconds. Sends nothing to any application.
[[nodiscard]] Report examine(const EngineOptions& options);
/// What each action can do, from the checks and the profile. What sends input is `unverified` until it was tried. Pure.
[[nodiscard]] std::vector<Capability> capabilities_of(const Report& report, const EngineOptions& options);

/// The versioned report.
[[nodiscard]] nlohmann::ordered_json report_json(const Report& report);
void print_report(const Report& report);

}  // namespace deskmark::doctor
