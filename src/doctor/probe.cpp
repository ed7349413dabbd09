#include "src/doctor/probe.hpp"

#include <poll.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

namespace deskmark::doctor {
namespace {

constexpr std::uint16_t kWidth = 420;
constexpr std::uint16_t kHeight = 260;

template <class T>
using Owned = std::unique_ptr<T, decltype(&std::free)>;

void set_text(xcb_connection_t* x, xcb_window_t window, xcb_atom_t property, std::string_view text) {
  xcb_change_property(x, XCB_PROP_MODE_REPLACE, window, property, XCB_ATOM_STRING, 8,
                      static_cast<std::uint32_t>(text.size()), text.data());
}

void set_pid(xcb_connection_t* x, xcb_window_t window) {
  constexpr std::string_view kName = "_NET_WM_PID";
  const Owned<xcb_intern_atom_reply_t> atom(
      xcb_intern_atom_reply(x, xcb_intern_atom(x, 0, kName.size(), kName.data()), nullptr), &std::free);
  if (!atom) return;
  const auto pid = static_cast<std::uint32_t>(::getpid());
  xcb_change_property(x, XCB_PROP_MODE_REPLACE, window, atom->atom, XCB_ATOM_CARDINAL, 32, 1, &pid);
}

/// The first or, with Shift, the second symbol of a key: asked each time, since whoever types may have just put it
/// there.
std::uint32_t keysym(xcb_connection_t* x, xcb_keycode_t key, bool shift) {
  const Owned<xcb_get_keyboard_mapping_reply_t> map(
      xcb_get_keyboard_mapping_reply(x, xcb_get_keyboard_mapping(x, key, 1), nullptr), &std::free);
  if (!map || map->keysyms_per_keycode == 0) return 0;
  const xcb_keysym_t* symbols = xcb_get_keyboard_mapping_keysyms(map.get());
  return shift && map->keysyms_per_keycode > 1 ? symbols[1] : symbols[0];
}

void tell(xcb_connection_t* x, const xcb_generic_event_t& event) {
  switch (event.response_type & 0x7f) {
    case XCB_BUTTON_PRESS: {
      xcb_button_press_event_t e{};
      std::memcpy(&e, &event, sizeof e);
      std::printf("button %u\n", e.detail);
      break;
    }
    case XCB_BUTTON_RELEASE: {
      xcb_button_press_event_t e{};
      std::memcpy(&e, &event, sizeof e);
      std::printf("release %u\n", e.detail);
      break;
    }
    case XCB_MOTION_NOTIFY: std::printf("motion\n"); break;
    case XCB_KEY_PRESS: {
      xcb_key_press_event_t e{};
      std::memcpy(&e, &event, sizeof e);
      std::printf("key %u\n", keysym(x, e.detail, (e.state & XCB_MOD_MASK_SHIFT) != 0));
      break;
    }
    default: return;
  }
  std::fflush(stdout);
}

}  // namespace

int run_probe() {
  int number = 0;
  xcb_connection_t* x = xcb_connect(nullptr, &number);
  if (xcb_connection_has_error(x) != 0) {
    xcb_disconnect(x);
    return 3;
  }
  xcb_screen_iterator_t screens = xcb_setup_roots_iterator(xcb_get_setup(x));
  for (int i = 0; i < number && screens.rem > 0; ++i) xcb_screen_next(&screens);
  const xcb_screen_t& screen = *screens.data;
  const xcb_window_t window = xcb_generate_id(x);
  const std::array<std::uint32_t, 2> values{kProbeColour, XCB_EVENT_MASK_BUTTON_PRESS | XCB_EVENT_MASK_BUTTON_RELEASE |
                                                              XCB_EVENT_MASK_BUTTON_MOTION | XCB_EVENT_MASK_KEY_PRESS |
                                                              XCB_EVENT_MASK_EXPOSURE};
  xcb_create_window(x, XCB_COPY_FROM_PARENT, window, screen.root, 60, 60, kWidth, kHeight, 0,
                    XCB_WINDOW_CLASS_INPUT_OUTPUT, screen.root_visual, XCB_CW_BACK_PIXEL | XCB_CW_EVENT_MASK,
                    values.data());
  set_text(x, window, XCB_ATOM_WM_NAME, "deskmark doctor");
  set_text(x, window, XCB_ATOM_WM_CLASS, std::string_view("deskmark-doctor\0Deskmark-doctor\0", 32));
  set_pid(x, window);
  xcb_map_window(x, window);
  xcb_flush(x);
  bool told = false;
  std::array<pollfd, 2> fds{{{xcb_get_file_descriptor(x), POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}}};
  while (xcb_connection_has_error(x) == 0) {
    for (xcb_generic_event_t* event = nullptr; (event = xcb_poll_for_event(x)) != nullptr;) {
      if ((event->response_type & 0x7f) == XCB_EXPOSE && !told) {
        told = true;
        std::printf("window %u\n", window);
        std::fflush(stdout);
      }
      tell(x, *event);
      std::free(event);
    }
    xcb_flush(x);
    if (::poll(fds.data(), fds.size(), -1) < 0) continue;
    if (fds[1].revents != 0) {
      std::array<char, 64> bytes{};
      if (::read(STDIN_FILENO, bytes.data(), bytes.size()) <= 0) break;
    }
  }
  xcb_disconnect(x);
  return 0;
}

}  // namespace deskmark::doctor
