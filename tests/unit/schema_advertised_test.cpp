#include <doctest/doctest.h>
#include <glib.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "schema/request.hpp"
#include "schema/rules.hpp"

using namespace deskmark;
using Json = nlohmann::ordered_json;

namespace {

std::string sha256(std::string_view text) {
  const std::unique_ptr<char, decltype(&g_free)> sum(
      g_compute_checksum_for_data(G_CHECKSUM_SHA256, reinterpret_cast<const guchar*>(text.data()), text.size()),
      &g_free);
  return sum.get();
}

/// Keys used anywhere as schema keywords (property names aside).
void keywords(const Json& schema, std::set<std::string>& out) {
  for (const auto& [key, value] : schema.items()) {
    out.insert(key);
    if (key == "properties") {
      for (const auto& property : value) keywords(property, out);
    } else if (value.is_object()) {
      keywords(value, out);
    }
  }
}

}  // namespace

TEST_CASE("the advertised schema is frozen") {
  // A model's prompt cache depends on these bytes: change this only with a deliberate change of the contract.
  CHECK(sha256(tool_schema_text()) == "eb4b2c27cc8524fd867f5b75dc3d3b91d5558a60b6f7263b03c76ece3fcadbc7");
  CHECK(Json::parse(tool_schema_text()).dump() == tool_schema_text());
}

TEST_CASE("the advertised schema is flat") {
  const Json schema = Json::parse(tool_schema_text());
  CHECK(schema["type"] == "object");
  CHECK(schema["required"] == Json::array({"action"}));
  std::set<std::string> used;
  keywords(schema, used);
  CHECK(used == std::set<std::string>{"type", "properties", "required", "enum", "description", "items", "minItems",
                                      "maxItems", "minimum", "maximum", "maxLength"});
}

TEST_CASE("schema, rules and words speak of the same things") {
  const Json properties = Json::parse(tool_schema_text())["properties"];
  CHECK(properties.size() == property_rules().size() + 1);
  for (const PropertyRule& rule : property_rules()) {
    CAPTURE(std::string(rule.name));
    CHECK(properties.contains(std::string(rule.name)));
    CHECK(rule.actions != 0);
  }
  const Json& actions = properties["action"]["enum"];
  for (std::size_t i = 0; i < actions.size(); ++i) {
    CHECK(action_word(static_cast<Action>(i)) == actions[i].get<std::string>());
    CHECK(action_from_word(actions[i].get<std::string>()) == static_cast<Action>(i));
  }
  CHECK(actions.size() == static_cast<std::size_t>(Action::WaitForHuman) + 1);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(mode_word(static_cast<Mode>(i)) == properties["mode"]["enum"][i].get<std::string>());
}

TEST_CASE("schema and description cost few tokens") {
  CHECK(tool_schema_text().size() < 6000);
  CHECK(tool_description().size() < 900);
  CHECK(tool_description().find("not") != std::string_view::npos);
}
