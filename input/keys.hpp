// Key combinations as people and models spell them. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "schema/request.hpp"

namespace deskmark {

struct KeyCombo {
  std::vector<Modifier> modifiers;  ///< sorted, each once
  std::uint32_t keysym = 0;         ///< X keysym (X11 protocol appendix A; Unicode keysyms included), unshifted
  std::string canonical;            ///< "ctrl+shift+s": modifiers in fixed order, then the keysym's name in lower case
};

/// `ctrl+s`, `ctrl-s`, `Return`, `F5`, `plus`, `ctrl++`, `ä`: X keysym names, DOM names, single characters and the
/// usual aliases, in any case. Letters are not shifted by their case. unknown_key names the part nobody knows; `fn` is
/// unsupported_modifier.
[[nodiscard]] std::variant<KeyCombo, Failure> parse_keys(std::string_view keys);

}  // namespace deskmark
