#include "src/mcp/message.hpp"

#include <utility>

namespace deskmark::mcp {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxName = 1000;  // bytes of an id or a method name

bool is_id(const Json& value) {
  return value.is_number() || (value.is_string() && value.get_ref<const std::string&>().size() <= kMaxName);
}

template <class AnyJson>
std::string dumped(const AnyJson& value) {
  return value.dump(-1, ' ', false, AnyJson::error_handler_t::replace);
}

}  // namespace

std::string text_of(const nlohmann::json& value) { return dumped(value); }
std::string text_of(const nlohmann::ordered_json& value) { return dumped(value); }

std::optional<std::string> too_complex(std::string_view line) {
  int depth = 0;
  std::size_t values = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_string) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_string = false;
      }
      continue;
    }
    switch (c) {
      case '"': in_string = true; break;
      case '[':
      case '{':
        ++values;
        if (++depth > kMaxDepth) return "nested deeper than " + std::to_string(kMaxDepth) + " levels";
        break;
      case ']':
      case '}': --depth; break;
      case ',': ++values; break;
      default: break;
    }
    if (values > kMaxValues) return "more than " + std::to_string(kMaxValues) + " values";
  }
  return std::nullopt;
}

std::variant<Message, RpcError> read_message(std::string_view line) {
  if (const auto why = too_complex(line)) return RpcError{nullptr, kInvalidRequest, "Invalid request: " + *why};
  Json parsed = Json::parse(line, nullptr, false);
  if (parsed.is_discarded())
    return RpcError{nullptr, kParseError, "Parse error: the line is not one JSON value in UTF-8"};
  if (parsed.is_array()) {
    return RpcError{nullptr, kInvalidRequest,
                    "Invalid request: batches are not part of the supported protocol versions"};
  }
  if (!parsed.is_object()) return RpcError{nullptr, kInvalidRequest, "Invalid request: expected an object"};

  const auto id = parsed.find("id");
  const bool has_id = id != parsed.end();
  const Json known_id = has_id && is_id(*id) ? *id : Json(nullptr);
  const auto invalid = [&](const char* why) {
    return RpcError{known_id, kInvalidRequest, std::string("Invalid request: ") + why};
  };
  if (const auto version = parsed.find("jsonrpc"); version == parsed.end() || *version != "2.0") {
    return invalid("jsonrpc must be \"2.0\"");
  }
  if (has_id && !is_id(*id)) return invalid("id must be a string or a number");

  Message message;
  message.id = known_id;
  message.params = Json::object();
  const auto method = parsed.find("method");
  if (method == parsed.end()) {
    if (!parsed.contains("result") && !parsed.contains("error")) return invalid("method is missing");
    message.kind = Message::Kind::Response;
    if (const auto result = parsed.find("result"); result != parsed.end()) message.result = std::move(*result);
    return message;
  }
  if (!method->is_string() || method->get_ref<const std::string&>().size() > kMaxName) {
    return invalid("method must be a short string");
  }
  message.method = method->get<std::string>();
  message.kind = has_id ? Message::Kind::Request : Message::Kind::Notification;
  if (const auto params = parsed.find("params"); params != parsed.end() && !params->is_null()) {
    if (params->is_object()) {
      message.params = std::move(*params);
    } else if (has_id) {  // a notification is never answered
      return RpcError{known_id, kInvalidParams, "Invalid params: expected an object"};
    }
  }
  return message;
}

std::string response(const Json& id, std::string_view result) {
  std::string line = R"({"jsonrpc":"2.0","id":)" + text_of(id) + R"(,"result":)";
  line.reserve(line.size() + result.size() + 1);
  line += result;
  line += '}';
  return line;
}

std::string error_response(const RpcError& error) {
  return text_of(nlohmann::ordered_json{
      {"jsonrpc", "2.0"}, {"id", error.id}, {"error", {{"code", error.code}, {"message", error.message}}}});
}

std::string notification(std::string_view method, const nlohmann::ordered_json& params) {
  return text_of(nlohmann::ordered_json{{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
}

}  // namespace deskmark::mcp
