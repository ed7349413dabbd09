#include "input/keys.hpp"

#include <xkbcommon/xkbcommon.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

namespace deskmark {
namespace {

std::string lower(std::string_view text) {
  std::string out{text};
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
  return out;
}

/// Splits at + and -; a separator where a key is expected is the key itself ("ctrl++", "-").
std::vector<std::string> split(std::string_view keys) {
  std::vector<std::string> parts;
  std::string part;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const char c = keys[i];
    if ((c == '+' || c == '-') && !part.empty() && i + 1 < keys.size()) {
      parts.push_back(std::move(part));
      part.clear();
    } else {
      part += c;
    }
  }
  parts.push_back(std::move(part));
  return parts;
}

std::string trimmed(const std::string& text) {
  if (text == " ") return text;  // DOM's name of the space bar
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<Modifier> modifier(const std::string& name) {
  static constexpr std::array<std::pair<std::string_view, Modifier>, 18> kNames{{
      {"alt", Modifier::Alt},
      {"option", Modifier::Alt},
      {"opt", Modifier::Alt},
      {"alt_l", Modifier::Alt},
      {"ctrl", Modifier::Ctrl},
      {"control", Modifier::Ctrl},
      {"ctl", Modifier::Ctrl},
      {"control_l", Modifier::Ctrl},
      {"shift", Modifier::Shift},
      {"shift_l", Modifier::Shift},
      {"super", Modifier::Super},
      {"cmd", Modifier::Super},
      {"command", Modifier::Super},
      {"win", Modifier::Super},
      {"windows", Modifier::Super},
      {"meta", Modifier::Super},
      {"super_l", Modifier::Super},
      {"os", Modifier::Super},
  }};
  for (const auto& [word, value] : kNames) {
    if (word == name) return value;
  }
  return std::nullopt;
}

/// Names that are not keysym names: DOM's KeyboardEvent.key and .code (UI Events specification) and what people write.
std::uint32_t alias(const std::string& name) {
  static constexpr std::array<std::pair<std::string_view, std::uint32_t>, 45> kAliases{{
      {"esc", XKB_KEY_Escape},
      {"enter", XKB_KEY_Return},
      {"ret", XKB_KEY_Return},
      {"numpadenter", XKB_KEY_KP_Enter},
      {"del", XKB_KEY_Delete},
      {"ins", XKB_KEY_Insert},
      {"backspace", XKB_KEY_BackSpace},
      {"bksp", XKB_KEY_BackSpace},
      {"bs", XKB_KEY_BackSpace},
      {"pgup", XKB_KEY_Page_Up},
      {"pageup", XKB_KEY_Page_Up},
      {"page_up", XKB_KEY_Page_Up},
      {"pgdn", XKB_KEY_Page_Down},
      {"pgdown", XKB_KEY_Page_Down},
      {"pagedown", XKB_KEY_Page_Down},
      {"page_down", XKB_KEY_Page_Down},
      {"arrowup", XKB_KEY_Up},
      {"arrowdown", XKB_KEY_Down},
      {"arrowleft", XKB_KEY_Left},
      {"arrowright", XKB_KEY_Right},
      {"uparrow", XKB_KEY_Up},
      {"downarrow", XKB_KEY_Down},
      {"leftarrow", XKB_KEY_Left},
      {"rightarrow", XKB_KEY_Right},
      {"spacebar", XKB_KEY_space},
      {" ", XKB_KEY_space},
      {"contextmenu", XKB_KEY_Menu},
      {"apps", XKB_KEY_Menu},
      {"printscreen", XKB_KEY_Print},
      {"prtsc", XKB_KEY_Print},
      {"scrolllock", XKB_KEY_Scroll_Lock},
      {"capslock", XKB_KEY_Caps_Lock},
      {"numlock", XKB_KEY_Num_Lock},
      {"backquote", XKB_KEY_grave},
      {"bracketleft", XKB_KEY_bracketleft},
      {"bracketright", XKB_KEY_bracketright},
      {"quote", XKB_KEY_apostrophe},
      {"dash", XKB_KEY_minus},
      {"hyphen", XKB_KEY_minus},
      {"dot", XKB_KEY_period},
      {"tab", XKB_KEY_Tab},
      {"numpadadd", XKB_KEY_KP_Add},
      {"numpadsubtract", XKB_KEY_KP_Subtract},
      {"numpadmultiply", XKB_KEY_KP_Multiply},
      {"numpaddivide", XKB_KEY_KP_Divide},
  }};
  for (const auto& [word, keysym] : kAliases) {
    if (word == name) return keysym;
  }
  // DOM codes: KeyA, Digit7, Numpad7.
  if (name.size() == 4 && name.starts_with("key")) return static_cast<std::uint32_t>(name[3]);
  if (name.size() == 6 && name.starts_with("digit") && std::isdigit(static_cast<unsigned char>(name[5]))) {
    return static_cast<std::uint32_t>(name[5]);
  }
  if (name.size() == 7 && name.starts_with("numpad") && std::isdigit(static_cast<unsigned char>(name[6]))) {
    return XKB_KEY_KP_0 + static_cast<std::uint32_t>(name[6] - '0');
  }
  return XKB_KEY_NoSymbol;
}

/// The one code point that `text` is, 0 when it is none or several.
std::uint32_t single_character(const std::string& text) {
  if (text.empty()) return 0;
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length == 0 || text.size() != length) return 0;
  std::uint32_t code = length == 1 ? lead : lead & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0) != 0x80) return 0;
    code = (code << 6) | (byte & 0x3f);
  }
  return code < 0x20 ? 0 : code;
}

std::uint32_t keysym_of(const std::string& name) {
  if (const std::uint32_t code = single_character(name)) {
    const xkb_keysym_t keysym = xkb_utf32_to_keysym(code);
    return keysym == XKB_KEY_NoSymbol ? XKB_KEY_NoSymbol : xkb_keysym_to_lower(keysym);
  }
  const std::string folded = lower(name);
  if (const std::uint32_t keysym = alias(folded)) return keysym;
  // "KP_0x41" and friends would be read as numbers; names only.
  if (folded.starts_with("0x")) return XKB_KEY_NoSymbol;
  return xkb_keysym_from_name(name.c_str(), XKB_KEYSYM_CASE_INSENSITIVE);
}

std::string_view word(Modifier m) {
  switch (m) {
    case Modifier::Alt: return "alt";
    case Modifier::Ctrl: return "ctrl";
    case Modifier::Shift: return "shift";
    case Modifier::Super: return "super";
  }
  return "";
}

std::uint32_t modifier_keysym(Modifier m) {
  switch (m) {
    case Modifier::Alt: return XKB_KEY_Alt_L;
    case Modifier::Ctrl: return XKB_KEY_Control_L;
    case Modifier::Shift: return XKB_KEY_Shift_L;
    case Modifier::Super: return XKB_KEY_Super_L;
  }
  return XKB_KEY_NoSymbol;
}

Failure unknown(const std::string& name) {
  return {Code::UnknownKey,
          "No key is called \"" + name +
              "\": use X keysym names (Return, F5, plus), DOM names (ArrowUp, Enter) or one character, joined with + "
              "(ctrl+shift+s)."};
}

}  // namespace

std::variant<KeyCombo, Failure> parse_keys(std::string_view keys) {
  const std::vector<std::string> parts = keys == " " ? std::vector<std::string>{" "} : split(keys);
  KeyCombo combo;
  // The key is the part that is no modifier, wherever it stands; of modifiers alone, the last one is pressed.
  std::size_t key = parts.size() - 1;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string name = lower(trimmed(parts[i]));
    if (name == "fn") {
      return Failure{Code::UnsupportedModifier, "The modifier fn does not exist on X11; leave it out."};
    }
    if (!name.empty() && !modifier(name)) key = i;
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string part = trimmed(parts[i]);
    if (part.empty()) return unknown(std::string{keys});
    const auto held = modifier(lower(part));
    if (i != key) {
      if (!held) return unknown(part);
      combo.modifiers.push_back(*held);
      continue;
    }
    combo.keysym = held ? modifier_keysym(*held) : keysym_of(part);
    if (combo.keysym == XKB_KEY_NoSymbol) return unknown(part);
  }
  std::sort(combo.modifiers.begin(), combo.modifiers.end());
  combo.modifiers.erase(std::unique(combo.modifiers.begin(), combo.modifiers.end()), combo.modifiers.end());
  for (const Modifier m : combo.modifiers) combo.canonical += std::string{word(m)} + "+";
  std::array<char, 64> name{};
  xkb_keysym_get_name(combo.keysym, name.data(), name.size());
  combo.canonical += lower(name.data());
  return combo;
}

}  // namespace deskmark
