#include "perception/atspi/toolkit_rules.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>

namespace deskmark::atspi {
namespace {

constexpr int kFar = 1 << 20;  // no screen is that large; beyond it a coordinate is a sentinel

bool starts_with(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool upper_case(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool lower_or_digit(char c) {
  return std::islower(static_cast<unsigned char>(c)) != 0 || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

int rounded(double v) { return static_cast<int>(std::lround(std::clamp(v, -2.0e9, 2.0e9))); }

/// How far `logical * scale` is from `device`, in device pixels, in each direction; negative: logical is smaller.
struct Fit {
  double w;
  double h;
};
Fit fit(const RawRect& logical, int w, int h, double scale) { return {logical.w * scale - w, logical.h * scale - h}; }

}  // namespace

Toolkit toolkit_from(std::string_view name, std::string_view version) {
  const std::string n = lower(name);
  const bool four = starts_with(version, "4");
  if (n == "gtk" || n == "gtk4") return four || n == "gtk4" ? Toolkit::Gtk4 : Toolkit::Gtk3;
  if (n == "gail") return Toolkit::Gtk3;  // GTK 2 and early 3: same rules
  if (n == "qt") return starts_with(version, "5") || starts_with(version, "4") ? Toolkit::Qt5 : Toolkit::Qt6;
  if (n == "chromium") return Toolkit::Chromium;
  if (n == "gecko") return Toolkit::Firefox;
  if (n == "vcl" || n == "libreoffice") return Toolkit::LibreOffice;
  if (starts_with(n, "webkit")) return Toolkit::WebKit;
  if (n.find("java") != std::string::npos || n == "j2se-access-bridge") return Toolkit::Java;
  return n.empty() ? Toolkit::Unknown : Toolkit::Other;
}

Coordinates coordinates_of(Toolkit toolkit) {
  return toolkit == Toolkit::Gtk4 ? Coordinates::Window : Coordinates::Screen;
}

bool reports_position(Toolkit toolkit) { return toolkit != Toolkit::Gtk4; }

bool usable(const RawRect& r) {
  return std::abs(static_cast<long>(r.x)) < kFar && std::abs(static_cast<long>(r.y)) < kFar && r.w >= 0 && r.h >= 0;
}

DeviceRect FrameMap::map(const RawRect& r) const {
  // Edges are mapped, not sizes, so that neighbours keep touching at any scale.
  const auto edge_x = [this](double v) { return rounded(origin_x + (v - base_x) * scale); };
  const auto edge_y = [this](double v) { return rounded(origin_y + (v - base_y) * scale); };
  const int x = edge_x(r.x);
  const int y = edge_y(r.y);
  return {x, y, edge_x(static_cast<double>(r.x) + r.w) - x, edge_y(static_cast<double>(r.y) + r.h) - y};
}

std::optional<double> scale_from_sizes(Toolkit toolkit, const RawRect& toplevel, const Window& window) {
  if (!usable(toplevel) || toplevel.w <= 0 || toplevel.h <= 0 || window.bounds.empty()) return std::nullopt;
  const DeviceRect surface = window.surface.empty() ? window.bounds : window.surface;
  // GTK 3 reports the window manager's frame around the client area, GTK 4 the window without its resize border and
  // shadow; the others report the client area or the whole surface.
  const bool frame = toolkit == Toolkit::Gtk3 || toolkit == Toolkit::Unknown || toolkit == Toolkit::Other ||
                     toolkit == Toolkit::Java || toolkit == Toolkit::Firefox || toolkit == Toolkit::LibreOffice ||
                     toolkit == Toolkit::WebKit;
  constexpr double kDecoration = 80;  // device pixels a frame may add in one direction at scale 1
  constexpr double kBorder = 24;      // device pixels an undrawn border may take
  const auto plausible = [&](double s) {
    for (const DeviceRect& r : {window.bounds, surface}) {
      const Fit f = fit(toplevel, r.w, r.h, s);
      const double more = frame ? kDecoration * std::max(1.0, s) : 2 * s;
      const double less = toolkit == Toolkit::Gtk4 ? kBorder * std::max(1.0, s) : 2 * s;
      if (f.w <= more && f.w >= -less && f.h <= more && f.h >= -less) return true;
    }
    return false;
  };
  // Whole factors first: a GTK program has no other, and 1 wins whenever it explains the sizes.
  for (const double s : {1.0, 2.0, 3.0, 4.0}) {
    if (plausible(s)) return s;
  }
  if (toolkit == Toolkit::Gtk3) return std::nullopt;
  const double sx = static_cast<double>(window.bounds.w) / toplevel.w;
  const double sy = static_cast<double>(window.bounds.h) / toplevel.h;
  if (sx < 0.5 || sx > 5 || std::abs(sx - sy) > 0.02 * sx + 2.0 / std::min(toplevel.w, toplevel.h)) return std::nullopt;
  // Factors people set are multiples of an eighth; the exact one keeps far edges from drifting.
  const double mean = (sx + sy) / 2;
  const double neat = std::round(mean * 8) / 8;
  return std::abs(neat - mean) < 0.01 * mean ? neat : mean;
}

FrameMap frame_map(Toolkit toolkit, const RawRect& toplevel, const Window& window, double scale) {
  const DeviceRect surface = window.surface.empty() ? window.bounds : window.surface;
  FrameMap m;
  m.scale = scale;
  if (toolkit == Toolkit::Gtk4) {
    // Coordinates start at the content of the window widget, which lies centred in the native window less its shadow
    // (without a compositor there is no shadow but a resize border of some pixels all round).
    m.origin_x = rounded(window.bounds.x + (window.bounds.w - toplevel.w * scale) / 2);
    m.origin_y = rounded(window.bounds.y + (window.bounds.h - toplevel.h * scale) / 2);
    return m;
  }
  const bool client_sized = [&] {
    for (const DeviceRect& r : {surface, window.bounds}) {
      const Fit f = fit(toplevel, r.w, r.h, scale);
      if (std::abs(f.w) <= 2 * scale && std::abs(f.h) <= 2 * scale) return true;
    }
    return false;
  }();
  if (toolkit != Toolkit::Gtk3 && client_sized && usable(toplevel)) {
    // The toplevel is the client area (Qt) or the surface with its own frame (Chromium): lay it on that.
    const Fit f = fit(toplevel, surface.w, surface.h, scale);
    const DeviceRect& on = std::abs(f.w) <= 2 * scale && std::abs(f.h) <= 2 * scale ? surface : window.bounds;
    m.base_x = toplevel.x;
    m.base_y = toplevel.y;
    m.origin_x = on.x;
    m.origin_y = on.y;
    // At scale 1 screen coordinates are the screen's; a difference this large would be a window that moved meanwhile,
    // or a program that counts from elsewhere: both are right after the shift.
    return m;
  }
  return popup_map(toolkit, window, scale);
}

FrameMap popup_map(Toolkit toolkit, const Window& popup, double scale) {
  const DeviceRect surface = popup.surface.empty() ? popup.bounds : popup.surface;
  FrameMap m;
  m.scale = scale;
  m.origin_x = surface.x;
  m.origin_y = surface.y;
  // GDK divides the native window's origin by its integer scale and drops the rest; Qt rounds.
  const bool truncates = toolkit == Toolkit::Gtk3;
  m.base_x = truncates ? std::trunc(surface.x / scale) : std::round(surface.x / scale);
  m.base_y = truncates ? std::trunc(surface.y / scale) : std::round(surface.y / scale);
  return m;
}

FrameMap popover_map(const RawRect& parent, const Window& popup, double scale) {
  const DeviceRect surface = popup.surface.empty() ? popup.bounds : popup.surface;
  FrameMap m;
  m.scale = scale;
  m.base_x = parent.x;
  m.base_y = parent.y;
  m.origin_x = surface.x;
  m.origin_y = surface.y;
  return m;
}

FrameMap page_map(const FrameMap& outer, const RawRect& around, const RawRect& page) {
  const auto same = [](double a, double b) { return std::abs(a - b) <= 3 + 0.01 * b; };
  if (outer.scale == 1 || !usable(around) || !usable(page) || !same(page.w, around.w * outer.scale) ||
      !same(page.h, around.h * outer.scale)) {
    return outer;
  }
  const DeviceRect place = outer.map(around);
  FrameMap m;
  m.base_x = page.x;
  m.base_y = page.y;
  m.origin_x = place.x;
  m.origin_y = place.y;
  return m;
}

bool loses_showing(Toolkit toolkit, Role parent, StateSet states) {
  return toolkit == Toolkit::Gtk3 && parent == Role::ScrollPane && states.has(State::Visible) &&
         !states.has(State::Showing) && !states.has(State::Defunct);
}

StateSet normalise_states(Toolkit toolkit, StateSet raw, bool has_size, bool parent_showing) {
  if (toolkit != Toolkit::Gtk4) return raw;
  // GTK 4: VISIBLE on everything, SHOWING on toplevels only, ENABLED never. A widget that is not mapped (another page
  // of a stack, a closed popover) has no size.
  StateSet s = raw;
  s.set(State::Enabled, raw.has(State::Sensitive));
  const bool showing = has_size && parent_showing;
  s.set(State::Showing, showing);
  s.set(State::Visible, showing || raw.has(State::Visible));
  return s;
}

namespace {

/// "EditorSourceView": letters and digits, a capital first and another one within.
bool camel_case(std::string_view name) {
  if (name.empty() || !upper_case(name[0])) return false;
  if (!std::all_of(name.begin(), name.end(), [](char c) { return upper_case(c) || lower_or_digit(c); })) return false;
  const auto second = std::find_if(name.begin() + 1, name.end(), lower_or_digit);
  return std::any_of(second, name.end(), upper_case);
}

template <std::size_t N>
bool any_end(std::string_view name, const std::array<std::string_view, N>& ends) {
  return std::any_of(ends.begin(), ends.end(), [&](std::string_view e) {
    return name.size() > e.size() && name.substr(name.size() - e.size()) == e;
  });
}

}  // namespace

std::string clean_name(Toolkit toolkit, Role role, std::string name) {
  if (toolkit != Toolkit::Gtk4 || role == Role::Label || !camel_case(name)) return name;
  static constexpr std::array<std::string_view, 8> prefixes = {"Gtk", "Adw", "Gdk",    "Gsk",
                                                               "Hdy", "Vte", "WebKit", "Panel"};
  for (const std::string_view prefix : prefixes) {
    if (starts_with(name, prefix) && name.size() > prefix.size() && upper_case(name[prefix.size()])) return {};
  }
  // Programs derive classes of their own; those are called after what they are.
  static constexpr std::array<std::string_view, 32> widgets = {
      "View",    "Entry",    "Box",     "Bar",    "Area",    "Widget",   "Row",      "Button",
      "Image",   "Window",   "Stack",   "Page",   "List",    "Grid",     "Revealer", "Scale",
      "Range",   "Gizmo",    "Overlay", "Dialog", "Popover", "Bin",      "Paned",    "Switcher",
      "Sidebar", "Viewport", "Frame",   "Canvas", "Tab",     "Scroller", "Display",  "Container"};
  if (any_end(name, widgets)) return {};
  return name;
}

bool own_surface(Role role, std::string_view raw_name, std::uint32_t layer) {
  constexpr std::uint32_t kPopupLayer = 5;  // ATSPI_LAYER_POPUP
  return layer == kPopupLayer || role == Role::ToolTip || raw_name == "GtkTooltipWindow";
}

std::string undouble_name(const std::string& name, const std::string& label) {
  if (label.empty() || name == label) return name;
  const auto unmarked = [](std::string text) {
    if (const auto mark = text.find('_'); mark != std::string::npos) text.erase(mark, 1);
    return text;
  };
  if (unmarked(name) == label) return label;
  const std::size_t tail = label.size() + 1;
  if (name.size() > tail && name[name.size() - tail] == ' ' &&
      name.compare(name.size() - label.size(), tail, label) == 0 &&
      unmarked(name.substr(0, name.size() - tail)) == label) {
    return label;
  }
  return name;
}

std::string normalise_action(std::string_view action) {
  std::string out;
  for (std::size_t i = 0; i < action.size(); ++i) {
    const char c = action[i];
    if (c == ' ' || c == '_' || c == '-') {
      if (!out.empty() && out.back() != '-') out += '-';
      continue;
    }
    if (upper_case(c) && i > 0 && lower_or_digit(action[i - 1]) && !out.empty() && out.back() != '-') out += '-';
    out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out;
}

bool is_secret(Role role, std::string_view raw_name) {
  return role == Role::PasswordText || raw_name == "GtkPasswordEntry";
}

}  // namespace deskmark::atspi
