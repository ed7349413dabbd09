#include "src/mcp/content.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "schema/codes.hpp"
#include "src/mcp/message.hpp"

namespace deskmark::mcp {
namespace {

using Json = nlohmann::ordered_json;

std::string string_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

/// A value within a line: plain words stay bare, everything else is JSON.
std::string inline_text(const Json& value) {
  if (!value.is_string()) return text_of(value);
  const std::string& text = value.get_ref<const std::string&>();
  const bool bare = !text.empty() && text.find_first_of(" \t\r\n\",:{}[]") == std::string::npos;
  return bare ? text : text_of(value);
}

std::string entry_text(const Json& entry) {
  if (!entry.is_object()) return inline_text(entry);
  std::string out;
  for (const auto& [key, value] : entry.items())
    if (!value.is_null()) out += (out.empty() ? "" : ", ") + key + " " + inline_text(value);
  return out;
}

std::string headline(const Json& body) {
  const bool ok = body.value("ok", false);
  std::string out = string_at(body, "action");
  if (const std::string mode = string_at(body, "mode"); !mode.empty()) out += " " + mode;
  out += ok ? ": ok" : ": not done";
  if (const std::string code = string_at(body, "code"); !code.empty()) out += " (" + code + ")";
  if (const std::string effect = string_at(body, "effect"); !effect.empty()) out += ", " + effect;
  if (const std::string route = string_at(body, "route"); !route.empty()) out += " by " + route;
  if (const std::string message = string_at(body, "message"); !message.empty()) out += ". " + message;
  return out + "\n";
}

std::string target_line(const Json& body) {
  std::string out;
  for (const char* key : {"app", "window_title", "pid", "window_id"}) {
    if (const auto found = body.find(key); found != body.end() && !found->is_null())
      out += (out.empty() ? "target: " : ", ") + std::string(key) + " " + inline_text(*found);
  }
  return out.empty() ? out : out + "\n";
}

std::string picture_line(const Json& body) {
  if (!body.contains("width") || !body.contains("height")) return {};
  std::string out = "picture: " + text_of(body["width"]) + "x" + text_of(body["height"]);
  for (const char* key : {"origin", "scale"})
    if (const auto found = body.find(key); found != body.end()) out += ", " + std::string(key) + " " + text_of(*found);
  return out + "\n";
}

std::string elements_line(const Json& body) {
  const auto total = body.find("total_elements");
  if (total == body.end()) return {};
  std::string out = "elements: " + text_of(*total);
  if (const auto omitted = body.find("omitted"); omitted != body.end() && *omitted != 0) {
    out += ", " + text_of(*omitted) + " of them left off";
  }
  if (!body.value("complete", true)) out += "; not complete, see warnings";
  return out + "\n";
}

/// Said by the lines above, by the summary, or of no use to a reader.
bool told_elsewhere(std::string_view key) {
  constexpr std::array<std::string_view, 27> kTold{
      "ok",        "action",       "mode",     "code",      "effect",   "route",    "message",
      "summary",   "tree",         "app",      "pid",       "timing",   "width",    "height",
      "origin",    "window_title", "scale",    "window_id", "omitted",  "elements", "total_elements",
      "truncated", "complete",     "snapshot", "capture",   "verified", "receipt"};
  for (const std::string_view told : kTold)
    if (told == key) return true;
  return false;
}

/// A list of objects takes a line each, under its name.
std::string other_lines(const Json& body) {
  std::string out;
  for (const auto& [key, value] : body.items()) {
    if (told_elsewhere(key) || value.is_null()) continue;
    if (value.is_array() && !value.empty() && value.front().is_object()) {
      out += key + ":\n";
      for (const Json& entry : value) out += "- " + entry_text(entry) + "\n";
    } else if (value.is_object()) {
      out += key + ": " + entry_text(value) + "\n";
    } else if (!value.is_array() || !value.empty()) {
      out += key + ": " + inline_text(value) + "\n";
    }
  }
  return out;
}

bool is_error(const Json& body) {
  const std::string code = string_at(body, "code");
  return !body.value("ok", false) && (code == code_word(Code::InvalidRequest) || code == code_word(Code::Internal));
}

}  // namespace

std::optional<ReplyForm> reply_form_from_word(std::string_view word) {
  if (word == "both") return ReplyForm::Both;
  if (word == "compact") return ReplyForm::Compact;
  if (word == "structured") return ReplyForm::Structured;
  return std::nullopt;
}

std::string compact_text(const Json& body) {
  if (!body.is_object()) return text_of(body);
  std::string out;
  for (const char* key : {"summary", "tree"}) {
    const std::string text = string_at(body, key);
    if (text.empty()) continue;
    out += text;
    if (out.back() != '\n') out += '\n';
  }
  if (!out.empty()) out += '\n';
  out += headline(body) + target_line(body) + picture_line(body) + elements_line(body) + other_lines(body);
  if (const auto capture = body.find("capture"); capture != body.end() && capture->is_object()) {
    out += "\nAfterwards:\n" + compact_text(*capture) + "\n";
  }
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

std::string call_result(const Reply& reply, ReplyForm form, bool structured_known) {
  const bool text_is_whole = form != ReplyForm::Structured || !structured_known;
  std::string text = text_is_whole ? compact_text(reply.body) : headline(reply.body);
  while (!text.empty() && text.back() == '\n') text.pop_back();

  // Put together by hand: a picture of megabytes is then copied once and not checked byte by byte for its encoding.
  std::string out = R"({"content":[)" + text_of(Json{{"type", "text"}, {"text", text}});
  if (!reply.picture_mime.empty()) {
    out += R"(,{"type":"image","data":")";
    out += base64(reply.picture);
    out += R"(","mimeType":)" + text_of(Json(reply.picture_mime)) + "}";
  }
  out += "]";
  if (form != ReplyForm::Compact) out += R"(,"structuredContent":)" + text_of(reply.body);
  out += is_error(reply.body) ? R"(,"isError":true})" : R"(,"isError":false})";
  return out;
}

std::string base64(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out((bytes.size() + 2) / 3 * 4, '=');
  std::size_t at = 0;
  std::size_t i = 0;
  const auto digit = [&](std::uint32_t word, int shift) { out[at++] = kDigits[word >> shift & 63U]; };
  for (; i + 3 <= bytes.size(); i += 3) {
    const std::uint32_t word = std::uint32_t{bytes[i]} << 16 | std::uint32_t{bytes[i + 1]} << 8 | bytes[i + 2];
    for (const int shift : {18, 12, 6, 0}) digit(word, shift);
  }
  if (const std::size_t left = bytes.size() - i; left > 0) {
    const std::uint32_t word = std::uint32_t{bytes[i]} << 16 | (left == 2 ? std::uint32_t{bytes[i + 1]} << 8 : 0U);
    digit(word, 18);
    digit(word, 12);
    if (left == 2) digit(word, 6);
  }
  return out;
}

}  // namespace deskmark::mcp
