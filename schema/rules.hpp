// Which property goes with which action, and which empty forms count as "not given" (contract, section Request).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "schema/request.hpp"

namespace deskmark {

/// What a caller that fills in every property writes when it means "none"; null always is one.
enum class Blank : std::uint8_t {
  None,   ///< every value is meant
  Empty,  ///< "" or []
  Zero,   ///< 0: marks, processes and windows count from 1
};

struct PropertyRule {
  std::string_view name;
  std::uint32_t actions;  ///< bit per Action that reads it
  Blank blank;

  [[nodiscard]] bool applies_to(Action action) const { return (actions >> static_cast<unsigned>(action) & 1U) != 0; }
};

/// All properties but `action`.
[[nodiscard]] std::span<const PropertyRule> property_rules();
/// Null when there is no such property.
[[nodiscard]] const PropertyRule* property_rule(std::string_view name);

}  // namespace deskmark
