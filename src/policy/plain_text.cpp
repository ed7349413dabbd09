#include "src/policy/plain_text.hpp"

#include <glib.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <utility>

namespace deskmark {
namespace {

bool invisible(gunichar c) {
  if (c == '\n' || c == '\t' || c == '\r') return false;
  switch (g_unichar_type(c)) {
    case G_UNICODE_FORMAT:
    case G_UNICODE_CONTROL:
    case G_UNICODE_NON_SPACING_MARK:
    case G_UNICODE_ENCLOSING_MARK: return true;
    default: break;
  }
  // Fillers that are letters by their category, and are drawn as nothing.
  return c == 0x115f || c == 0x1160 || c == 0x3164 || c == 0xffa0 || c == 0x2800;
}

struct Likeness {
  gunichar latin;
  std::u32string_view others;
};

/// From Unicode's confusables (UTS 39), those of the letters that blocked commands and key names are made of. After
/// compatibility decomposition and lower-casing.
constexpr std::array<Likeness, 28> kLikenesses{{
    {'a', U"аαɑ⍺ᴀ"},
    {'b', U"Ьвʙꮟɓᖯ"},
    {'c', U"сϲᴄⲥꮯ"},
    {'d', U"ԁᴅꓒɗᏧ"},
    {'e', U"еҽєᴇℯεҿ"},
    {'f', U"ꬵꞙẝſϝƒꜰ"},
    {'g', U"ɡցᶃɢԍ"},
    {'h', U"һհᏂʜнн"},
    {'i', U"іιıɩɪӏǃꙇ"},
    {'j', U"јϳᴊ"},
    {'k', U"кκᴋⲕқ"},
    {'l', U"ӏɭʟ∣ⅼƖ"},
    {'m', U"мᴍꮇ"},
    {'n', U"ոռηпɴ"},
    {'o', U"оοσօᴏⲟ"},
    {'p', U"рρϱᴘⲣ"},
    {'q', U"ԛգզ"},
    {'r', U"гᴦⲅꭇꭈʀꮁᴙ"},
    {'s', U"ѕꜱʂƽ"},
    {'t', U"тτᴛ"},
    {'u', U"υսᴜцʋ"},
    {'v', U"νѵᴠט"},
    {'w', U"ԝѡɯաᴡω"},
    {'x', U"хχ᙮×"},
    {'y', U"уγүყʏ"},
    {'z', U"ᴢʐ"},
    {'-', U"‐‑‒–—―−⁃˗﹘ⲻー"},
    {'/', U"⁄∕⟋╱⧸〳ⳇ"},
}};
constexpr std::u32string_view kBars = U"∣ǀ⏐❘│ⵏ￨";
constexpr std::u32string_view kQuotes = U"\"'`´‘’‚‛“”„‟′″";

gunichar look_alike(gunichar c) {
  if (c < 0x80) return c;
  if (kBars.find(static_cast<char32_t>(c)) != std::u32string_view::npos) return '|';
  for (const Likeness& l : kLikenesses) {
    if (l.others.find(static_cast<char32_t>(c)) != std::u32string_view::npos) return l.latin;
  }
  if (g_unichar_isspace(c)) return ' ';
  return c;
}

void append(std::string& out, gunichar c) {
  std::array<char, 6> bytes{};
  out.append(bytes.data(), static_cast<std::size_t>(g_unichar_to_utf8(c, bytes.data())));
}

bool is_quote(gunichar c) {
  return c != '`' && kQuotes.find(static_cast<char32_t>(c)) != std::u32string_view::npos;  // ` runs a command
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

int digit(char c, int base) {
  const int value = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
  return value < base ? value : -1;
}

/// "\x72m" is rm within $'…'.
std::string unescaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const bool hex = text[i + 1] == 'x' || text[i + 1] == 'u';
    const int base = hex ? 16 : 8;
    const std::size_t most = text[i + 1] == 'u' ? 4 : hex ? 2 : 3;
    std::size_t at = i + (hex ? 2 : 1);
    const std::size_t first = at;
    int value = 0;
    while (at < text.size() && at - first < most && digit(text[at], base) >= 0)
      value = value * base + digit(text[at++], base);
    if (at == first || value == 0) {
      out += text[i];
      continue;
    }
    append(out, g_unichar_tolower(static_cast<gunichar>(value)));
    i = at - 1;
  }
  return out;
}

std::string unquoted(std::string text) {
  std::string out;
  for (char* p = text.data(); *p; p = g_utf8_next_char(p)) {
    const gunichar c = g_utf8_get_char(p);
    if (c == '\\') {
      if (p[1] == '\n') ++p;  // the line goes on
      continue;
    }
    if (is_quote(c)) continue;
    if (c == '$' && p[1] && is_quote(g_utf8_get_char(p + 1))) continue;
    append(out, c);
  }
  replace_all(out, "${ifs}", " ");
  replace_all(out, "$ifs$9", " ");
  replace_all(out, "$ifs", " ");
  replace_all(out, "$@", "");
  replace_all(out, "$*", "");
  replace_all(out, "${}", "");
  return out;
}

}  // namespace

std::string plain_text(const std::string& text) {
  const std::unique_ptr<char, decltype(&g_free)> valid(g_utf8_make_valid(text.data(), static_cast<gssize>(text.size())),
                                                       &g_free);
  // NUL would end the C strings below.
  const std::unique_ptr<char, decltype(&g_free)> apart(g_utf8_normalize(valid.get(), -1, G_NORMALIZE_ALL), &g_free);
  std::string out;
  for (char* p = apart ? apart.get() : valid.get(); *p; p = g_utf8_next_char(p)) {
    const gunichar c = g_utf8_get_char(p);
    if (!invisible(c)) append(out, look_alike(g_unichar_tolower(c)));
  }
  return out;
}

std::vector<std::string> shell_readings(const std::string& text) {
  const std::string plain = plain_text(text);
  std::vector<std::string> readings{unquoted(plain)};
  const auto add = [&](std::string reading) {
    if (std::find(readings.begin(), readings.end(), reading) == readings.end()) readings.push_back(std::move(reading));
  };
  if (plain.find('\\') != std::string::npos) add(unquoted(unescaped(plain)));
  if (plain.find('{') != std::string::npos) {
    std::string apart = readings.front();
    std::replace_if(
        apart.begin(), apart.end(), [](char c) { return c == '{' || c == '}' || c == ','; }, ' ');
    add(std::move(apart));
  }
  return readings;
}

}  // namespace deskmark
