#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "schema/codes.hpp"

using namespace deskmark;

namespace {

const std::map<std::string, std::string>& table() {
  static const std::map<std::string, std::string> codes{
#define DESKMARK_CODE(id, word, meaning) {word, meaning},
#include "schema/codes.inc"
#undef DESKMARK_CODE
  };
  return codes;
}

}  // namespace

TEST_CASE("each code has one stable word") {
  std::set<std::string> seen;
#define DESKMARK_CODE(id, word, meaning)      \
  CHECK(code_word(Code::id) == (word));       \
  CHECK(code_meaning(Code::id) == (meaning)); \
  CHECK(code_from_word(word) == Code::id);    \
  CHECK(seen.insert(word).second);
#include "schema/codes.inc"
#undef DESKMARK_CODE
  CHECK(seen.size() == 32);
  CHECK_FALSE(code_from_word("no_such_code").has_value());
}

TEST_CASE("docs/codes.md lists exactly the codes of the table, with what they mean") {
  std::ifstream file(DESKMARK_SOURCE_ROOT "/docs/codes.md");
  REQUIRE(file.good());
  std::map<std::string, std::string> listed;
  for (std::string line; std::getline(file, line);) {
    // | `code` | meaning |
    if (line.rfind("| `", 0) != 0) continue;
    const auto end = line.find('`', 3);
    const auto start = line.find("| ", end) + 2;
    listed[line.substr(3, end - 3)] = line.substr(start, line.rfind(" |") - start);
  }
  CHECK(listed == table());
}
