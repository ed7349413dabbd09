// Text as a person would read it on one line: from names and contents of any origin to labels and values.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace deskmark {

/// Longest label and value, in characters (contract, section Marks).
inline constexpr std::size_t kLabelLimit = 120;

/// Whitespace folded to single spaces and trimmed; control characters, bidi overrides, zero-width marks, private-use
/// icon glyphs, object replacement characters and malformed UTF-8 dropped; rich text without its tags.
[[nodiscard]] std::string clean_line(std::string_view text);
/// As clean_line for each line, empty lines at both ends dropped, runs of empty lines folded into one.
[[nodiscard]] std::string clean_block(std::string_view text);
/// At most `limit` characters, cut with an ellipsis and never inside a character.
[[nodiscard]] std::string cut_line(std::string text, std::size_t limit = kLabelLimit);
/// `"…"` with quotes and backslashes inside escaped.
[[nodiscard]] std::string quoted(std::string_view text);
/// "saveAs-button_2" -> "save as button"; empty when it holds no words a person would say.
[[nodiscard]] std::string humanised(std::string_view identifier);
/// "view-refresh-symbolic": the name of an icon, not of what it does.
[[nodiscard]] bool is_icon_name(std::string_view name);
/// "GtkMenuButton", "AdwGizmo", "HistoryView": GTK 4 falls back to the class name where an object has none.
[[nodiscard]] bool is_class_name(std::string_view name);
/// Up to 6 significant digits, no exponent for usual sizes, never locale dependent.
[[nodiscard]] std::string number_word(double value);

}  // namespace deskmark
