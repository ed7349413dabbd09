#include <string_view>

#include "schema/request.hpp"

namespace deskmark {
namespace {
#include "computer_use.inc"
}  // namespace

std::string_view tool_schema_text() { return kSchemaText; }
std::string_view tool_description() { return kDescription; }

}  // namespace deskmark
