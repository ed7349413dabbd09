#include "input/x11/agent.hpp"

#include <vector>

#include "input/x11/windows.hpp"

namespace deskmark::x11_input {
namespace {

// Each process that acts on a display has masters of its own; more than these are not made (a server has room for few).
constexpr int kMostAgents = 4;
constexpr const char* kName = "deskmark";

}  // namespace

void Agent::retire() {
  if (link_.dead() || pointer_ == 0) return;
  release_all();
  park();
  // Windows it was in shall have seen it leave before it is gone.
  link_.sync();
  forget();
  XIRemoveMasterInfo gone{};
  gone.type = XIRemoveMaster;
  gone.deviceid = pointer_;
  gone.return_mode = XIFloating;
  XIChangeHierarchy(link_.x(), reinterpret_cast<XIAnyHierarchyChangeInfo*>(&gone), 1);
  link_.sync();
  pointer_ = keyboard_ = 0;
}

bool Agent::grabbed() const {
  if (pointer_ == 0 || link_.dead()) return false;
  unsigned char bits[XIMaskLen(XI_LASTEVENT)] = {};
  for (const int device : {pointer_, keyboard_}) {
    XIEventMask mask{device, sizeof bits, bits};
    const int answer = XIGrabDevice(link_.x(), device, link_.root(), CurrentTime, kNone, XIGrabModeAsync,
                                    XIGrabModeAsync, kTrue, &mask);
    if (answer != kSuccess) return true;
    XIUngrabDevice(link_.x(), device, CurrentTime);
  }
  return false;
}

void Agent::forget() {
  if (fake_pointer_ != nullptr) XCloseDevice(link_.x(), fake_pointer_);
  if (fake_keyboard_ != nullptr) XCloseDevice(link_.x(), fake_keyboard_);
  fake_pointer_ = nullptr;
  fake_keyboard_ = nullptr;
}

bool Agent::claim_name() {
  // A selection tells whether the process that made a master of this name still lives: the server gives it up for the
  // dead.
  for (int i = 1; i <= kMostAgents; ++i) {
    const std::string name = i == 1 ? kName : kName + std::string{" "} + std::to_string(i);
    const Atom owned = link_.atom(("_DESKMARK_INPUT_" + std::to_string(i)).c_str());
    if (XGetSelectionOwner(link_.x(), owned) != kNone) continue;
    XSetSelectionOwner(link_.x(), owned, link_.own_window(), CurrentTime);
    if (XGetSelectionOwner(link_.x(), owned) != link_.own_window()) continue;
    name_ = name;
    return true;
  }
  return false;
}

bool Agent::find() {
  int count = 0;
  XIDeviceInfo* devices = XIQueryDevice(link_.x(), XIAllDevices, &count);
  if (devices == nullptr) return false;
  pointer_ = keyboard_ = 0;
  int fake_pointer = 0;
  int fake_keyboard = 0;
  for (int i = 0; i < count; ++i) {
    const XIDeviceInfo& d = devices[i];
    if (d.use == XIMasterPointer && d.name == name_ + " pointer") {
      pointer_ = d.deviceid;
      keyboard_ = d.attachment;
    }
  }
  for (int i = 0; i < count && pointer_ != 0; ++i) {
    const XIDeviceInfo& d = devices[i];
    const std::string name = d.name;
    if (d.use == XISlavePointer && d.attachment == pointer_ && name == name_ + " XTEST pointer")
      fake_pointer = d.deviceid;
    if (d.use == XISlaveKeyboard && d.attachment == keyboard_ && name == name_ + " XTEST keyboard")
      fake_keyboard = d.deviceid;
  }
  XIFreeDeviceInfo(devices);
  if (fake_pointer == 0 || fake_keyboard == 0) return false;
  fake_pointer_ = XOpenDevice(link_.x(), static_cast<XID>(fake_pointer));
  fake_keyboard_ = XOpenDevice(link_.x(), static_cast<XID>(fake_keyboard));
  if (fake_pointer_ != nullptr && fake_keyboard_ != nullptr) return true;
  forget();
  return false;
}

bool Agent::ready(const Deadline& deadline) {
  if (pointer_ != 0) return true;
  if (name_.empty() && !claim_name()) return false;
  link_.sync();
  if (find()) {
    release_all();
    return true;
  }
  std::string name = name_;
  XIAddMasterInfo wanted{};
  wanted.type = XIAddMaster;
  wanted.name = name.data();
  wanted.send_core = kTrue;
  wanted.enable = kTrue;
  XIChangeHierarchy(link_.x(), reinterpret_cast<XIAnyHierarchyChangeInfo*>(&wanted), 1);
  if (!link_.sync() || !find()) {
    pointer_ = 0;
    return false;
  }
  park();
  // A new keyboard's focus follows its pointer: the window in it would not hear that the user's focus came.
  XISetFocus(link_.x(), keyboard_, kNone, CurrentTime);
  link_.sync();
  // Clients ask the server about the new devices when they hear of them (GTK, Qt); what is sent before they did may be
  // taken for the user's.
  return Link::pause(std::chrono::milliseconds{60}, deadline);
}

void Agent::release_all() {
  const auto state_of = [&](XDevice* device, const auto& visit) {
    XDeviceState* state = device != nullptr ? XQueryDeviceState(link_.x(), device) : nullptr;
    if (state == nullptr) return;
    const XInputClass* part = state->data;
    for (int i = 0; i < state->num_classes; ++i) {
      visit(*part);
      part = reinterpret_cast<const XInputClass*>(reinterpret_cast<const char*>(part) + part->length);
    }
    XFreeDeviceState(state);
  };
  const auto each_down = [](const char* bits, int most, const auto& visit) {
    for (int i = 0; i < most; ++i) {
      if ((static_cast<unsigned char>(bits[i / 8]) >> (i % 8) & 1) != 0) visit(static_cast<unsigned>(i));
    }
  };
  state_of(fake_pointer_, [&](const XInputClass& part) {
    if (part.c_class != ButtonClass) return;
    each_down(reinterpret_cast<const XButtonState&>(part).buttons, 32, [&](unsigned button) {
      XTestFakeDeviceButtonEvent(link_.x(), fake_pointer_, button, kFalse, nullptr, 0, CurrentTime);
    });
  });
  state_of(fake_keyboard_, [&](const XInputClass& part) {
    if (part.c_class != KeyClass) return;
    each_down(reinterpret_cast<const XKeyState&>(part).keys, 256, [&](unsigned key) {
      XTestFakeDeviceKeyEvent(link_.x(), fake_keyboard_, key, kFalse, nullptr, 0, CurrentTime);
    });
  });
  XISetFocus(link_.x(), keyboard_, kNone, CurrentTime);
  XkbLockModifiers(link_.x(), static_cast<unsigned>(keyboard_), 0xff, 0);
  link_.sync();
}

std::vector<int> Agent::keyboards() const {
  if (pointer_ == 0 || fake_keyboard_ == nullptr) return {};
  return {static_cast<int>(fake_keyboard_->device_id), keyboard_};
}

void Agent::leave_focus() {
  XID focus = kNone;
  if (pointer_ == 0 || link_.dead() || XIGetFocus(link_.x(), keyboard_, &focus) != kSuccess) return;
  if (focus == kNone) return;
  XWindowAttributes attributes{};
  if (focus != PointerRoot && XGetWindowAttributes(link_.x(), focus, &attributes) != 0 &&
      attributes.override_redirect != 0)
    return;
  XISetFocus(link_.x(), keyboard_, kNone, CurrentTime);
}

void Agent::park() {
  const DevicePoint place = free_place(link_);
  XIWarpPointer(link_.x(), pointer_, kNone, link_.root(), 0, 0, 0, 0, place.x, place.y);
}

}  // namespace deskmark::x11_input
