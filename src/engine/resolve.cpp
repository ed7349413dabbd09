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

const Window* window_of(const WindowList& list, std::uint32_t id) {
  const auto it = std::find_if(list.windows.begin(), list.windows.end(), [&](const Window& w) { return w.id == id; });
  return it == list.windows.end() ? nullptr : &*it;
}

/// Topmost window at a point of the screen, frontmost first as listed.
const Window* topmost_at(const WindowList& list, DevicePoint at) {
  for (const Window& w : list.windows) {
    if (!w.minimized && !w.off_screen && w.bounds.contains(at)) return &w;
  }
  return nullptr;
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
  target.role = it->role;
  if (it->parent >= 0 && it->index_in_parent >= 0) {
    const Accessible& parent = now.observation.nodes[static_cast<std::size_t>(it->parent)];
    // A table's children are cells: its Selection interface means rows, other numbers.
    if (parent.interfaces.has(Iface::Selection) && !parent.interfaces.has(Iface::Table)) {
      target.selects = SelectItem{parent.ref, it->index_in_parent};
    }
  }
  target.at = fresh->device.center();
  const Window* window = window_of(now.list, fresh->surface ? fresh->surface : snapshot.target.window.id);
  if (!window) return Failure{Code::WindowGone, "The window of this element was closed. Capture again."};
  target.window = *window;
  const Window* top = topmost_at(now.list, target.at);
  target.covered = !top || top->id != window->id;
  return target;
}

/// A mark read from pixels is only good while the pixels under it are the same.
std::variant<ActTarget, Failure> resolve_pixels(const Snapshot& snapshot, const FreshLook& now, const Mark& mark) {
  const Observation& then = snapshot.observation;
  if (!then.pixels || !now.observation.pixels)
    return stale("The pixels under mark " + std::to_string(mark.index) + " cannot be compared.");
  // The window may have moved: rectangles are compared relative to the picture.
  const PictureRect area{mark.device.x - then.area.x, mark.device.y - then.area.y, mark.device.w, mark.device.h};
  const Window* window = window_of(now.list, mark.surface ? mark.surface : snapshot.target.window.id);
  if (!window) return Failure{Code::WindowGone, "The window of this element was closed. Capture again."};
  const Image was = crop(*then.pixels, area);
  const Image is = crop(*now.observation.pixels, area);
  if (was.width != is.width || was.height != is.height || was.empty()) return stale("The window changed its size.");
  std::size_t differing = 0;
  for (std::size_t i = 0; i + 3 < was.bgrx.size(); i += 4) {
    if (std::memcmp(&was.bgrx[i], &is.bgrx[i], 3) != 0) ++differing;
  }
  // A blinking caret or a hover tint of the edge is not another control.
  if (differing * 4 > static_cast<std::size_t>(was.width) * static_cast<std::size_t>(was.height) / 2) {
    return stale("What is drawn at mark " + std::to_string(mark.index) + " changed.");
  }
  ActTarget target;
  target.window = *window;
  target.at =
      mark.device.translated(now.observation.area.x - then.area.x, now.observation.area.y - then.area.y).center();
  const Window* top = topmost_at(now.list, target.at);
  target.covered = !top || top->id != window->id;
  return target;
}

}  // namespace

bool same_but_digits(const std::string& a, const std::string& b) {
  return a == b || digits_folded(a) == digits_folded(b);
}

std::variant<FreshLook, Failure> look_again(const Sources& sources, const Snapshot& snapshot, bool pixels,
                                            const Deadline& deadline) {
  auto list = sources.screen->windows(deadline);
  if (!list) return failure_of(list.error);
  FreshLook look;
  look.list = std::move(*list.value);
  Target target = snapshot.target;
  if (target.kind == TargetKind::Window) {
    const Window* window = window_of(look.list, target.window.id);
    if (!window) return Failure{Code::WindowGone, "The captured window was closed. Capture again."};
    target.window = *window;
  }
  ObserveOptions options;
  options.pixels = (pixels || snapshot.observation.pixels) && !target.window.minimized;
  auto observed = observe(sources, target, look.list, options, deadline);
  if (const Failure* failure = std::get_if<Failure>(&observed)) return *failure;
  look.observation = std::move(std::get<Observed>(observed).observation);
  PerceiveOptions perceive_options;
  perceive_options.max_elements = 100'000;
  perceive_options.pixel_marks = false;
  look.scene = perceive(look.observation, perceive_options);
  return look;
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
  ActTarget target;
  target.at = at;
  if (snapshot.target.kind == TargetKind::Screen) {
    const Window* top = topmost_at(now.list, at);
    if (!top) return stale("No window lies under that pixel.");
    target.window = *top;
    return target;
  }
  // The picture's own windows, topmost first: which of them was under the pixel, and is it still there?
  for (auto it = snapshot.observation.surfaces.rbegin(); it != snapshot.observation.surfaces.rend(); ++it) {
    if (!it->window.bounds.contains(at)) continue;
    const Window* window = window_of(now.list, it->window.id);
    if (!window) return stale("The window under that pixel was closed.");
    if (window->bounds.w != it->window.bounds.w || window->bounds.h != it->window.bounds.h)
      return stale("The window under that pixel was resized.");
    target.at = {at.x + window->bounds.x - it->window.bounds.x, at.y + window->bounds.y - it->window.bounds.y};
    target.window = *window;
    const Window* top = topmost_at(now.list, target.at);
    target.covered = !top || top->id != window->id;
    return target;
  }
  return stale("That pixel shows no window.");
}

}  // namespace deskmark
