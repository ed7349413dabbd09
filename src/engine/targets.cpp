#include "src/engine/targets.hpp"

#include <glib.h>

#include <algorithm>
#include <set>

namespace deskmark {
namespace {

std::string folded(const std::string& text) {
  char* fold = g_utf8_casefold(text.c_str(), static_cast<gssize>(text.size()));
  std::string out = fold ? fold : "";
  g_free(fold);
  return out;
}

bool is_popup(const Window& w) {
  switch (w.type) {
    case WindowType::Menu:
    case WindowType::DropdownMenu:
    case WindowType::PopupMenu:
    case WindowType::Combo:
    case WindowType::Tooltip:
    case WindowType::Dnd: return true;
    default: return w.override_redirect;
  }
}

bool is_shell(const Window& w) {
  return w.type == WindowType::Desktop || w.type == WindowType::Dock || w.type == WindowType::Notification;
}

/// What a person would call an application window.
bool is_application_window(const Window& w) { return !is_popup(w) && !is_shell(w); }

/// Names of one application, folded. Two processes of one program are one application.
struct AppNames {
  std::vector<std::string> exact;
  std::string title;
};

AppNames names_of(const Window& w, const std::vector<AccessibleApp>& apps) {
  AppNames names;
  const auto add = [&](const std::string& s) {
    if (!s.empty()) names.exact.push_back(folded(s));
  };
  add(app_name(w, apps));
  add(w.desktop_id);
  add(w.wm_class);
  add(w.wm_instance);
  add(w.process);
  names.title = folded(w.title);
  return names;
}

bool matches(int tier, const AppNames& names, const std::string& wanted) {
  const auto part = [&](const std::string& s) { return s.find(wanted) != std::string::npos; };
  switch (tier) {
    case 0: return std::find(names.exact.begin(), names.exact.end(), wanted) != names.exact.end();
    case 1: return std::any_of(names.exact.begin(), names.exact.end(), part);
    default: return part(names.title);
  }
}

std::string identity(const Window& w, const std::vector<AccessibleApp>& apps) {
  return folded(w.wm_class.empty() ? app_name(w, apps) : w.wm_class);
}

TargetFailure not_found(const std::string& what) {
  return {{Code::AppNotFound, "No window matches " + what + ". list_windows shows the windows that are there."}, {}};
}

Target as_target(const Window& w, const std::vector<AccessibleApp>& apps) {
  return {TargetKind::Window, w, app_name(w, apps)};
}

/// Of candidates, frontmost first: a shown one before a minimised one, the active one first of all.
const Window* best(const std::vector<const Window*>& candidates) {
  const Window* chosen = nullptr;
  const auto rank = [](const Window& w) { return w.minimized ? 0 : w.off_screen ? 1 : 2; };
  for (const Window* w : candidates) {
    if (!chosen || rank(*w) > rank(*chosen)) chosen = w;
  }
  return chosen;
}

std::variant<Target, TargetFailure> frontmost(const WindowList& list, const std::vector<AccessibleApp>& apps) {
  std::vector<const Window*> candidates;
  for (const Window& w : list.windows) {
    if (!is_application_window(w)) continue;
    if (w.focused && !w.minimized) return as_target(w, apps);
    candidates.push_back(&w);
  }
  // Without a window manager an application's only window may be override-redirect.
  if (candidates.empty()) {
    for (const Window& w : list.windows) {
      if (!is_shell(w) && w.owner == 0) candidates.push_back(&w);
    }
  }
  if (const Window* w = best(candidates); w && !w->minimized) return as_target(*w, apps);
  return TargetFailure{{Code::AppNotFound,
                        candidates.empty() ? "No application window is open on this display."
                                           : "Every application window is minimised; name one with app or window_id."},
                       {}};
}

std::variant<Target, TargetFailure> by_app(const TargetQuery& query, const WindowList& list,
                                           const std::vector<AccessibleApp>& apps) {
  const std::string wanted = folded(*query.app);
  for (int tier = 0; tier < 3; ++tier) {
    std::vector<const Window*> found;
    std::set<std::string> identities;
    std::vector<std::string> candidates;
    for (const Window& w : list.windows) {
      if (!is_application_window(w) || (query.pid && w.pid != query.pid)) continue;
      if (!matches(tier, names_of(w, apps), wanted)) continue;
      found.push_back(&w);
      if (identities.insert(identity(w, apps)).second) {
        candidates.push_back(app_name(w, apps) + " (" + (w.wm_class.empty() ? w.process : w.wm_class) + ", window_id " +
                             std::to_string(w.id) + ", \"" + w.title + "\")");
      }
    }
    if (found.empty()) continue;
    if (identities.size() > 1) {
      std::string message = "Several applications match \"" + *query.app + "\":";
      for (const std::string& c : candidates) message += " " + c + ";";
      message.back() = '.';
      return TargetFailure{{Code::AmbiguousTarget, message + " Name one of them exactly, or give window_id."},
                           candidates};
    }
    return as_target(*best(found), apps);
  }
  return not_found("app \"" + *query.app + "\"");
}

}  // namespace

std::string app_name(const Window& window, const std::vector<AccessibleApp>& apps) {
  const AccessibleApp* known = nullptr;
  for (const AccessibleApp& app : apps) {
    if (!window.pid || app.pid != *window.pid || app.name.empty()) continue;
    // A program may register twice, the first time without windows.
    if (!known || app.windows > known->windows) known = &app;
  }
  if (known) return known->name;
  if (!window.wm_class.empty()) return window.wm_class;
  return window.process.empty() ? window.title : window.process;
}

bool is_app(const Window& window, const std::vector<AccessibleApp>& apps, const std::string& app) {
  const AppNames names = names_of(window, apps);
  const std::string wanted = folded(app);
  return matches(0, names, wanted) || matches(1, names, wanted) || matches(2, names, wanted);
}

std::variant<Target, TargetFailure> choose_target(const TargetQuery& query, const WindowList& list,
                                                  const std::vector<AccessibleApp>& apps) {
  if (query.empty()) return frontmost(list, apps);
  if (query.window_id) {
    for (const Window& w : list.windows) {
      if (w.id != *query.window_id) continue;
      if (query.pid && w.pid != query.pid) {
        return not_found("window_id " + std::to_string(w.id) + " together with pid " + std::to_string(*query.pid));
      }
      return as_target(w, apps);
    }
    return TargetFailure{{Code::WindowGone, "There is no window " + std::to_string(*query.window_id) +
                                                " (any more). list_windows shows the ids."},
                         {}};
  }
  if (query.app) {
    const std::string wanted = folded(*query.app);
    if (wanted == "screen") {
      Target target;
      target.kind = TargetKind::Screen;
      target.app = "screen";
      target.window.bounds = list.screen;
      return target;
    }
    if (wanted == "desktop") {
      for (const Window& w : list.windows) {
        if (w.type == WindowType::Desktop) return as_target(w, apps);
      }
      return not_found("app \"desktop\" (no program draws a desktop surface here)");
    }
    return by_app(query, list, apps);
  }
  std::vector<const Window*> found;
  for (const Window& w : list.windows) {
    if (w.pid == query.pid && is_application_window(w)) found.push_back(&w);
  }
  if (const Window* w = best(found)) return as_target(*w, apps);
  return not_found("pid " + std::to_string(*query.pid));
}

std::vector<Window> picture_windows(const Window& target, const WindowList& list) {
  const auto by_id = [&](std::uint32_t id) -> const Window* {
    const auto it = std::find_if(list.windows.begin(), list.windows.end(), [&](const Window& w) { return w.id == id; });
    return it == list.windows.end() ? nullptr : &*it;
  };
  std::set<std::uint32_t> taken{target.id};
  // For a dialog or popup: the owners it stands before.
  for (std::uint32_t owner = target.owner; owner != 0;) {
    const Window* w = by_id(owner);
    if (!w || w->minimized || !taken.insert(owner).second) break;
    owner = w->owner;
  }
  // Popups and dialogs of anything taken, to any depth.
  for (bool grew = true; grew;) {
    grew = false;
    for (const Window& w : list.windows) {
      if (w.owner == 0 || w.minimized || taken.count(w.id) || !taken.count(w.owner)) continue;
      // A second dialog of the owner is not the target dialog's own unless it hangs from it.
      if (w.bounds.empty() || is_shell(w)) continue;
      taken.insert(w.id);
      grew = true;
    }
  }
  std::vector<Window> windows;
  for (auto it = list.windows.rbegin(); it != list.windows.rend(); ++it) {
    if (taken.count(it->id)) windows.push_back(*it);
  }
  if (windows.empty()) windows.push_back(target);
  return windows;
}

DeviceRect picture_area(const std::vector<Window>& windows) {
  DeviceRect area;
  for (const Window& w : windows) area = unite(area, w.bounds);
  return area;
}

}  // namespace deskmark
