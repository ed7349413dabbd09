// A reply as the result of tools/call: compact text, picture, structured content.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "src/engine.hpp"

namespace deskmark::mcp {

/// What a call's result carries beside the picture (`--reply`): some clients hide the text when structured content is
/// there, others put both before the model.
enum class ReplyForm : std::uint8_t {
  Both,        ///< compact text and structuredContent
  Compact,     ///< compact text only
  Structured,  ///< structuredContent, and one line of text
};
[[nodiscard]] std::optional<ReplyForm> reply_form_from_word(std::string_view word);

/// The reply for a reader: `summary` or `tree` first, then what they do not say (target, picture, evidence, verdict,
/// warnings), a line each. Left out are the elements (they are in the summary), the snapshot's name and the timing.
[[nodiscard]] std::string compact_text(const nlohmann::ordered_json& body);

/// CallToolResult as JSON text. `structured_known`: false for a protocol version without structuredContent; the text is
/// then whole in every form.
[[nodiscard]] std::string call_result(const Reply& reply, ReplyForm form, bool structured_known);

[[nodiscard]] std::string base64(std::span<const std::uint8_t> bytes);

}  // namespace deskmark::mcp
