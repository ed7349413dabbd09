// JSON-RPC 2.0 messages of the Model Context Protocol: read from one line, and written.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace deskmark::mcp {

inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kServerBusy = -32000;

struct Message {
  enum class Kind : std::uint8_t { Request, Notification, Response };
  Kind kind = Kind::Notification;
  nlohmann::json id;      ///< string or number; null for a notification
  std::string method;     ///< empty for a response
  nlohmann::json params;  ///< always an object
  nlohmann::json result;  ///< of a response; null when it is an error
};

struct RpcError {
  nlohmann::json id;  ///< null when it could not be read
  int code = kInvalidRequest;
  std::string message;
};

/// Bounds on what is built from a line: without them a few megabytes of brackets become gigabytes of objects.
inline constexpr int kMaxDepth = 64;
inline constexpr std::size_t kMaxValues = 200'000;

/// Why a line is not parsed at all; nothing when its nesting and number of values are within bounds.
[[nodiscard]] std::optional<std::string> too_complex(std::string_view line);

[[nodiscard]] std::variant<Message, RpcError> read_message(std::string_view line);

/// One line, without its newline. `result` is JSON text.
[[nodiscard]] std::string response(const nlohmann::json& id, std::string_view result);
[[nodiscard]] std::string error_response(const RpcError& error);
[[nodiscard]] std::string notification(std::string_view method, const nlohmann::ordered_json& params);

/// Compact JSON text; malformed UTF-8 becomes U+FFFD.
[[nodiscard]] std::string text_of(const nlohmann::json& value);
[[nodiscard]] std::string text_of(const nlohmann::ordered_json& value);

}  // namespace deskmark::mcp
