// A tiny X client whose windows have known pixels.
#pragma once

#include <xcb/composite.h>
#include <xcb/shape.h>
#include <xcb/xcb.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

#include "perception/model/geometry.hpp"

namespace deskmark::test {

struct WindowSpec {
  DeviceRect rect{50, 50, 200, 150};
  std::optional<std::uint32_t> background = 0x808080;  ///< the server paints it by itself; none: nothing is painted
  bool override_redirect = false;
  bool input_only = false;
  bool argb = false;
  std::uint16_t border = 0;
};

class Painter {
 public:
  explicit Painter(const std::string& display) : c_(xcb_connect(display.c_str(), nullptr)) {
    if (!xcb_connection_has_error(c_)) screen_ = xcb_setup_roots_iterator(xcb_get_setup(c_)).data;
  }
  ~Painter() { xcb_disconnect(c_); }
  Painter(const Painter&) = delete;
  Painter& operator=(const Painter&) = delete;

  [[nodiscard]] xcb_connection_t* xcb() const { return c_; }
  [[nodiscard]] xcb_window_t root() const { return screen_->root; }
  /// All that was sent has been carried out.
  void sync() { std::free(xcb_get_input_focus_reply(c_, xcb_get_input_focus(c_), nullptr)); }

  /// A window as specified, not mapped yet.
  xcb_window_t create(const WindowSpec& spec) {
    const xcb_window_t id = xcb_generate_id(c_);
    std::uint32_t mask = XCB_CW_OVERRIDE_REDIRECT;
    std::uint32_t values[5];
    int n = 0;
    if (!spec.input_only) {
      if (spec.background) {
        mask |= XCB_CW_BACK_PIXEL;
        values[n++] = *spec.background;
      }
      mask |= XCB_CW_BORDER_PIXEL;
      values[n++] = 0;
    }
    values[n++] = spec.override_redirect;
    std::uint8_t depth = XCB_COPY_FROM_PARENT;
    xcb_visualid_t visual = spec.input_only ? XCB_COPY_FROM_PARENT : screen_->root_visual;
    if (spec.argb) {
      depth = 32;
      visual = visual_of_depth(32);
      const xcb_colormap_t map = xcb_generate_id(c_);
      xcb_create_colormap(c_, XCB_COLORMAP_ALLOC_NONE, map, root(), visual);
      mask |= XCB_CW_COLORMAP;
      values[n++] = map;
    }
    xcb_create_window(
        c_, depth, id, root(), static_cast<std::int16_t>(spec.rect.x), static_cast<std::int16_t>(spec.rect.y),
        static_cast<std::uint16_t>(spec.rect.w), static_cast<std::uint16_t>(spec.rect.h), spec.border,
        spec.input_only ? XCB_WINDOW_CLASS_INPUT_ONLY : XCB_WINDOW_CLASS_INPUT_OUTPUT, visual, mask, values);
    return id;
  }
  xcb_window_t show(const WindowSpec& spec) {
    const xcb_window_t id = create(spec);
    map(id);
    return id;
  }
  void map(xcb_window_t id) {
    xcb_map_window(c_, id);
    sync();
  }
  void unmap(xcb_window_t id) {
    xcb_unmap_window(c_, id);
    sync();
  }
  void destroy(xcb_window_t id) {
    xcb_destroy_window(c_, id);
    sync();
  }
  void place(xcb_window_t id, const DeviceRect& rect) {
    const std::uint32_t values[] = {static_cast<std::uint32_t>(rect.x), static_cast<std::uint32_t>(rect.y),
                                    static_cast<std::uint32_t>(rect.w), static_cast<std::uint32_t>(rect.h)};
    xcb_configure_window(
        c_, id, XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y | XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT, values);
    sync();
  }
  void raise(xcb_window_t id) {
    const std::uint32_t above = XCB_STACK_MODE_ABOVE;
    xcb_configure_window(c_, id, XCB_CONFIG_WINDOW_STACK_MODE, &above);
    sync();
  }
  /// Fills `part` of the window (its own coordinates) with a pixel value.
  void fill(xcb_window_t id, const DeviceRect& part, std::uint32_t pixel) {
    const xcb_gcontext_t gc = xcb_generate_id(c_);
    xcb_create_gc(c_, gc, id, XCB_GC_FOREGROUND, &pixel);
    const xcb_rectangle_t rect{static_cast<std::int16_t>(part.x), static_cast<std::int16_t>(part.y),
                               static_cast<std::uint16_t>(part.w), static_cast<std::uint16_t>(part.h)};
    xcb_poly_fill_rectangle(c_, id, gc, 1, &rect);
    xcb_free_gc(c_, gc);
    sync();
  }
  void shape(xcb_window_t id, const DeviceRect& part) {
    const xcb_rectangle_t rect{static_cast<std::int16_t>(part.x), static_cast<std::int16_t>(part.y),
                               static_cast<std::uint16_t>(part.w), static_cast<std::uint16_t>(part.h)};
    xcb_shape_rectangles(c_, XCB_SHAPE_SO_SET, XCB_SHAPE_SK_BOUNDING, 0, id, 0, 0, 1, &rect);
    sync();
  }

  xcb_atom_t atom(const char* name) {
    const auto asked = xcb_intern_atom(c_, 0, static_cast<std::uint16_t>(std::strlen(name)), name);
    xcb_intern_atom_reply_t* reply = xcb_intern_atom_reply(c_, asked, nullptr);
    const xcb_atom_t atom = reply != nullptr ? reply->atom : 0;
    std::free(reply);
    return atom;
  }
  void set_words(xcb_window_t id, const char* name, const char* type, std::initializer_list<std::uint32_t> words) {
    xcb_change_property(c_, XCB_PROP_MODE_REPLACE, id, atom(name), atom(type), 32,
                        static_cast<std::uint32_t>(words.size()), words.begin());
    sync();
  }
  void set_text(xcb_window_t id, const char* name, const char* type, const std::string& text) {
    xcb_change_property(c_, XCB_PROP_MODE_REPLACE, id, atom(name), atom(type), 8,
                        static_cast<std::uint32_t>(text.size()), text.data());
    sync();
  }
  /// A request to the window manager (EWMH client message).
  void ask_manager(xcb_window_t id, const char* what, std::initializer_list<std::uint32_t> words) {
    xcb_client_message_event_t event{};
    event.response_type = XCB_CLIENT_MESSAGE;
    event.format = 32;
    event.window = id;
    event.type = atom(what);
    std::size_t i = 0;
    for (const std::uint32_t word : words) event.data.data32[i++] = word;
    xcb_send_event(c_, 0, root(), XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY,
                   reinterpret_cast<const char*>(&event));
    sync();
  }
  [[nodiscard]] xcb_window_t focus() {
    xcb_get_input_focus_reply_t* reply = xcb_get_input_focus_reply(c_, xcb_get_input_focus(c_), nullptr);
    const xcb_window_t id = reply != nullptr ? reply->focus : 0;
    std::free(reply);
    return id;
  }

 private:
  [[nodiscard]] xcb_visualid_t visual_of_depth(int depth) const {
    for (auto it = xcb_screen_allowed_depths_iterator(screen_); it.rem > 0; xcb_depth_next(&it)) {
      if (it.data->depth == depth && xcb_depth_visuals_length(it.data) > 0)
        return xcb_depth_visuals(it.data)->visual_id;
    }
    return 0;
  }

  xcb_connection_t* c_;
  xcb_screen_t* screen_ = nullptr;
};

}  // namespace deskmark::test
