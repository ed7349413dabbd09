#include "perception/atspi/window_match.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace deskmark::atspi {
namespace {

constexpr double kReject = 1e9;
constexpr double kLimit = 170;  // device pixels of disagreement a pair may have
constexpr double kMargin = 20;  // by so much the best pair must beat the next one for the same window

bool ordinary(Role role) {
  return role == Role::Frame || role == Role::Dialog || role == Role::Alert || role == Role::FileChooser ||
         role == Role::ColorChooser || role == Role::FontChooser || role == Role::InternalFrame;
}

/// How badly a native window and a toplevel accessible fit; kReject: not at all.
double cost(const Window& window, const Toplevel& top, bool strict, double* scale) {
  const auto s = scale_from_sizes(top.toolkit, top.extents, window);
  if (!s) return kReject;
  *scale = *s;
  const FrameMap map = frame_map(top.toolkit, top.extents, window, *s);
  const DeviceRect drawn = map.map(top.extents);
  // Sizes after the toolkit's rules; a decoration or border costs a little, another window's size a lot.
  double c = std::min(std::abs(drawn.w - window.bounds.w) + std::abs(drawn.h - window.bounds.h),
                      std::abs(drawn.w - window.surface.w) + std::abs(drawn.h - window.surface.h));
  if (reports_position(top.toolkit)) {
    const double x = top.extents.x * *s;
    const double y = top.extents.y * *s;
    const auto away = [&](const DeviceRect& r) { return std::abs(x - r.x) + std::abs(y - r.y); };
    c += std::min(away(window.bounds), window.surface.empty() ? kLimit : away(window.surface));
  }
  const bool same_title = !window.title.empty() && window.title == top.name;
  if (same_title) {
    c -= 100;
  } else if (!window.title.empty() && !top.name.empty()) {
    const bool part =
        window.title.find(top.name) != std::string::npos || top.name.find(window.title) != std::string::npos;
    c += part ? 0 : 60;
  }
  if (strict && !same_title) return kReject;
  if (is_popup(window) == ordinary(top.role)) c += 60;
  if (!window.override_redirect && window.focused != top.states.has(State::Active)) c += 30;
  return c <= kLimit ? c : kReject;
}

}  // namespace

bool is_popup(const Window& window) {
  switch (window.type) {
    case WindowType::Menu:
    case WindowType::DropdownMenu:
    case WindowType::PopupMenu:
    case WindowType::Combo:
    case WindowType::Tooltip: return true;
    default: return window.override_redirect;
  }
}

std::vector<Match> match_windows(const std::vector<Window>& windows, const std::vector<Toplevel>& toplevels,
                                 bool strict) {
  struct Pair {
    double cost;
    Match match;
  };
  std::vector<Pair> pairs;
  for (std::size_t w = 0; w < windows.size(); ++w) {
    for (std::size_t t = 0; t < toplevels.size(); ++t) {
      double scale = 1;
      const double c = cost(windows[w], toplevels[t], strict, &scale);
      if (c < kReject) pairs.push_back({c, {static_cast<int>(w), static_cast<int>(t), scale}});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.cost < b.cost; });
  std::vector<Match> matches;
  std::vector<bool> window_taken(windows.size());
  std::vector<bool> top_taken(toplevels.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Match& m = pairs[i].match;
    const auto w = static_cast<std::size_t>(m.window);
    const auto t = static_cast<std::size_t>(m.toplevel);
    if (window_taken[w] || top_taken[t]) continue;
    // Two toplevels that fit one window equally well: a guess would put one window's marks on another.
    const bool doubtful =
        std::any_of(pairs.begin() + static_cast<std::ptrdiff_t>(i) + 1, pairs.end(), [&](const Pair& p) {
          return p.match.window == m.window && !top_taken[static_cast<std::size_t>(p.match.toplevel)] &&
                 p.cost - pairs[i].cost < kMargin;
        });
    window_taken[w] = true;
    if (doubtful) continue;
    top_taken[t] = true;
    matches.push_back(m);
  }
  return matches;
}

int popup_under(const std::vector<Window>& windows, const DeviceRect& rect, Role role, Role parent) {
  if (rect.empty()) return -1;
  const bool menu_like = parent == Role::Menu || parent == Role::PopupMenu;
  const bool opens = menu_like || parent == Role::ComboBox || parent == Role::MenuItem || parent == Role::Application ||
                     parent == Role::PushButton || parent == Role::ToggleButton || parent == Role::PushButtonMenu ||
                     parent == Role::Entry || parent == Role::Text || parent == Role::Autocomplete ||
                     parent == Role::PageTabList || role == Role::PopupMenu || role == Role::Menu ||
                     role == Role::ToolTip || role == Role::Window || role == Role::Dialog || role == Role::Alert;
  if (!opens) return -1;
  int best = -1;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const Window& w = windows[i];
    if (!is_popup(w)) continue;
    const DeviceRect outer = (w.surface.empty() ? w.bounds : w.surface).inflated(2);
    if (!outer.contains(rect)) continue;
    // An item of a menu lies in the menu's window; anything else must be what fills the window.
    if (!menu_like && rect.area() * 2 < outer.area()) continue;
    if (best < 0 || outer.area() < windows[static_cast<std::size_t>(best)].bounds.area()) best = static_cast<int>(i);
  }
  return best;
}

}  // namespace deskmark::atspi
