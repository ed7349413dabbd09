#include "perception/marks/words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace deskmark {
namespace {

bool is_space(std::uint32_t c) {
  return c == ' ' || (c >= 0x09 && c <= 0x0d) || c == 0x85 || c == 0xa0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

bool is_noise(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x200b || c == 0x200e || c == 0x200f || c == 0x61c ||
         (c >= 0x202a && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff0 && c <= 0xffff) ||
         (c >= 0xe000 && c <= 0xf8ff) || c >= 0xf0000;
}

/// Decodes one character at `i` and moves past it; nullopt-like 0xfffd for malformed bytes (one byte is skipped).
std::uint32_t decode(std::string_view s, std::size_t& i) {
  const auto byte = [&](std::size_t k) { return static_cast<std::uint8_t>(s[k]); };
  const std::uint8_t b = byte(i);
  std::size_t length = 1;
  std::uint32_t c = b;
  if (b >= 0xf0 && b < 0xf5) {
    length = 4;
    c = b & 0x07U;
  } else if (b >= 0xe0 && b < 0xf0) {
    length = 3;
    c = b & 0x0fU;
  } else if (b >= 0xc2 && b < 0xe0) {
    length = 2;
    c = b & 0x1fU;
  } else if (b >= 0x80) {
    ++i;
    return 0xfffd;
  }
  if (i + length > s.size()) {
    ++i;
    return 0xfffd;
  }
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xc0U) != 0x80) {
      ++i;
      return 0xfffd;
    }
    c = (c << 6) | (byte(i + k) & 0x3fU);
  }
  static constexpr std::array<std::uint32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  if (c < smallest[length] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) {
    ++i;
    return 0xfffd;
  }
  i += length;
  return c;
}

bool is_word_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Rich text, as Qt's tool tips are: starts with a tag of it. ("<Ok>" and "< 3" do not.)
bool is_markup(std::string_view text) {
  static constexpr std::array<std::string_view, 9> kTags{"<p>",   "<p ",   "<html", "<qt>",     "<b>",
                                                         "<span", "<font", "<div",  "<!DOCTYPE"};
  return std::any_of(kTags.begin(), kTags.end(),
                     [&](std::string_view tag) { return text.substr(0, tag.size()) == tag; });
}

std::string without_tags(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, char>, 5> kEntities{
      {{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&nbsp;", ' '}, {"&amp;", '&'}}};
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<') {
      i = std::min(text.find('>', i), text.size());
      out += ' ';
      continue;
    }
    const auto entity = std::find_if(kEntities.begin(), kEntities.end(),
                                     [&](const auto& e) { return text.substr(i, e.first.size()) == e.first; });
    if (entity == kEntities.end()) {
      out += text[i];
      continue;
    }
    out += entity->second;
    i += entity->first.size() - 1;
  }
  return out;
}

}  // namespace

std::string clean_line(std::string_view given) {
  const std::string plain = is_markup(given) ? without_tags(given) : std::string{};
  const std::string_view text = plain.empty() ? given : plain;
  std::string out;
  out.reserve(text.size());
  bool gap = false;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t start = i;
    const std::uint32_t c = decode(text, i);
    if (is_space(c)) {
      gap = true;
      continue;
    }
    if (is_noise(c)) continue;
    if (gap && !out.empty()) out += ' ';
    gap = false;
    out.append(text, start, i - start);
  }
  return out;
}

std::string clean_block(std::string_view text) {
  std::string out;
  bool blank = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string line = clean_line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) {
      blank = !out.empty();
      continue;
    }
    if (!out.empty()) out += blank ? "\n\n" : "\n";
    blank = false;
    out += line;
  }
  return out;
}

std::string cut_line(std::string text, std::size_t limit) {
  std::size_t characters = 0;
  std::size_t keep = text.size();  // byte offset where the character number `limit - 1` ends
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<std::uint8_t>(text[i]) & 0xc0U) == 0x80) continue;
    if (++characters == limit) keep = i;
    if (characters > limit) {
      while (keep > 0 && text[keep - 1] == ' ') --keep;
      text.resize(keep);
      return text + "…";
    }
  }
  return text;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string humanised(std::string_view identifier) {
  // Qt's ids are paths ("QApplication.window.saveButton"): the last part is the object's own.
  if (const std::size_t dot = identifier.rfind('.'); dot != std::string_view::npos) identifier.remove_prefix(dot + 1);
  if (identifier.size() > 40 || identifier.starts_with("view_") || identifier.starts_with("qt_")) return {};
  std::vector<std::string> words(1);
  char before = 0;
  for (const char c : identifier) {
    if (!is_word_letter(c) && !is_digit(c) && c != '-' && c != '_' && c != ' ') return {};
    if (c == '-' || c == '_' || c == ' ' || (is_upper(c) && is_lower(before))) words.emplace_back();
    if (is_word_letter(c)) words.back() += static_cast<char>(is_upper(c) ? c - 'A' + 'a' : c);
    before = c;
  }
  std::string out;
  for (const std::string& w : words) {
    if (w.size() < 2 || w == "symbolic") continue;
    if (!out.empty()) out += ' ';
    out += w;
  }
  return out;
}

bool is_icon_name(std::string_view name) {
  constexpr std::string_view tail = "-symbolic";
  if (!name.ends_with(tail) || name.size() == tail.size()) return false;
  return std::all_of(name.begin(), name.end(), [](char c) { return is_lower(c) || is_digit(c) || c == '-'; });
}

bool is_class_name(std::string_view name) {
  if (name.size() < 4 || !is_upper(name.front())) return false;
  bool hump = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!is_word_letter(name[i]) && !is_digit(name[i])) return false;
    hump = hump || (i > 1 && is_upper(name[i]) && is_lower(name[i - 1]));
  }
  return hump;
}

std::string number_word(double value) {
  if (!std::isfinite(value)) return {};
  if (value == 0) return "0";
  std::array<char, 64> buffer{};
  const double size = std::fabs(value);
  // Six significant digits, no exponent where people would not write one.
  const bool plain = size < 1e15 && size >= 1e-6;
  if (plain) {
    const int whole = size >= 1 ? static_cast<int>(std::floor(std::log10(size))) + 1 : 0;
    const int digits = std::clamp(6 - whole, 0, 6);
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, digits).ptr;
    std::string out{buffer.data(), end};
    if (out.find('.') != std::string::npos) {
      while (out.back() == '0') out.pop_back();
      if (out.back() == '.') out.pop_back();
    }
    return out == "-0" ? "0" : out;
  }
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, 6).ptr;
  return {buffer.data(), end};
}

}  // namespace deskmark
