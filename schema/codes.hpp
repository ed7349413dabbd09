// Outcome codes of the contract (docs/codes.md). Stable words: clients match on them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace deskmark {

enum class Code {
#define DESKMARK_CODE(id, word, meaning) id,
#include "schema/codes.inc"
#undef DESKMARK_CODE
};

[[nodiscard]] std::string_view code_word(Code code);
[[nodiscard]] std::string_view code_meaning(Code code);
[[nodiscard]] std::optional<Code> code_from_word(std::string_view word);

/// Why a request was not carried out: the code and one sentence that says what to do.
struct Failure {
  Code code;
  std::string message;
};

}  // namespace deskmark
