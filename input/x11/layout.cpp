#include "input/x11/layout.hpp"

#include <xkbcommon/xkbcommon.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace deskmark::x11_input {
namespace {

struct MapFreed {
  void operator()(XkbDescPtr map) const { XkbFreeKeyboard(map, XkbAllComponentsMask, kTrue); }
};
using Map = std::unique_ptr<XkbDescRec, MapFreed>;

Map read_map(Link& link, unsigned parts, unsigned device) {
  return Map{link.dead() ? nullptr : XkbGetMap(link.x(), parts, device)};
}

bool keypad(KeySym sym) { return sym >= 0xff80 && sym <= 0xffbd; }

int cost(const Stroke& s) { return (s.shift ? 1 : 0) + (s.level3 ? 2 : 0); }

template <class Key>
void keep_cheaper(std::map<Key, Stroke>& all, Key key, const Stroke& stroke) {
  const auto [at, fresh] = all.emplace(key, stroke);
  if (!fresh && cost(stroke) < cost(at->second)) at->second = stroke;
}

/// The Latin letter of a key by the name of its place (row and column, the same on all keyboards).
KeySym latin_at(const std::string& name) {
  constexpr struct {
    const char* row;
    const char* letters;
  } kRows[] = {{"AD", "qwertyuiop"}, {"AC", "asdfghjkl"}, {"AB", "zxcvbnm"}};
  if (name.size() != 4 || name[2] < '0' || name[2] > '9' || name[3] < '0' || name[3] > '9') return NoSymbol;
  const int column = (name[2] - '0') * 10 + (name[3] - '0');
  for (const auto& [row, letters] : kRows) {
    if (name.compare(0, 2, row) == 0 && column >= 1 && column <= static_cast<int>(strlen(letters)))
      return static_cast<KeySym>(letters[column - 1]);
  }
  return NoSymbol;
}

/// Tells the server what the keys from `low` to `high` give, on the core keyboard and on `agents`.
void send_keys(Link& link, XkbDescPtr map, const std::vector<int>& agents, unsigned low, unsigned high) {
  XkbMapChangesRec changes{};
  changes.changed = XkbKeySymsMask;
  changes.first_key_sym = static_cast<KeyCode>(low);
  changes.num_key_syms = static_cast<unsigned char>(high - low + 1);
  map->device_spec = XkbUseCoreKbd;
  XkbChangeMap(link.x(), map, &changes);
  for (const int device : agents) {
    map->device_spec = static_cast<unsigned short>(device);
    XkbChangeMap(link.x(), map, &changes);
  }
}

/// A keycode that is the modifier `sym` in some group at its first level and moves a real modifier.
unsigned modifier_key(XkbDescPtr map, KeySym sym, KeySym other) {
  for (const KeySym wanted : {sym, other}) {
    for (unsigned code = map->min_key_code; wanted != 0 && code <= map->max_key_code; ++code) {
      const int groups = XkbKeyNumGroups(map, code);
      for (int g = 0; g < groups; ++g) {
        if (XkbKeySymEntry(map, static_cast<KeyCode>(code), 0, g) == wanted && map->map->modmap[code] != 0) return code;
      }
    }
  }
  return 0;
}

}  // namespace

KeySym keysym_of(char32_t c) { return xkb_utf32_to_keysym(c); }

std::optional<Layout> Layout::read(Link& link) {
  const Map owned = read_map(link, XkbAllClientInfoMask | XkbModifierMapMask, XkbUseCoreKbd);
  XkbDescPtr map = owned.get();
  XkbStateRec state{};
  if (map == nullptr || XkbGetState(link.x(), XkbUseCoreKbd, &state) != kSuccess) return std::nullopt;

  Layout out;
  out.group_ = state.group;
  out.held_ = static_cast<unsigned>(state.base_mods | state.latched_mods);
  out.locked_ = state.locked_mods;
  ModifierKeys& m = out.modifiers_;
  m.shift = modifier_key(map, XK_Shift_L, XK_Shift_R);
  m.control = modifier_key(map, XK_Control_L, XK_Control_R);
  m.alt = modifier_key(map, XK_Alt_L, XK_Meta_L);
  m.super = modifier_key(map, XK_Super_L, XK_Super_R);
  m.level3 = modifier_key(map, XK_ISO_Level3_Shift, 0);
  if (m.level3 != 0) m.level3_mask = map->map->modmap[m.level3];
  if (m.alt != 0) m.alt_mask = map->map->modmap[m.alt];
  if (m.super != 0) m.super_mask = map->map->modmap[m.super];

  if (XkbGetNames(link.x(), XkbKeyNamesMask, map) == kSuccess && map->names != nullptr && map->names->keys != nullptr) {
    for (unsigned code = map->min_key_code; code <= map->max_key_code; ++code) {
      const std::string name{map->names->keys[code].name, strnlen(map->names->keys[code].name, XkbKeyNameLength)};
      const KeySym sym = latin_at(name);
      if (sym != NoSymbol && map->map->modmap[code] == 0) out.latin_[sym] = code;
    }
  }
  int groups = 1;
  for (unsigned code = map->min_key_code; code <= map->max_key_code; ++code)
    groups = std::max(groups, static_cast<int>(XkbKeyNumGroups(map, code)));
  std::erase_if(out.latin_, [&](const auto& key) {
    return groups == XkbNumKbdGroups || XkbKeyNumGroups(map, key.second) != groups;
  });
  out.by_character_.resize(static_cast<std::size_t>(groups));
  out.by_keysym_.resize(static_cast<std::size_t>(groups));
  for (unsigned code = map->min_key_code; code <= map->max_key_code; ++code) {
    const auto key = static_cast<KeyCode>(code);
    bool meaning = map->map->modmap[code] != 0;
    for (int group = 0; group < groups && XkbKeyNumGroups(map, code) > 0; ++group) {
      for (int level = 0; level < 4; ++level) {
        const Stroke stroke{code, (level & 1) != 0, (level & 2) != 0};
        if ((stroke.shift && m.shift == 0) || (stroke.level3 && m.level3 == 0)) continue;
        const unsigned mods = (stroke.shift ? ShiftMask : 0U) | (stroke.level3 ? m.level3_mask : 0U);
        unsigned consumed = 0;
        KeySym sym = 0;
        if (XkbTranslateKeyCode(map, key, XkbBuildCoreState(mods, static_cast<unsigned>(group)), &consumed, &sym) ==
                0 ||
            sym == NoSymbol)
          continue;
        meaning = true;
        keep_cheaper(out.by_keysym_[static_cast<std::size_t>(group)], sym, stroke);
        const auto c = static_cast<char32_t>(keypad(sym) ? 0 : xkb_keysym_to_utf32(static_cast<xkb_keysym_t>(sym)));
        if (c >= 0x20 && c != 0x7f) keep_cheaper(out.by_character_[static_cast<std::size_t>(group)], c, stroke);
      }
    }
    if (!meaning && code > map->min_key_code) out.spare_.push_back(code);
  }
  return out;
}

std::optional<Stroke> Layout::character(char32_t c, int group) const {
  const auto& all = by_character_[static_cast<std::size_t>(group) % by_character_.size()];
  const auto found = all.find(c);
  return found == all.end() ? std::nullopt : std::optional{found->second};
}

std::optional<Stroke> Layout::keysym(KeySym sym, int group) const {
  const auto& all = by_keysym_[static_cast<std::size_t>(group) % by_keysym_.size()];
  const auto found = all.find(sym);
  return found == all.end() ? std::nullopt : std::optional{found->second};
}

bool copy_core_map(Link& link, const std::vector<int>& keyboards) {
  const Map map = read_map(link, XkbAllMapComponentsMask, XkbUseCoreKbd);
  XkbStateRec state{};
  if (!map || XkbGetState(link.x(), XkbUseCoreKbd, &state) != kSuccess) return false;
  link.sync();
  for (const int device : keyboards) {
    map->device_spec = static_cast<unsigned short>(device);
    XkbSetMap(link.x(), XkbAllMapComponentsMask, map.get());
    // The server finds fault with the actions as Xlib writes them when every keycode has a meaning, and takes nothing
    // then; without them it works them out itself.
    if (!link.sync()) XkbSetMap(link.x(), XkbAllClientInfoMask | XkbModifierMapMask, map.get());
    XkbLockModifiers(link.x(), static_cast<unsigned>(device), 0xff, 0);
    XkbLockGroup(link.x(), static_cast<unsigned>(device), state.group);
  }
  return link.sync();
}

SpareKeys::~SpareKeys() {
  if (used_.empty() || link_.dead()) return;
  change(used_, std::vector<KeySym>(used_.size(), NoSymbol));
  link_.sync();
}

void SpareKeys::map(const std::vector<unsigned>& spare, const std::vector<KeySym>& keysyms) {
  const std::vector<unsigned> codes(spare.begin(), spare.begin() + static_cast<std::ptrdiff_t>(keysyms.size()));
  change(codes, keysyms);
  if (codes.size() > used_.size()) used_ = codes;
  link_.sync();
}

void SpareKeys::change(const std::vector<unsigned>& codes, const std::vector<KeySym>& keysyms) {
  // Each request makes every client read its map again, and window managers grab all their keys anew: one request for
  // all. It carries the keys between them as they are now, so the map is read right before.
  const Map owned = read_map(link_, XkbKeyTypesMask | XkbKeySymsMask, XkbUseCoreKbd);
  XkbDescPtr map = owned.get();
  if (map == nullptr || codes.empty()) return;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const auto code = static_cast<int>(codes[i]);
    const bool empty = keysyms[i] == NoSymbol;
    int one_level[XkbNumKbdGroups] = {XkbOneLevelIndex};
    if (XkbChangeTypesOfKey(map, code, empty ? 0 : 1, XkbGroup1Mask, one_level, nullptr) != kSuccess) continue;
    if (!empty) *XkbKeySymsPtr(map, code) = keysyms[i];
  }
  const auto [low, high] = std::minmax_element(codes.begin(), codes.end());
  send_keys(link_, map, agents_, *low, *high);
}

std::optional<unsigned> Layout::latin_key(KeySym sym) const {
  const auto found = latin_.find(sym);
  return found == latin_.end() ? std::nullopt : std::optional{found->second};
}

AddedGroup::~AddedGroup() {
  if (code_ == 0 || link_.dead()) return;
  // All of it: Xlib looks at the key's actions, too, when its groups become more.
  const Map map = read_map(link_, XkbAllMapComponentsMask, XkbUseCoreKbd);
  if (!map) return;
  int types[XkbNumKbdGroups] = {map->map->key_sym_map[code_].kt_index[0]};
  if (XkbChangeTypesOfKey(map.get(), static_cast<int>(code_), groups_, XkbGroup1Mask, types, nullptr) == kSuccess)
    send_keys(link_, map.get(), agents_, code_, code_);
  link_.sync();
}

void AddedGroup::map(unsigned code, int group, KeySym sym) {
  const Map map = read_map(link_, XkbAllMapComponentsMask, XkbUseCoreKbd);
  if (!map) return;
  const int before = XkbKeyNumGroups(map.get(), code);
  int types[XkbNumKbdGroups] = {};
  types[group] = XkbOneLevelIndex;
  if (before > group || XkbChangeTypesOfKey(map.get(), static_cast<int>(code), group + 1,
                                            1U << static_cast<unsigned>(group), types, nullptr) != kSuccess)
    return;
  XkbKeySymEntry(map.get(), static_cast<KeyCode>(code), 0, group) = sym;
  code_ = code;
  groups_ = before;
  send_keys(link_, map.get(), agents_, code, code);
  link_.sync();
}

}  // namespace deskmark::x11_input
