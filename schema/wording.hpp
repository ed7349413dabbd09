// How refusals name things: values shortened, the nearest word, what a schema node accepts.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace deskmark {

/// Number of Unicode code points; nothing when `text` is not well-formed UTF-8 (overlong forms and surrogates are not).
[[nodiscard]] std::optional<std::size_t> code_points(std::string_view text);

/// A value as it may stand in a message: short, one line, valid UTF-8, whatever was given.
[[nodiscard]] std::string shown(const nlohmann::json& value);
/// The same for a name.
[[nodiscard]] std::string shown(std::string_view name);

/// What a property's schema accepts, in words: "an integer from 1 to 50", "one of left, right, middle".
[[nodiscard]] std::string expected(const nlohmann::json& property_schema);

/// The word with the least edit distance (swaps count once); the first of equals. `words` must not be empty.
[[nodiscard]] std::string_view nearest(std::string_view given, std::span<const std::string_view> words);

}  // namespace deskmark
