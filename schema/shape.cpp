#include "schema/shape.hpp"

#include <exception>
#include <memory>
#include <string>

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "schema/request.hpp"
#include "schema/wording.hpp"

namespace deskmark {
namespace {

const nlohmann::json& document() {
  static const nlohmann::json parsed = nlohmann::json::parse(tool_schema_text());
  return parsed;
}

const valijson::Schema& compiled() {
  static const std::unique_ptr<const valijson::Schema> schema = [] {
    auto out = std::make_unique<valijson::Schema>();
    valijson::SchemaParser parser;
    parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(document()), *out);
    return out;
  }();
  return *schema;
}

/// The property an error is about: contexts read "<root>", "[amount]", "[1]"…; empty when it is about the whole.
std::string property_of(const valijson::ValidationResults::Error& error) {
  if (error.context.size() < 2) return {};
  const std::string& step = error.context[1];
  return step.size() > 2 && step.front() == '[' ? step.substr(1, step.size() - 2) : std::string{};
}

}  // namespace

const nlohmann::json& property_schema(std::string_view name) {
  static const nlohmann::json none = nlohmann::json::object();
  const nlohmann::json& properties = document().at("properties");
  const auto found = properties.find(name);
  return found == properties.end() ? none : *found;
}

Failure misfit(std::string_view property, const nlohmann::json& got) {
  return {Code::InvalidRequest,
          std::string(property) + ": expected " + expected(property_schema(property)) + ", got " + shown(got)};
}

std::optional<Failure> check_shape(const nlohmann::json& arguments) try {
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(compiled(), valijson::adapters::NlohmannJsonAdapter(arguments), &results)) return std::nullopt;
  for (const auto& error : results) {
    const std::string property = property_of(error);
    if (const auto found = arguments.find(property); found != arguments.end()) return misfit(property, *found);
  }
  return Failure{Code::InvalidRequest, "the arguments do not fit the schema of computer_use"};
} catch (const std::exception& fault) {
  return Failure{Code::Internal, std::string("the schema check failed: ") + fault.what()};
}

}  // namespace deskmark
