// Which key gives which character, now: read from the server anew for each call, since layouts are switched meanwhile.
// Private to x11/.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "input/x11/link.hpp"

namespace deskmark::x11_input {

struct Stroke {
  unsigned code = 0;  ///< keycode
  bool shift = false;
  bool level3 = false;  ///< AltGr
};

struct ModifierKeys {
  unsigned shift = 0;  ///< keycodes; 0: the layout has none
  unsigned level3 = 0;
  unsigned control = 0;
  unsigned alt = 0;
  unsigned super = 0;
  unsigned level3_mask = 0;  ///< real modifiers, as in the state of events
  unsigned alt_mask = 0;
  unsigned super_mask = 0;
};

/// The map of the core keyboard: programs translate by it, whichever keyboard a key comes from.
class Layout {
 public:
  /// Empty when the server does not tell.
  static std::optional<Layout> read(Link& link);

  [[nodiscard]] int group() const { return group_; }  ///< effective group of the core keyboard
  [[nodiscard]] int groups() const { return static_cast<int>(by_keysym_.size()); }
  [[nodiscard]] unsigned held() const { return held_; }      ///< modifiers somebody holds down or has latched
  [[nodiscard]] unsigned locked() const { return locked_; }  ///< CapsLock, NumLock…
  [[nodiscard]] const ModifierKeys& modifiers() const { return modifiers_; }

  /// The key for a character in `group`, without CapsLock.
  [[nodiscard]] std::optional<Stroke> character(char32_t c, int group) const;
  /// The key for a keysym in `group`.
  [[nodiscard]] std::optional<Stroke> keysym(KeySym sym, int group) const;
  /// The key that gives `sym`, a Latin letter, where layouts are Latin; by its place, for layouts that lack the letter.
  /// Only when the key can be given one group more.
  [[nodiscard]] std::optional<unsigned> latin_key(KeySym sym) const;
  /// Keycodes without any meaning in this map.
  [[nodiscard]] const std::vector<unsigned>& spare() const { return spare_; }

 private:
  std::vector<std::map<char32_t, Stroke>> by_character_;  ///< per group
  std::vector<std::map<KeySym, Stroke>> by_keysym_;
  std::vector<unsigned> spare_;
  std::map<KeySym, unsigned> latin_;
  ModifierKeys modifiers_;
  int group_ = 0;
  unsigned held_ = 0;
  unsigned locked_ = 0;
};

/// Makes the agent's keyboards like the core one: same map, same group, nothing locked.
bool copy_core_map(Link& link, const std::vector<int>& keyboards);

/// Gives spare keycodes a meaning and takes it away again: on the core keyboard, by whose map programs translate, and
/// on the agent's. Each key gives its character whatever modifiers and group are.
class SpareKeys {
 public:
  /// `agents`: device ids of the agent's keyboards, if there are any.
  SpareKeys(Link& link, std::vector<int> agents) : link_(link), agents_(std::move(agents)) {}
  ~SpareKeys();
  SpareKeys(const SpareKeys&) = delete;
  SpareKeys& operator=(const SpareKeys&) = delete;
  /// One after the other from `spare`; more keysyms than keycodes is the caller's mistake.
  void map(const std::vector<unsigned>& spare, const std::vector<KeySym>& keysyms);

 private:
  void change(const std::vector<unsigned>& codes, const std::vector<KeySym>& keysyms);
  Link& link_;
  std::vector<int> agents_;
  std::vector<unsigned> used_;
};

/// Gives a key a meaning in a group that the layout does not have, and takes it away again: its user's keys stay what
/// they are, and programs that go by a key's place (Chromium) find the letter at its place.
class AddedGroup {
 public:
  /// `agents` as for SpareKeys.
  AddedGroup(Link& link, std::vector<int> agents) : link_(link), agents_(std::move(agents)) {}
  ~AddedGroup();
  AddedGroup(const AddedGroup&) = delete;
  AddedGroup& operator=(const AddedGroup&) = delete;
  /// Once.
  void map(unsigned code, int group, KeySym sym);

 private:
  Link& link_;
  std::vector<int> agents_;
  unsigned code_ = 0;
  int groups_ = 0;  ///< of the key before
};

[[nodiscard]] KeySym keysym_of(char32_t c);

}  // namespace deskmark::x11_input
