#include "src/policy/blocked.hpp"

#include <glib.h>
#include <xkbcommon/xkbcommon-keysyms.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "src/policy/plain_text.hpp"

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
      {{M::Ctrl, M::Alt}, {XKB_KEY_Delete, XKB_KEY_KP_Delete, XKB_KEY_KP_Decimal}, "ctrl+alt+delete"},
      {{M::Super}, {XKB_KEY_l, XKB_KEY_L}, "super+l"},
      {{M::Alt}, {XKB_KEY_F4, XKB_KEY_KP_F4}, "alt+f4"},
      {{M::Super, M::Shift}, {XKB_KEY_BackSpace}, "super+shift+backspace"},
      {{M::Super, M::Alt}, {XKB_KEY_BackSpace}, "super+alt+backspace"},
      {{M::Super, M::Ctrl}, {XKB_KEY_q, XKB_KEY_Q}, "super+ctrl+q"},
      {{M::Super, M::Shift}, {XKB_KEY_q, XKB_KEY_Q}, "super+shift+q"},
  };
  return combos;
}

struct Pattern {
  const char* regex;
  const char* what;
};

// Where a command may stand between a pipe or sudo and its name: sudo -u x env A=1 exec /bin/…
#define DESKMARK_BEFORE \
  R"re((?:(?:sudo|doas|env|exec|command|builtin|nohup|nice|time|busybox|xargs|-\S+|\w+=\S*)\s+)*(?:\S*/)?)re"
#define DESKMARK_SHELL R"re((?:(?:ba|z|da|k|c|tc|fi|a|mk|r)?sh|\$\{?shell\}?|\$0)\b)re"

constexpr std::array<Pattern, 7> kPatterns{{
    {R"re(\b(curl|wget)\b[^\n]*\|&?\s*)re" DESKMARK_BEFORE DESKMARK_SHELL, "a download piped into a shell"},
    {R"re(\b(curl|wget)\b[^\n]*>\(\s*)re" DESKMARK_BEFORE DESKMARK_SHELL, "a download piped into a shell"},
    {R"re(\b)re" DESKMARK_SHELL R"re([^\n]*(<\(|\$\(|`)\s*)re" DESKMARK_BEFORE R"re((curl|wget)\b)re",
     "a download run by a shell"},
    {R"re((\b(eval|source)\b|(^|[;&|\s])\.\s)[^\n]*(\$\(|`|<\()\s*)re" DESKMARK_BEFORE R"re((curl|wget)\b)re",
     "a download run by a shell"},
    {R"re(\bsudo\b[^\n|;&]*\brm\s+([^\n|;&]*\s)?(-[a-z]*[rf]|--r[a-z]*|--f[a-z]*))re", "sudo rm with -r or -f"},
    {R"re(\brm\s+([^\n|;&]*\s)?(-[a-z]*r|--r[a-z]*)([^\n|;&]*\s)/+(\.{0,2}/+)*\.{0,2}(\*|\s|$|[;&|)`]))re", "rm -rf /"},
    {R"re(([\w:.]+)\s*\(\s*\)\s*[{(]\s*\1\s*\|\s*\1\s*&\s*[})]\s*;?\s*\1)re", "a fork bomb"},
}};
// `rm / -rf` is the same to GNU rm.
constexpr Pattern kOptionsLast{
    R"re(\brm\s+([^\n|;&]*\s)?/+(\.{0,2}/+)*\.{0,2}\*?\s([^\n|;&]*\s)?(-[a-z]*r|--r[a-z]*))re", "rm -rf /"};

/// A subject too hard to match counts as blocked: refusing is the safe answer.
bool matches(const Pattern& pattern, const std::string& text) {
  GError* error = nullptr;
  GRegex* regex = g_regex_new(pattern.regex, static_cast<GRegexCompileFlags>(G_REGEX_MULTILINE | G_REGEX_OPTIMIZE),
                              static_cast<GRegexMatchFlags>(0), &error);
  if (!regex) {
    g_clear_error(&error);
    return true;
  }
  const bool hit = g_regex_match_full(regex, text.c_str(), static_cast<gssize>(text.size()), 0,
                                      static_cast<GRegexMatchFlags>(0), nullptr, &error) != FALSE;
  const bool failed = error != nullptr;
  g_clear_error(&error);
  g_regex_unref(regex);
  return hit || failed;
}

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

std::optional<Failure> blocked_keys(const std::string& keys) {
  auto combo = parse_keys(keys);
  if (const auto* named = std::get_if<KeyCombo>(&combo)) return blocked_combo(*named);
  // Nothing is sent for a name nobody knows; but a disguised one shall be called what it is.
  combo = parse_keys(plain_text(keys));
  if (const auto* named = std::get_if<KeyCombo>(&combo)) return blocked_combo(*named);
  return std::nullopt;
}

std::optional<Failure> blocked_text(const std::string& text) {
  for (const std::string& reading : shell_readings(text)) {
    for (const Pattern& pattern : kPatterns) {
      if (matches(pattern, reading))
        return Failure{Code::BlockedText, std::string{"This text is never typed: it looks like "} + pattern.what + "."};
    }
    if (matches(kOptionsLast, reading))
      return Failure{Code::BlockedText, "This text is never typed: it looks like rm -rf /."};
  }
  return std::nullopt;
}

}  // namespace deskmark
