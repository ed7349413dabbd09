#include "input/x11/key_out.hpp"

#include <algorithm>

namespace deskmark::x11_input {
namespace {

bool is_down(const char* keys, unsigned code) {
  return (static_cast<unsigned char>(keys[code / 8]) >> (code % 8) & 1) != 0;
}

/// Keys that a device which is not XTEST's holds down: somebody's finger is on them.
std::vector<unsigned> held_by_hand(Link& link) {
  std::vector<unsigned> out;
  int count = 0;
  XIDeviceInfo* devices = XIQueryDevice(link.x(), XIAllDevices, &count);
  for (int i = 0; devices != nullptr && i < count; ++i) {
    const std::string name = devices[i].name;
    if (devices[i].use != XISlaveKeyboard || name.find("XTEST") != std::string::npos) continue;
    XDevice* device = XOpenDevice(link.x(), static_cast<XID>(devices[i].deviceid));
    if (device == nullptr) continue;
    if (XDeviceState* state = XQueryDeviceState(link.x(), device)) {
      const XInputClass* part = state->data;
      for (int c = 0; c < state->num_classes; ++c) {
        if (part->c_class == KeyClass) {
          const char* keys = reinterpret_cast<const XKeyState*>(part)->keys;
          for (unsigned code = 8; code < 256; ++code) {
            if (is_down(keys, code)) out.push_back(code);
          }
        }
        part = reinterpret_cast<const XInputClass*>(reinterpret_cast<const char*>(part) + part->length);
      }
      XFreeDeviceState(state);
    }
    XCloseDevice(link.x(), device);
  }
  if (devices != nullptr) XIFreeDeviceInfo(devices);
  return out;
}

}  // namespace

AgentFocus::AgentFocus(Link& link, Agent& agent, XID window, const Front& before)
    : link_(link), agent_(agent), window_(window), before_(before) {
  XISetFocus(link.x(), agent.keyboard(), window, CurrentTime);
  if (before.active != window) remind_manager(link, before);
  link.sync();
}

AgentFocus::~AgentFocus() {
  if (link_.dead()) return;
  XISetFocus(link_.x(), agent_.keyboard(), kNone, CurrentTime);
  if (before_.active != window_) remind_manager(link_, before_);
  // A program that has the user's focus, too, was told that it lost one and may believe it has none (Chromium).
  const auto up =
      before_.focus == kNone || before_.focus == PointerRoot ? std::vector<XID>{} : ancestry(link_, before_.focus);
  if (std::find(up.begin(), up.end(), window_) != up.end()) send_focus(link_, window_, true);
  link_.sync();
}

bool AgentFocus::has() const {
  XID focus = kNone;
  return !link_.dead() && XIGetFocus(link_.x(), agent_.keyboard(), &focus) == kSuccess && focus == window_;
}

CleanModifiers::CleanModifiers(Link& link) : link_(link) {
  XkbStateRec state{};
  if (link.dead() || XkbGetState(link.x(), XkbUseCoreKbd, &state) != kSuccess) return;
  locked_ = state.locked_mods & LockMask;
  if (locked_ != 0) XkbLockModifiers(link.x(), XkbUseCoreKbd, LockMask, 0);
  if (state.latched_mods != 0) XkbLatchModifiers(link.x(), XkbUseCoreKbd, 0xff, 0);
  if (state.base_mods == 0) {
    link.sync();
    return;
  }
  char keys[32] = {};
  XQueryKeymap(link.x(), keys);
  XModifierKeymap* map = XGetModifierMapping(link.x());
  for (int i = 0; map != nullptr && i < 8 * map->max_keypermod; ++i) {
    const unsigned code = map->modifiermap[i];
    if (code == 0 || !is_down(keys, code)) continue;
    if (std::find(released_.begin(), released_.end(), code) == released_.end()) released_.push_back(code);
  }
  if (map != nullptr) XFreeModifiermap(map);
  for (const unsigned code : released_) XTestFakeKeyEvent(link.x(), code, kFalse, CurrentTime);
  link.sync();
}

CleanModifiers::~CleanModifiers() {
  if (link_.dead()) return;
  if (locked_ != 0) XkbLockModifiers(link_.x(), XkbUseCoreKbd, locked_, locked_);
  if (!released_.empty()) {
    // Only what a finger is still on: a key let go meanwhile would stay pressed for ever.
    const auto held = held_by_hand(link_);
    for (const unsigned code : released_) {
      if (std::find(held.begin(), held.end(), code) != held.end())
        XTestFakeKeyEvent(link_.x(), code, kTrue, CurrentTime);
    }
  }
  link_.sync();
}

KeyOut::KeyOut(Link& link, Agent& agent, XID window, Way way, const Layout&, int group)
    : link_(link),
      window_(window),
      way_(way),
      hand_(link, way == Way::Agent ? &agent : nullptr),
      group_(group),
      time_(way == Way::Events ? link.now(Deadline::in(std::chrono::milliseconds{200})) : 0) {}

void KeyOut::press(unsigned code, bool down) {
  if (way_ != Way::Events) {
    hand_.key(code, down);
    return;
  }
  if (!link_.dead()) send_key(link_, window_, code, state_ | static_cast<unsigned>(group_ & 3) << 13, down, time_);
}

void KeyOut::modifiers(const std::vector<unsigned>& codes, unsigned state) {
  for (const unsigned code : down_) {
    if (std::find(codes.begin(), codes.end(), code) == codes.end()) press(code, false);
  }
  for (const unsigned code : codes) {
    if (std::find(down_.begin(), down_.end(), code) == down_.end()) press(code, true);
  }
  down_ = codes;
  state_ = state;
}

void KeyOut::tap(unsigned code, std::chrono::milliseconds hold, const Deadline& deadline) {
  press(code, true);
  if (hold.count() > 0) {
    XFlush(link_.x());
    Link::pause(hold, deadline);
  }
  press(code, false);
}

}  // namespace deskmark::x11_input
