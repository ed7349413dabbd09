#include "src/policy/typed.hpp"

#include <glib.h>
#include <xkbcommon/xkbcommon-keysyms.h>
#include <xkbcommon/xkbcommon.h>

#include <algorithm>
#include <array>
#include <variant>

#include "input/keys.hpp"
#include "src/policy/blocked.hpp"

namespace deskmark {
namespace {

struct Pressed {
  std::string text;     ///< what the key types; empty: nothing
  bool erases = false;  ///< takes the character before the caret away
  bool moves = false;   ///< the caret may go elsewhere
};

Pressed pressed(const Request& request) {
  Pressed out;
  if (!request.keys) return out;
  const auto parsed = parse_keys(*request.keys);
  const auto* combo = std::get_if<KeyCombo>(&parsed);
  if (!combo) return out;
  const bool plain =
      std::all_of(combo->modifiers.begin(), combo->modifiers.end(), [](Modifier m) { return m == Modifier::Shift; });
  if (!plain) {
    out.moves = true;  // ctrl+a, ctrl+v, alt+b: anything
    return out;
  }
  switch (combo->keysym) {
    case XKB_KEY_Return:
    case XKB_KEY_KP_Enter: out.text = "\n"; return out;
    case XKB_KEY_Tab: out.text = "\t"; return out;
    case XKB_KEY_BackSpace: out.erases = true; return out;
    default: break;
  }
  std::array<char, 8> bytes{};
  if (xkb_keysym_to_utf8(combo->keysym, bytes.data(), bytes.size()) > 1) {
    const std::string character = bytes.data();
    if (static_cast<unsigned char>(character[0]) >= 0x20 && character[0] != 0x7f) {
      // The other level of a key depends on the layout: shift+7 is / here and & there. Both are thought of.
      out.text = character;
      if (!combo->modifiers.empty() && character.size() == 1 && !g_ascii_isalpha(character[0])) out.text = "/";
      return out;
    }
  }
  out.moves = true;  // Home, Left, Delete, F-keys
  return out;
}

void erase_last(std::string& text) {
  if (text.empty()) return;
  std::size_t at = text.size() - 1;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) --at;
  text.resize(at);
}

}  // namespace

std::optional<Failure> TypedTails::check(const Request& request, std::uint32_t window) const {
  if (request.action == Action::Key && request.keys) {
    if (auto failure = blocked_keys(*request.keys)) return failure;
  }
  if (request.action == Action::SetValue && request.value) return blocked_text(*request.value);
  const std::string text = request.action == Action::Type ? request.text.value_or("") : pressed(request).text;
  if (text.empty()) return std::nullopt;
  if (auto failure = blocked_text(text)) return failure;
  const auto found = tails_.find(window);
  if (found == tails_.end()) return std::nullopt;
  const Tail& tail = found->second;
  if (auto failure = blocked_text(tail.text + text)) return failure;
  return tail.moved ? blocked_text(text + tail.text) : std::nullopt;
}

void TypedTails::sent(const Request& request, std::uint32_t window) {
  const bool types = request.action == Action::Type || request.action == Action::Key;
  const bool sets = request.action == Action::SetValue && request.value;
  if (!types && !sets) {
    // A click puts the caret somewhere.
    if (const auto found = tails_.find(window); found != tails_.end()) found->second.moved = true;
    return;
  }
  Tail& tail = tails_[window];
  tail.used = ++uses_;
  if (sets) {
    tail.text = *request.value;
    tail.moved = false;
  } else if (request.action == Action::Type) {
    tail.text += request.text.value_or("");
  } else {
    const Pressed key = pressed(request);
    tail.text += key.text;
    if (key.erases) erase_last(tail.text);
    tail.moved = tail.moved || key.moves;
  }
  if (tail.text.size() > kKept) {
    std::size_t from = tail.text.size() - kKept;
    while (from < tail.text.size() && (static_cast<unsigned char>(tail.text[from]) & 0xc0) == 0x80) ++from;
    tail.text.erase(0, from);
  }
  if (tails_.size() > kWindows) {
    const auto oldest = std::min_element(tails_.begin(), tails_.end(),
                                         [](const auto& a, const auto& b) { return a.second.used < b.second.used; });
    tails_.erase(oldest);
  }
}

}  // namespace deskmark
