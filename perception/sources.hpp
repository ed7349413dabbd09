// The reading edge as the engine sees it. Implementations: x11/ (X11), atspi/ (AT-SPI over D-Bus), fixture/ (replay).
// A second display server joins by implementing these; nothing above them names one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "perception/deadline.hpp"
#include "perception/model/observation.hpp"

namespace deskmark {

/// Why an edge could not serve at all; `code` is a contract code (schema/codes.hpp spells them).
struct EdgeError {
  std::string code;     ///< e.g. display_unavailable, wayland_session, window_gone, window_minimized, timeout
  std::string message;  ///< one sentence with the remedy
};

template <class T>
struct Reading {
  std::optional<T> value;
  EdgeError error;  ///< meaningful when value is empty
  std::vector<Warning> warnings;
  explicit operator bool() const { return value.has_value(); }
};

struct WindowList {
  DeviceRect screen;                ///< bounding box of the X screen
  std::vector<DeviceRect> outputs;  ///< RandR monitors
  std::vector<Window> windows;      ///< frontmost first; popups included, with their owner
  std::vector<Window> excluded;     ///< of applications that may not be seen or touched: for occlusion only
  bool window_manager = true;       ///< an EWMH window manager runs
};

/// What a picture shows where none of its windows is: a neutral dark grey.
inline constexpr std::uint32_t kGapColour = 0x202020;

struct Grab {
  SharedImage pixels;               ///< area.w x area.h; gaps in kGapColour
  std::vector<DeviceRect> grabbed;  ///< per asked window: where pixels were obtained (empty: none)
};

/// Windows and their pixels. Thread-safe: calls are carried out by the one thread that owns the connection.
class ScreenSource {
 public:
  virtual ~ScreenSource() = default;
  virtual Reading<WindowList> windows(const Deadline& deadline) = 0;
  /// Composes `windows` (bottom to top, each whole, also where others cover it or the screen ends) into a picture of
  /// `area`, where they are now: without decorations and client-side shadow, translucent parts laid over what is below
  /// in the picture. A window that vanished or is unmapped has an empty `grabbed` and a warning window_gone or
  /// window_minimized; when that is true of all, it is the error. Warns stale_pixels when a window has not drawn itself
  /// since it was covered.
  virtual Reading<Grab> grab(const std::vector<Window>& windows, const DeviceRect& area, const Deadline& deadline) = 0;
  /// Per window a number that is larger after each change of its pixels, size or place; 0 where that is not known. Ask
  /// before you grab: while the answer stays the same, that picture is still right. Costs one or two round trips.
  virtual Reading<std::vector<std::uint64_t>> generations(const std::vector<Window>& windows,
                                                          const Deadline& deadline) {
    (void)deadline;
    return {std::vector<std::uint64_t>(windows.size(), 0), {}, {}};
  }
  /// The composited screen as a person sees it, without the pointer; kGapColour beyond its edges.
  virtual Reading<Grab> grab_screen(const DeviceRect& area, const Deadline& deadline) = 0;
};

/// An application on the accessibility bus.
struct AccessibleApp {
  std::string name;
  std::string bus;
  int pid = 0;
  Toolkit toolkit = Toolkit::Unknown;
  std::string toolkit_version;
  int windows = 0;  ///< toplevel accessibles it lists
  bool responsive = true;
};

struct TreeRequest {
  /// The native windows whose content is wanted, bottom to top; the first of the owner chain is the target.
  std::vector<Window> windows;
  DeviceRect area;         ///< nothing outside needs reading (device pixels)
  bool want_text = true;   ///< read Text contents of what is visible
  int node_limit = 20000;  ///< budget: nodes read at most
};

struct TreeReading {
  std::vector<Accessible> nodes;  ///< preorder, extents in device pixels
  std::vector<int> roots;         ///< per requested window: index of its toplevel accessible, -1: none
  std::string app;                ///< accessible name of the application
  Toolkit toolkit = Toolkit::Unknown;
  TreeStatus status = TreeStatus::None;
  bool complete = true;
  std::vector<Warning> warnings;
};

/// Accessible applications and trees. Thread-safe as above.
class AccessibleSource {
 public:
  virtual ~AccessibleSource() = default;
  virtual Reading<std::vector<AccessibleApp>> applications(const Deadline& deadline) = 0;
  /// Never throws and never hangs: an app that does not answer costs its budget, once, and is named in a warning.
  virtual TreeReading tree(const TreeRequest& request, const Deadline& deadline) = 0;
};

/// Text from pixels (OCR): a reading like the others, budgeted here.
class TextSource {
 public:
  virtual ~TextSource() = default;
  /// Reads `areas` of `pixels` (areas and result relative to the picture's top-left in picture pixels == unscaled
  /// device pixels minus the picture's origin; the caller translates).
  virtual Reading<std::vector<TextLine>> read(const Image& pixels, const std::vector<PictureRect>& areas,
                                              const Deadline& deadline) = 0;
};

}  // namespace deskmark
