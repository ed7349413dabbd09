#include "src/policy/exclude.hpp"

#include <glib.h>

#include <algorithm>
#include <utility>

namespace deskmark {
namespace {

/// Room for what a window manager draws around a client, device pixels at twice the usual size.
constexpr int kFrameTop = 80;
constexpr int kFrameSide = 16;

std::string folded(const std::string& text) {
  const std::unique_ptr<char, decltype(&g_free)> valid(g_utf8_make_valid(text.data(), static_cast<gssize>(text.size())),
                                                       &g_free);
  const std::unique_ptr<char, decltype(&g_free)> fold(g_utf8_casefold(valid.get(), -1), &g_free);
  return fold.get();
}

bool matches(const std::string& pattern, const std::string& name) {
  return !name.empty() && g_pattern_match_simple(pattern.c_str(), name.c_str());
}

/// `from` less `hole`: up to four rectangles.
void subtract(std::vector<DeviceRect>& rects, const DeviceRect& hole) {
  std::vector<DeviceRect> left;
  for (const DeviceRect& r : rects) {
    const DeviceRect common = intersect(r, hole);
    if (common.empty()) {
      left.push_back(r);
      continue;
    }
    const DeviceRect parts[] = {{r.x, r.y, r.w, common.y - r.y},
                                {r.x, common.bottom(), r.w, r.bottom() - common.bottom()},
                                {r.x, common.y, common.x - r.x, common.h},
                                {common.right(), common.y, r.right() - common.right(), common.h}};
    for (const DeviceRect& part : parts) {
      if (!part.empty()) left.push_back(part);
    }
  }
  rects = std::move(left);
}

class FilteredScreen : public ScreenSource {
 public:
  FilteredScreen(std::shared_ptr<Exclusions> excluded, std::unique_ptr<ScreenSource> screen)
      : excluded_(std::move(excluded)), screen_(std::move(screen)) {}

  Reading<WindowList> windows(const Deadline& deadline) override {
    auto list = screen_->windows(deadline);
    if (list) excluded_->apply(*list.value);
    return list;
  }
  Reading<Grab> grab(const std::vector<Window>& windows, const DeviceRect& area, const Deadline& deadline) override {
    return screen_->grab(windows, area, deadline);
  }
  Reading<std::vector<std::uint64_t>> generations(const std::vector<Window>& windows,
                                                  const Deadline& deadline) override {
    return screen_->generations(windows, deadline);
  }
  Reading<Grab> grab_screen(const DeviceRect& area, const Deadline& deadline) override {
    // A window may be moved, opened or closed while the screen is read: what it had before and after is hidden.
    const auto before = windows(deadline);
    auto grab = screen_->grab_screen(area, deadline);
    if (!grab || !grab.value->pixels) return grab;
    const auto after = windows(deadline);
    if (!before || !after) return {std::nullopt, before ? after.error : before.error, {}};
    std::vector<DeviceRect> hidden = hidden_areas(*before.value);
    const std::vector<DeviceRect> later = hidden_areas(*after.value);
    hidden.insert(hidden.end(), later.begin(), later.end());
    if (hidden.empty()) return grab;
    Image picture = *grab.value->pixels;
    black_out(picture, area, hidden);
    grab.value->pixels = std::make_shared<const Image>(std::move(picture));
    return grab;
  }

 private:
  std::shared_ptr<Exclusions> excluded_;
  std::unique_ptr<ScreenSource> screen_;
};

class FilteredAccessibles : public AccessibleSource {
 public:
  FilteredAccessibles(std::shared_ptr<Exclusions> excluded, std::unique_ptr<AccessibleSource> accessibles)
      : excluded_(std::move(excluded)), accessibles_(std::move(accessibles)) {}

  Reading<std::vector<AccessibleApp>> applications(const Deadline& deadline) override {
    auto apps = accessibles_->applications(deadline);
    if (apps) excluded_->apply(*apps.value);
    return apps;
  }
  TreeReading tree(const TreeRequest& request, const Deadline& deadline) override {
    return accessibles_->tree(request, deadline);
  }

 private:
  std::shared_ptr<Exclusions> excluded_;
  std::unique_ptr<AccessibleSource> accessibles_;
};

}  // namespace

Exclusions::Exclusions(const std::vector<std::string>& names) {
  for (const std::string& name : names) patterns_.push_back(folded(name));
}

bool Exclusions::names(const std::string& name) const {
  const std::string fold = folded(name);
  return std::any_of(patterns_.begin(), patterns_.end(), [&](const std::string& p) { return matches(p, fold); });
}

void Exclusions::apply(WindowList& list) {
  const std::lock_guard lock(mutex_);
  std::set<std::uint32_t> ids;
  std::set<int> pids = pids_;
  const auto matching = [&](const Window& w) {
    return names(w.wm_class) || names(w.wm_instance) || names(w.desktop_id) || names(w.process);
  };
  for (const Window& w : list.windows) {
    if (!matching(w)) continue;
    ids.insert(w.id);
    if (w.pid) pids.insert(*w.pid);
  }
  // Owners may come after what they own, so until nothing is added.
  for (bool more = true; more;) {
    more = false;
    for (const Window& w : list.windows) {
      if (ids.contains(w.id)) continue;
      if ((w.pid && pids.contains(*w.pid)) || (w.owner && ids.contains(w.owner))) more = ids.insert(w.id).second;
    }
  }
  const auto kept = std::stable_partition(list.windows.begin(), list.windows.end(),
                                          [&](const Window& w) { return !ids.contains(w.id); });
  list.excluded.assign(std::make_move_iterator(kept), std::make_move_iterator(list.windows.end()));
  list.windows.erase(kept, list.windows.end());
  // Only processes that have windows now are remembered: numbers are used again.
  pids_.clear();
  for (const Window& w : list.excluded) {
    if (w.pid) pids_.insert(*w.pid);
  }
}

void Exclusions::apply(std::vector<AccessibleApp>& apps) {
  const std::lock_guard lock(mutex_);
  std::erase_if(apps, [&](const AccessibleApp& app) {
    const bool named = names(app.name);
    if (named && app.pid) pids_.insert(app.pid);
    return named || (app.pid && pids_.contains(app.pid));
  });
}

std::vector<DeviceRect> hidden_areas(const WindowList& list) {
  std::vector<DeviceRect> hidden;
  for (const Window& w : list.excluded) {
    if (w.minimized) continue;
    const DeviceRect whole = unite(w.bounds, w.surface);
    const bool framed = !w.override_redirect;
    const int top = framed ? kFrameTop : 0;
    const int side = framed ? kFrameSide : 0;
    std::vector<DeviceRect> shown{{whole.x - side, whole.y - top, whole.w + 2 * side, whole.h + top + side}};
    for (const Window& above : list.windows) {
      if (above.z > w.z && !above.minimized && !above.off_screen) subtract(shown, above.bounds);
    }
    hidden.insert(hidden.end(), shown.begin(), shown.end());
  }
  return hidden;
}

void black_out(Image& picture, const DeviceRect& area, const std::vector<DeviceRect>& hidden) {
  for (const DeviceRect& r : hidden) {
    const DeviceRect shown = intersect(r.translated(-area.x, -area.y), DeviceRect{0, 0, picture.width, picture.height});
    for (int y = shown.y; y < shown.bottom() && !shown.empty(); ++y) {
      for (int x = shown.x; x < shown.right(); ++x) picture.set_rgb(x, y, 0);
    }
  }
}

std::unique_ptr<ScreenSource> without(std::shared_ptr<Exclusions> excluded, std::unique_ptr<ScreenSource> screen) {
  if (!screen || excluded->none()) return screen;
  return std::make_unique<FilteredScreen>(std::move(excluded), std::move(screen));
}

std::unique_ptr<AccessibleSource> without(std::shared_ptr<Exclusions> excluded,
                                          std::unique_ptr<AccessibleSource> accessibles) {
  if (!accessibles || excluded->none()) return accessibles;
  return std::make_unique<FilteredAccessibles>(std::move(excluded), std::move(accessibles));
}

}  // namespace deskmark
