#include "schema/codes.hpp"

namespace deskmark {

std::string_view code_word(Code code) {
  switch (code) {
#define DESKMARK_CODE(id, word, meaning) \
  case Code::id:                         \
    return word;
#include "schema/codes.inc"
#undef DESKMARK_CODE
  }
  return "internal";
}

std::string_view code_meaning(Code code) {
  switch (code) {
#define DESKMARK_CODE(id, word, meaning) \
  case Code::id:                         \
    return meaning;
#include "schema/codes.inc"
#undef DESKMARK_CODE
  }
  return "";
}

std::optional<Code> code_from_word(std::string_view word) {
#define DESKMARK_CODE(id, text, meaning) \
  if (word == (text)) return Code::id;
#include "schema/codes.inc"
#undef DESKMARK_CODE
  return std::nullopt;
}

}  // namespace deskmark
