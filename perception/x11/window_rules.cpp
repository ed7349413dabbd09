#include "perception/x11/window_rules.hpp"

#include <algorithm>

namespace deskmark::x11 {

WindowType choose_type(const std::vector<WindowType>& listed, bool override_redirect, bool transient,
                       const DeviceRect& bounds, const DeviceRect& screen) {
  for (const WindowType type : listed) {
    // Toolkits append NORMAL to popups as the type of last resort.
    if (type != WindowType::Unknown && !(override_redirect && type == WindowType::Normal)) return type;
  }
  if (!override_redirect) return transient ? WindowType::Dialog : WindowType::Normal;
  const bool most_of_screen = intersect(bounds, screen).area() * 10 >= screen.area() * 6;
  return most_of_screen ? WindowType::Unknown : WindowType::PopupMenu;
}

bool is_popup(const Window& window) {
  switch (window.type) {
    case WindowType::Menu:
    case WindowType::DropdownMenu:
    case WindowType::PopupMenu:
    case WindowType::Combo:
    case WindowType::Tooltip: return true;
    case WindowType::Notification:
    case WindowType::Dock:
    case WindowType::Desktop:
    case WindowType::Unknown:
    case WindowType::Dnd: return false;
    default: return window.override_redirect;
  }
}

namespace {

bool can_own(const Window& window) {
  if (is_popup(window)) return false;
  switch (window.type) {
    case WindowType::Notification:
    case WindowType::Dnd:
    case WindowType::Unknown: return false;
    default: return true;
  }
}

/// How closely `a` and `b` belong together, 0: not at all.
int kinship(const Window& a, const Ties& ta, const Window& b, const Ties& tb) {
  const auto same = [](std::uint32_t x, std::uint32_t y) { return x != 0 && x == y; };
  if (same(ta.leader, tb.leader) || same(ta.group, tb.group) || same(ta.group, b.id) || same(ta.leader, b.id)) return 3;
  if (same(ta.maker, tb.maker)) return 2;
  return a.pid && b.pid && *a.pid == *b.pid ? 1 : 0;
}

std::uint32_t nearest_kin(const std::vector<Window>& windows, const std::vector<Ties>& ties, std::size_t of) {
  struct Score {
    bool visible;
    int kin;
    bool focused;
    auto operator<=>(const Score&) const = default;
  };
  std::optional<Score> best;
  std::uint32_t owner = 0;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const Window& other = windows[i];
    if (i == of || !can_own(other)) continue;
    const int kin = kinship(windows[of], ties[of], other, ties[i]);
    if (kin == 0) continue;
    const Score score{!other.minimized && !other.off_screen, kin, other.focused};
    if (!best || score > *best) {  // the list is frontmost first: the first of equals is the topmost
      best = score;
      owner = other.id;
    }
  }
  return owner;
}

}  // namespace

void assign_owners(std::vector<Window>& windows, const std::vector<Ties>& ties) {
  const auto find = [&](std::uint32_t id) {
    return std::find_if(windows.begin(), windows.end(), [&](const Window& w) { return w.id == id; });
  };
  for (std::size_t i = 0; i < windows.size(); ++i) {
    Window& window = windows[i];
    window.owner = 0;
    const bool named = ties[i].transient_for != 0 && ties[i].transient_for != window.id;
    if (named && find(ties[i].transient_for) != windows.end()) {
      window.owner = ties[i].transient_for;
    } else if (is_popup(window) || ties[i].says_transient || window.modal) {
      window.owner = nearest_kin(windows, ties, i);
    }
  }
  // A chain of owners that comes back to itself is cut where it closes.
  for (Window& window : windows) {
    std::size_t steps = 0;
    for (std::uint32_t at = window.owner; at != 0 && steps <= windows.size(); ++steps) {
      if (at == window.id) {
        window.owner = 0;
        break;
      }
      const auto next = find(at);
      at = next == windows.end() ? 0 : next->owner;
    }
  }
}

std::optional<int> choose_pid(const ProcessClues& clues) {
  const auto& [said, connected, machine_is_this, connected_elsewhere] = clues;
  if (said && connected && *said == *connected) return said;
  if (connected) {
    // What the server saw connect beats what the program says (it may count in a namespace of its own), unless the
    // window comes from another machine: then the connection is that of the forwarder.
    if (machine_is_this || connected_elsewhere) return connected;
    return std::nullopt;
  }
  return machine_is_this ? said : std::nullopt;
}

bool names_this_machine(std::string_view machine, std::string_view self) {
  const auto host = [](std::string_view name) { return name.substr(0, name.find('.')); };
  return machine.empty() || host(machine) == "localhost" || host(machine) == host(self);
}

DeviceRect without_shadow(const DeviceRect& surface, const std::vector<std::uint32_t>& extents) {
  if (extents.size() < 4) return surface;
  constexpr std::uint32_t kMost = 1000;  // pixels; a shadow wider than that is no shadow
  for (std::size_t i = 0; i < 4; ++i) {
    if (extents[i] > kMost) return surface;
  }
  const auto edge = [&](std::size_t i) { return static_cast<int>(extents[i]); };
  const DeviceRect inner{surface.x + edge(0), surface.y + edge(2), surface.w - edge(0) - edge(1),
                         surface.h - edge(2) - edge(3)};
  return inner.empty() ? surface : inner;
}

std::string desktop_id_of_file(std::string_view path) {
  path = path.substr(path.rfind('/') + 1);  // npos + 1 == 0
  constexpr std::string_view kEnding = ".desktop";
  if (path.ends_with(kEnding)) path.remove_suffix(kEnding.size());
  return std::string{path};
}

}  // namespace deskmark::x11
