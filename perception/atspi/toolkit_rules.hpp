// What each toolkit does differently, in one place and without D-Bus: which coordinates it reports and how they become
// device pixels, how its states, names and actions are brought to common terms. Every rule names what was observed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "perception/atspi/wire.hpp"
#include "perception/model/accessible.hpp"
#include "perception/model/window.hpp"

namespace deskmark::atspi {

/// Application.ToolkitName and Version to our enum.
[[nodiscard]] Toolkit toolkit_from(std::string_view name, std::string_view version);

enum class Coordinates : std::uint32_t { Screen = 0, Window = 1 };  ///< AtspiCoordType
/// GTK 4 knows no screen coordinates (answers window ones, or zeros); everybody else's screen coordinates are right on
/// X11.
[[nodiscard]] Coordinates coordinates_of(Toolkit toolkit);
/// Extents position says where the window is (not GTK 4, whose toplevels are all at 0,0).
[[nodiscard]] bool reports_position(Toolkit toolkit);

/// A rectangle that cannot be a place: sentinel positions (INT_MIN), negative or absurd sizes. An empty one is usable
/// as "no size", which containers have.
[[nodiscard]] bool usable(const RawRect& r);

/// Logical pixels of one native window to device pixels: device = origin + (logical - base) * scale.
struct FrameMap {
  double base_x = 0;
  double base_y = 0;
  int origin_x = 0;
  int origin_y = 0;
  double scale = 1;
  [[nodiscard]] DeviceRect map(const RawRect& r) const;
};

/// Device pixels per logical pixel, told by the size of a toplevel accessible against its native window; nothing when
/// the sizes do not belong together.
[[nodiscard]] std::optional<double> scale_from_sizes(Toolkit toolkit, const RawRect& toplevel, const Window& window);

/// How extents below `toplevel` map onto the native window it is drawn on.
[[nodiscard]] FrameMap frame_map(Toolkit toolkit, const RawRect& toplevel, const Window& window, double scale);
/// The same for a popup window of the same program that has no toplevel of its own (menus, combo lists).
[[nodiscard]] FrameMap popup_map(Toolkit toolkit, const Window& popup, double scale);
/// GTK 4: a popover is its own native window, but its extents are counted from its parent widget.
[[nodiscard]] FrameMap popover_map(const RawRect& parent, const Window& popup, double scale);

/// Chromium: a page counts in device pixels also where the browser around it counts in logical ones. `outer` is the map
/// of the object `around` the page that has its place and size.
[[nodiscard]] FrameMap page_map(const FrameMap& outer, const RawRect& around, const RawRect& page);

/// States in common terms: ENABLED, SHOWING and VISIBLE can be relied on afterwards.
[[nodiscard]] StateSet normalise_states(Toolkit toolkit, StateSet raw, bool has_size, bool parent_showing);

/// GTK 4: drawn on a native window of its own (popover by its layer; tooltips say widget layer and are told by what
/// they are).
[[nodiscard]] bool own_surface(Role role, std::string_view raw_name, std::uint32_t layer);

/// GTK 3 judges a viewport by its own scroll position, as if it were its own content: scrolled far enough it reports
/// neither SHOWING nor a position (GtkWidgetAccessible looks for the nearest viewport and finds itself). What it holds
/// is shown all the same.
[[nodiscard]] bool loses_showing(Toolkit toolkit, Role parent, StateSet states);

/// Names a toolkit makes up are removed (GTK 4 before 4.10 falls back to the class name, "GtkEntry").
[[nodiscard]] std::string clean_name(Toolkit toolkit, Role role, std::string name);

/// GTK 4.8 names a control by its label property and its content, one after the other, mnemonic mark included: "_Open
/// Open",
/// "% %", "Page _1". `label` is the text of a label within it; the result is that text where the name says just this.
[[nodiscard]] std::string undouble_name(const std::string& name, const std::string& label);

/// "showMenu", "Show Menu", "SHOW_MENU" to "show-menu"; dots (GTK 4's namespaced actions) stay.
[[nodiscard]] std::string normalise_action(std::string_view action);

/// Text of this object must never be asked for.
[[nodiscard]] bool is_secret(Role role, std::string_view raw_name);

}  // namespace deskmark::atspi
