// Which actions need approval and what was approved. Trusted configuration only; nothing in a request widens it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "schema/request.hpp"

namespace deskmark {

/// What a request needs, each including the ones before it.
enum class Scope : std::uint8_t { None, Background, Foreground, All };

[[nodiscard]] Scope needed_scope(const Request& request);
/// none, background, foreground, all; nothing for another word.
[[nodiscard]] std::optional<Scope> scope_from_word(const std::string& word);
[[nodiscard]] std::optional<Failure> check_approval(const Request& request, Scope approved);

}  // namespace deskmark
