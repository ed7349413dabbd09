#include "src/policy/blocked.hpp"

#include <glib.h>
#include <xkbcommon/xkbcommon-keysyms.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <vector>

namespace deskmark {
namespace {

struct Blocked {
  std::vector<Modifier> modifiers;
  std::vector<std::uint32_t> keysyms;
  std::string_view name;
};

const std::vector<Blocked>& blocked_combos() {
  using M = Modifier;
  static const std::vector<Blocked> combos{
      {{M::Ctrl, M::Alt}, {XKB_KEY_Delete, XKB_KEY_KP_Delete}, "ctrl+alt+delete"},
      {{M::Super}, {XKB_KEY_l, XKB_KEY_L}, "super+l"},
      {{M::Alt}, {XKB_KEY_F4, XKB_KEY_KP_F4}, "alt+f4"},
      {{M::Super, M::Shift}, {XKB_KEY_BackSpace}, "super+shift+backspace"},
      {{M::Super, M::Alt}, {XKB_KEY_BackSpace}, "super+alt+backspace"},
      {{M::Super, M::Ctrl}, {XKB_KEY_q, XKB_KEY_Q}, "super+ctrl+q"},
      {{M::Super, M::Shift}, {XKB_KEY_q, XKB_KEY_Q}, "super+shift+q"},
  };
  return combos;
}

bool invisible(gunichar c) {
  const GUnicodeType type = g_unichar_type(c);
  return type == G_UNICODE_FORMAT || (type == G_UNICODE_CONTROL && c != '\n' && c != '\t' && c != '\r');
}

/// Letters of other scripts that look like the Latin ones in the blocked commands (Unicode confusables).
gunichar look_alike(gunichar c) {
  switch (c) {
    case 0x0430:
    case 0x03b1: return 'a';
    case 0x0441:
    case 0x03f2: return 'c';
    case 0x0435: return 'e';
    case 0x04bb: return 'h';
    case 0x0456:
    case 0x0131:
    case 0x03b9: return 'i';
    case 0x04cf: return 'l';
    case 0x043e:
    case 0x03bf: return 'o';
    case 0x0440:
    case 0x03c1: return 'p';
    case 0x0455: return 's';
    case 0x051d: return 'w';
    case 0x0501: return 'd';
    case 0x2010:
    case 0x2011:
    case 0x2012:
    case 0x2013:
    case 0x2212: return '-';
    case 0x2044:
    case 0x2215: return '/';
    case 0x2223:
    case 0x01c0: return '|';
    default: return c;
  }
}

std::string normalised(const std::string& text) {
  const std::unique_ptr<char, void (*)(void*)> valid(g_utf8_make_valid(text.data(), static_cast<gssize>(text.size())),
                                                     g_free);
  const std::unique_ptr<char, void (*)(void*)> compatible(g_utf8_normalize(valid.get(), -1, G_NORMALIZE_ALL_COMPOSE),
                                                          g_free);
  std::string out;
  for (char* p = compatible.get(); p && *p; p = g_utf8_next_char(p)) {
    gunichar c = g_utf8_get_char(p);
    if (invisible(c)) continue;
    c = look_alike(g_unichar_tolower(c));
    // Quotes and backslashes inside a word change nothing for the shell: r\m, 'rm'.
    if (c == '\\' || c == '\'' || c == '"') continue;
    std::array<char, 6> bytes{};
    out.append(bytes.data(), static_cast<std::size_t>(g_unichar_to_utf8(c, bytes.data())));
  }
  return out;
}

struct Pattern {
  const char* regex;
  const char* what;
};

constexpr std::array<Pattern, 6> kPatterns{{
    {R"re(\b(curl|wget)\b[^\n]*\|\s*(sudo\s+|env\s+|exec\s+)*(\S*/)?(ba|z|da|k|c|fi|a)?sh\b)re",
     "a download piped into a shell"},
    {R"re(\b(ba|z|da|k|a)?sh\b[^\n]*(<\(|\$\(|`)\s*(curl|wget)\b)re", "a download run by a shell"},
    {R"re(\b(eval|source)\b[^\n]*(\$\(|`|<\()\s*(curl|wget)\b)re", "a download run by a shell"},
    {R"re(\bsudo\b[^\n|;&]*\brm\s+([^\n|;&]*\s)?(-[a-z]*[rf]|--recursive|--force))re", "sudo rm with -r or -f"},
    {R"re(\brm\s+([^\n|;&]*\s)?(-[a-z]*r|--recursive)[^\n|;&]*\s/(\*|\s|$|[;&|]))re", "rm -rf /"},
    {R"re(([\w:.]+)\s*\(\s*\)\s*\{\s*\1\s*\|\s*\1\s*&\s*\}\s*;?\s*\1)re", "a fork bomb"},
}};

}  // namespace

std::optional<Failure> blocked_combo(const KeyCombo& combo) {
  for (const Blocked& blocked : blocked_combos()) {
    const bool key = std::find(blocked.keysyms.begin(), blocked.keysyms.end(), combo.keysym) != blocked.keysyms.end();
    const bool held = std::all_of(blocked.modifiers.begin(), blocked.modifiers.end(), [&](Modifier m) {
      return std::find(combo.modifiers.begin(), combo.modifiers.end(), m) != combo.modifiers.end();
    });
    if (key && held) {
      return Failure{Code::BlockedKeyCombo, "The combination " + combo.canonical + " is never sent: it contains " +
                                                std::string{blocked.name} + "."};
    }
  }
  return std::nullopt;
}

std::optional<Failure> blocked_text(const std::string& text) {
  const std::string plain = normalised(text);
  for (const Pattern& pattern : kPatterns) {
    // A subject too hard to match counts as blocked: refusing is the safe answer.
    GError* error = nullptr;
    GRegex* regex = g_regex_new(pattern.regex, static_cast<GRegexCompileFlags>(G_REGEX_MULTILINE | G_REGEX_OPTIMIZE),
                                static_cast<GRegexMatchFlags>(0), nullptr);
    const bool hit = g_regex_match_full(regex, plain.c_str(), static_cast<gssize>(plain.size()), 0,
                                        static_cast<GRegexMatchFlags>(0), nullptr, &error) != FALSE;
    const bool failed = error != nullptr;
    g_clear_error(&error);
    g_regex_unref(regex);
    if (hit || failed) {
      return Failure{Code::BlockedText, std::string{"This text is never typed: it looks like "} + pattern.what + "."};
    }
  }
  return std::nullopt;
}

}  // namespace deskmark
