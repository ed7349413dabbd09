// Checks arguments against the advertised schema: types, enums, limits. Companions are checked in request.cpp.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "schema/codes.hpp"

namespace deskmark {

/// The parsed schema of one property; an empty object when there is none of that name.
[[nodiscard]] const nlohmann::json& property_schema(std::string_view name);

/// Nothing when `arguments` (an object without nulls) fits; else invalid_request naming the property and what was
/// expected.
[[nodiscard]] std::optional<Failure> check_shape(const nlohmann::json& arguments);

/// "amount: expected an integer from 1 to 50, got 99".
[[nodiscard]] Failure misfit(std::string_view property, const nlohmann::json& got);

}  // namespace deskmark
