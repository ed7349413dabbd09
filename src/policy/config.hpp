// The configuration file: trusted settings of this user, read once at start. Strict: what it does not understand it
// refuses, since a misspelt restriction would be none.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "src/engine.hpp"

namespace deskmark {

struct Configuration {
  /// Applied over a command's defaults, in any order.
  std::vector<std::function<void(EngineOptions&)>> settings;
  std::optional<std::string> reply;  ///< form of MCP results: both, compact, structured
};

/// Reads the text of a file. The problem, naming the key and what was expected: unknown or repeated keys, wrong types,
/// values out of range, not JSON. Pure.
[[nodiscard]] std::variant<Configuration, std::string> parse_config(std::string_view text);

/// $XDG_CONFIG_HOME/deskmark/config.json, else ~/.config/deskmark/config.json; empty when neither is known.
[[nodiscard]] std::string config_path();

/// The file at `path`; no file is an empty configuration. The problem, with the path: unreadable, larger than 1 MiB,
/// not a regular file, of another user or writable by others (it grants approvals), or any of parse_config's.
[[nodiscard]] std::variant<Configuration, std::string> read_config(const std::string& path);

}  // namespace deskmark
