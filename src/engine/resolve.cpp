#include "src/engine/resolve.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <utility>

#include "perception/perceive.hpp"

namespace deskmark {
namespace {

Failure stale(const std::string& what) {
  return {Code::StaleElement, what + " Capture again and use the new numbers."};
}

std::string digits_folded(const std::string& text) {
  std::string out;
  bool in_run = false;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit)
      out += c;
    else if (!in_run)
      out += '#';
    in_run = digit;
  }
  return out;
}

/// Rows are recycled in these: the same object may show another row, told only by its name.
bool in_list(const Observation& o, int node) {
  for (int up = node; up >= 0; up = o.nodes[static_cast<std::size_t>(up)].parent) {
    switch (o.nodes[static_cast<std::size_t>(up)].role) {
      case Role::List:
      case Role::ListBox:
      case Role::Table:
      case Role::TreeTable:
      case Role::Tree: return true;
      default: break;
    }
  }
  return false;
}

/// Topmost window at a point of the screen.
const Window* topmost_at(const std::vector<Window>& windows, DevicePoint at, const Window* top = nullptr) {
  for (const Window& w : windows) {
    if (!w.minimized && !w.off_screen && w.bounds.contains(at) && (!top || w.z > top->z)) top = &w;
  }
  return top;
}

/// It may be an excluded one.
const Window* topmost_at(const WindowList& list, DevicePoint at) {
  return topmost_at(list.excluded, at, topmost_at(list.windows, at));
}

bool is_excluded(const WindowList& list, const Window& window) {
  return std::any_of(list.excluded.begin(), list.excluded.end(), [&](const Window& w) { return w.id == window.id; });
}

std::variant<ActTarget, Failure> resolve_object(const Snapshot& snapshot, const FreshLook& now, const Mark& mark) {
  const Accessible& then = snapshot.observation.nodes[static_cast<std::size_t>(mark.node)];
  const auto it = std::find_if(now.observation.nodes.begin(), now.observation.nodes.end(),
                               [&](const Accessible& a) { return a.ref == then.ref; });
  if (it == now.observation.nodes.end()) {
    return Failure{Code::ElementGone,
                   "The " + mark.role_word + " \"" + mark.label + "\" is no longer shown. Capture again."};
  }
  const bool same_name =
      in_list(snapshot.observation, mark.node) ? it->name == then.name : same_but_digits(it->name, then.name);
  if (it->role != then.role || !same_name)
    return stale("The object behind mark " + std::to_string(mark.index) + " is another one now.");
  const int node = static_cast<int>(it - now.observation.nodes.begin());
  const auto fresh =
      std::find_if(now.scene.marks.begin(), now.scene.marks.end(), [&](const Mark& m) { return m.node == node; });
  if (fresh == now.scene.marks.end()) {
    return stale("The " + mark.role_word + " \"" + mark.label +
                 "\" cannot be acted on now: it is disabled, hidden or covered.");
  }
  ActTarget target;
  target.object = *it;
  target.role = fresh->role;  // a drop-down's mark may act on the button within it
  if (it->parent >= 0 && it->index_in_parent >= 0) {
    const Accessible& parent = now.observation.nodes[static_cast<std::size_t>(it->parent)];
    // A table's children are cells: its Selection interface means rows, other numbers.
    if (parent.interfaces.has(Iface::Selection) && !parent.interfaces.has(Iface::Table)) {
      target.selects = SelectItem{parent.ref, it->index_in_parent};
    }
  }
  for (int up = it->parent; up >= 0; up = now.observation.nodes[static_cast<std::size_t>(up)].parent) {
    const Accessible& above = now.observation.nodes[static_cast<std::size_t>(up)];
    if (!is_chooser(above.role)) continue;
    target.container = above.ref;
    break;
  }
  for (std::size_t i = static_cast<std::size_t>(node) + 1;
       it->role == Role::ComboBox && i < now.observation.nodes.size(); ++i) {
    const Accessible& below = now.observation.nodes[i];
    if (below.parent < node) break;  // preorder: the combo box's own are behind it
    if (is_field(below)) target.inner = below;
  }
  target.at = fresh->device.center();
  const Window* window = window_by_id(now.list, fresh->surface ? fresh->surface : snapshot.target.window.id);
  if (!window) return Failure{Code::WindowGone, "The window of this element was closed. Capture again."};
  target.window = *window;
  const Window* top = topmost_at(now.list, target.at);
  target.covered = !top || top->id != window->id;
  return target;
}

const Window* surface_of(const Observation& o, std::uint32_t id) {
  const auto it =
      std::find_if(o.surfaces.begin(), o.surfaces.end(), [&](const Surface& s) { return s.window.id == id; });
  return it == o.surfaces.end() ? nullptr : &it->window;
}

/// A mark read from pixels is only good while the pixels under it are the same.
std::variant<ActTarget, Failure> resolve_pixels(const Snapshot& snapshot, const FreshLook& now, const Mark& mark) {
  const Observation& then = snapshot.observation;
  const std::string number = std::to_string(mark.index);
  if (!then.pixels || !now.observation.pixels) return stale("The pixels under mark " + number + " cannot be compared.");
  const std::uint32_t id = mark.surface ? mark.surface : snapshot.target.window.id;
  const Window* window = window_by_id(now.list, id);
  const Window* was_at = surface_of(then, id);
  if (!window || !was_at) return Failure{Code::WindowGone, "The window of this element was closed. Capture again."};
  // It may have moved: what counts is the place in the window.
  const int dx = window->bounds.x - was_at->bounds.x;
  const int dy = window->bounds.y - was_at->bounds.y;
  const DeviceRect is_at = mark.device.translated(dx, dy);
  const auto in_picture = [](const DeviceRect& r, const Observation& o) {
    return PictureRect{r.x - o.area.x, r.y - o.area.y, r.w, r.h};
  };
  const Image was = crop(*then.pixels, in_picture(mark.device, then));
  const Image is = crop(*now.observation.pixels, in_picture(is_at, now.observation));
  if (was.empty() || was.width != is.width || was.height != is.height)
    return stale("The window with mark " + number + " changed its size.");
  // A hover tint or a caret is not another control; other words on the same ground are, and differ in few pixels: what
  // counts is the share of what stands out from the ground.
  const std::uint32_t ground = was.rgb(0, 0);
  std::size_t differing = 0;
  std::size_t standing_out = 0;
  for (int y = 0; y < was.height; ++y) {
    for (int x = 0; x < was.width; ++x) {
      const std::uint32_t a = was.rgb(x, y);
      const std::uint32_t b = is.rgb(x, y);
      if (a != b) ++differing;
      if (a != ground || b != ground) ++standing_out;
    }
  }
  if (differing * 4 > standing_out) return stale("What is drawn at mark " + number + " changed.");
  ActTarget target;
  target.window = *window;
  target.at = is_at.center();
  const Window* top = topmost_at(now.list, target.at);
  target.covered = !top || top->id != window->id;
  return target;
}

}  // namespace

bool same_but_digits(const std::string& a, const std::string& b) {
  return a == b || digits_folded(a) == digits_folded(b);
}

const Window* window_by_id(const WindowList& list, std::uint32_t id) {
  const auto it = std::find_if(list.windows.begin(), list.windows.end(), [&](const Window& w) { return w.id == id; });
  return it == list.windows.end() ? nullptr : &*it;
}

std::variant<FreshLook, Failure> look_again(const Sources& sources, const Target& captured, LookOptions options,
                                            const Deadline& deadline) {
  auto list = sources.screen->windows(deadline);
  if (!list) return failure_of(list.error);
  FreshLook look;
  look.list = std::move(*list.value);
  Target target = captured;
  if (target.kind == TargetKind::Window) {
    const Window* window = window_by_id(look.list, target.window.id);
    if (is_excluded(look.list, target.window))
      return Failure{Code::PolicyDenied, "That window belongs to an excluded application."};
    if (!window) return Failure{Code::WindowGone, "The captured window was closed. Capture again."};
    target.window = *window;
  }
  ObserveOptions observing;
  observing.pixels = options.pixels && !target.window.minimized;
  Sources without_text = sources;
  without_text.text = nullptr;  // words are for eyes; acting needs none
  auto observed = observe(without_text, target, look.list, observing, deadline);
  if (const Failure* failure = std::get_if<Failure>(&observed)) return *failure;
  look.observation = std::move(std::get<Observed>(observed).observation);
  if (!options.marks) return look;
  PerceiveOptions perceiving;
  perceiving.max_elements = 100'000;
  perceiving.pixel_marks = false;
  look.scene = perceive(look.observation, perceiving);
  return look;
}

std::optional<Accessible> object_at(const FreshLook& now, const Window& window, DevicePoint at) {
  const Mark* best = nullptr;
  for (const Mark& m : now.scene.marks) {
    if (m.node < 0 || !m.device.contains(at) || (m.surface != 0 && m.surface != window.id)) continue;
    if (!best || m.device.area() < best->device.area()) best = &m;
  }
  if (!best) return std::nullopt;
  return now.observation.nodes[static_cast<std::size_t>(best->node)];
}

std::variant<ActTarget, Failure> resolve_element(const Snapshot& snapshot, const FreshLook& now, int element) {
  const auto& marks = snapshot.scene.marks;
  if (element < 1 || element > static_cast<int>(marks.size())) {
    return Failure{Code::ElementNotFound,
                   "element: the newest capture has marks 1.." + std::to_string(marks.size()) + "."};
  }
  const Mark& mark = marks[static_cast<std::size_t>(element - 1)];
  return mark.node >= 0 ? resolve_object(snapshot, now, mark) : resolve_pixels(snapshot, now, mark);
}

std::variant<ActTarget, Failure> resolve_pixel(const Snapshot& snapshot, const FreshLook& now, Pixel pixel) {
  const Scene& scene = snapshot.scene;
  if (pixel.x < 0 || pixel.y < 0 || pixel.x >= scene.width || pixel.y >= scene.height) {
    return Failure{Code::InvalidRequest, "coordinate: expected a pixel of the newest picture, 0.." +
                                             std::to_string(scene.width - 1) + " by 0.." +
                                             std::to_string(scene.height - 1) + "."};
  }
  const DevicePoint at = scene.mapping.to_device({pixel.x, pixel.y});
  const bool screen = snapshot.target.kind == TargetKind::Screen;
  // Which window was under the pixel, and is it still there? In a window's picture its own windows, topmost first.
  const Window* was = nullptr;
  if (screen) {
    if (const Window* top = topmost_at(now.list, at); top && is_excluded(now.list, *top))
      return Failure{Code::PolicyDenied, "The window under that pixel belongs to an excluded application."};
    was = topmost_at(snapshot.windows, at);
  } else {
    for (auto it = snapshot.observation.surfaces.rbegin(); it != snapshot.observation.surfaces.rend() && !was; ++it) {
      if (it->window.bounds.contains(at)) was = &it->window;
    }
  }
  if (!was) return stale("That pixel shows no window.");
  const Window* window = window_by_id(now.list, was->id);
  if (!window) return stale("The window under that pixel was closed.");
  if (window->bounds.w != was->bounds.w || window->bounds.h != was->bounds.h)
    return stale("The window under that pixel was resized.");
  if (window->minimized) return stale("The window under that pixel was minimised.");
  ActTarget target;
  // It may have moved since.
  target.at = {at.x + window->bounds.x - was->bounds.x, at.y + window->bounds.y - was->bounds.y};
  target.window = *window;
  const Window* top = topmost_at(now.list, target.at);
  target.covered = !top || top->id != window->id;
  // On the screen's picture a pixel means what is seen there.
  if (screen && target.covered) return stale("Another window lies over that pixel now.");
  target.under = object_at(now, *window, target.at);
  return target;
}

}  // namespace deskmark
