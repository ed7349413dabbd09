// The writing edge for pointer and keyboard, as execute sees it. The implementation lives in input/x11/; nothing here
// names a display server.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "input/keys.hpp"
#include "perception/deadline.hpp"
#include "perception/model/window.hpp"
#include "schema/request.hpp"

namespace deskmark {

/// How much of what was asked reached the display server. Input is never sent twice: anything but Nothing forbids
/// another attempt.
enum class Sent : std::uint8_t { Nothing, Part, All, Unknown };

struct Delivered {
  Sent sent = Sent::Nothing;
  std::string route;  ///< contract: background_pointer, background_keys, foreground_input, clipboard
  std::string code;   ///< contract code when something is missing: background_unavailable, untypable_text, window_gone,
                      ///< timeout…; empty: none
  std::string message;  ///< one sentence with what to do
  int completed = 0;    ///< steps done, of `total`
  int total = 0;
};

/// Pointer path and pacing. Defaults hold a press long enough for programs that poll (trycua/cua#3708).
struct Pacing {
  std::chrono::milliseconds hold{60};            ///< button or key down to up
  std::chrono::milliseconds between_clicks{80};  ///< of a double click
  int motion_steps = 12;                         ///< of a drag
  bool human_like = false;                       ///< eased path with jitter
  std::chrono::milliseconds key_delay{0};
};

struct PointerPlace {
  Window window;   ///< the native window that must receive it
  DevicePoint at;  ///< device pixels on the screen
};

class InputSink {
 public:
  virtual ~InputSink() = default;

  /// True when `place` is uncovered: the topmost window at the point is `place.window` (or a child of its frame's
  /// client).
  virtual bool reachable(const PointerPlace& place, const Deadline& deadline) = 0;

  // In the background the user's pointer, focus, active window and stacking are as before when these return; where that
  // cannot be had they answer background_unavailable with Sent::Nothing. In the foreground the window is fronted, acted
  // on, and focus, stacking and pointer are put back unless `keep_front`.
  virtual Delivered click(const PointerPlace& place, Button button, int count, const std::vector<Modifier>& held,
                          Delivery delivery, bool keep_front, const Pacing& pacing, const Deadline& deadline) = 0;
  virtual Delivered drag(const PointerPlace& from, const PointerPlace& to, Button button,
                         const std::vector<Modifier>& held, Delivery delivery, bool keep_front, const Pacing& pacing,
                         const Deadline& deadline) = 0;
  virtual Delivered scroll(const PointerPlace& place, Direction direction, int ticks, const std::vector<Modifier>& held,
                           Delivery delivery, bool keep_front, const Pacing& pacing, const Deadline& deadline) = 0;

  /// Presses one combination in `window`, which keeps or gets the keyboard focus of the agent's own keyboard only.
  virtual Delivered press(const Window& window, const KeyCombo& combo, Delivery delivery, bool keep_front,
                          const Pacing& pacing, const Deadline& deadline) = 0;
  /// Types `text` (UTF-8, already validated) exactly; newline and tab are key presses. Everything is checked to be
  /// typable before the first key: untypable_text with Sent::Nothing else. `allow_clipboard`: last resort by paste,
  /// with the clipboard put back.
  virtual Delivered type(const Window& window, const std::string& text, Delivery delivery, bool keep_front,
                         bool allow_clipboard, const Pacing& pacing, const Deadline& deadline) = 0;

  /// Activates (and with `raise` raises) a window for good.
  virtual Delivered activate(const Window& window, bool raise, const Deadline& deadline) = 0;
};

}  // namespace deskmark
