#include "schema/wording.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

namespace deskmark {
namespace {

constexpr std::size_t kShownBytes = 60;

/// Length of the sequence that starts here, 0 when it is malformed.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto follows = [&](std::size_t i, unsigned char low = 0x80, unsigned char high = 0xBF) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const unsigned char low = first == 0xE0 ? 0xA0 : 0x80;
    const unsigned char high = first == 0xED ? 0x9F : 0xBF;  // surrogates
    return follows(1, low, high) && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const unsigned char low = first == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = first == 0xF4 ? 0x8F : 0xBF;
    return follows(1, low, high) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

std::string clipped(std::string_view text) {
  std::string out;
  while (!text.empty() && out.size() < kShownBytes) {
    const std::size_t length = sequence_length(text);
    out += length == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  if (!text.empty()) out += "\xE2\x80\xA6";
  return out;
}

std::string joined(const nlohmann::json& words) {
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : ", ") + word.get<std::string>();
  return out;
}

std::string range(const nlohmann::json& schema) {
  std::string out;
  if (schema.contains("minimum")) out += " from " + schema["minimum"].dump();
  if (schema.contains("maximum")) out += (out.empty() ? " up to " : " to ") + schema["maximum"].dump();
  return out;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

std::optional<std::size_t> code_points(std::string_view text) {
  std::size_t count = 0;
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (length == 0) return std::nullopt;
    text.remove_prefix(length);
    ++count;
  }
  return count;
}

std::string shown(std::string_view name) {
  return nlohmann::json(clipped(name)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string shown(const nlohmann::json& value) {
  if (value.is_string()) return "the string " + shown(std::string_view(value.get_ref<const std::string&>()));
  if (value.is_number_float() && !std::isfinite(value.get<double>())) return "a number that is not finite";
  if (value.is_number() || value.is_boolean() || value.is_null()) return clipped(value.dump());
  if (value.is_array()) {
    // Short lists of numbers tell more as they are.
    const bool plain = value.size() <= 4 && std::all_of(value.begin(), value.end(), [](const auto& item) {
                         return item.is_number() || item.is_boolean() || item.is_null();
                       });
    return plain ? clipped(value.dump()) : "an array of " + std::to_string(value.size());
  }
  return value.is_object() ? "an object" : "something that is not JSON";
}

std::string expected(const nlohmann::json& schema) {
  const std::string type = schema.value("type", "");
  if (schema.contains("enum")) return "one of " + joined(schema["enum"]);
  if (type == "boolean") return "true or false";
  if (type == "integer") return "an integer" + range(schema);
  if (type == "number") return "a number" + range(schema);
  if (type == "array") {
    const nlohmann::json& items = schema.at("items");
    if (items.contains("enum")) return "an array with any of " + joined(items["enum"]);
    return "an array of two integers, [x, y]";
  }
  if (schema.contains("maxLength")) return "a string of at most " + schema["maxLength"].dump() + " characters";
  return "a string";
}

std::string_view nearest(std::string_view given, std::span<const std::string_view> words) {
  given = given.substr(0, 64);  // bounds the work; no word is that long
  return *std::min_element(words.begin(), words.end(), [&](std::string_view a, std::string_view b) {
    return edit_distance(given, a) < edit_distance(given, b);
  });
}

}  // namespace deskmark
