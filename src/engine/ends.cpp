#include "src/engine/ends.hpp"

#include <algorithm>
#include <utility>

namespace deskmark {
namespace {

/// The window of the picture that keys belong to: a modal dialog keeps them from the captured window.
const Window& keyboard_window(const FreshLook& now) {
  const Observation& o = now.observation;
  for (auto it = o.surfaces.rbegin(); it != o.surfaces.rend(); ++it) {
    const Window& w = it->window;
    if (!w.override_redirect && w.owner != 0 && (w.modal || w.focused)) return w;
  }
  const Window* listed = window_by_id(now.list, o.target.id);
  return listed ? *listed : o.target;
}

ActTarget whole_window(const FreshLook& now) {
  ActTarget target;
  target.window = keyboard_window(now);
  target.at = target.window.bounds.center();
  target.has_focus = true;
  return target;
}

bool has_mark(const FreshLook& now, const Accessible& a) {
  return std::any_of(now.scene.marks.begin(), now.scene.marks.end(), [&](const Mark& m) {
    return m.node >= 0 && now.observation.nodes[static_cast<std::size_t>(m.node)].ref == a.ref;
  });
}

ActTarget at_field(const FreshLook& now, const Accessible& field, bool has_focus) {
  ActTarget target = whole_window(now);
  if (const Window* drawn_on = window_by_id(now.list, field.surface)) target.window = *drawn_on;
  target.object = field;
  target.role = field.role;
  target.has_focus = has_focus;
  if (!field.extents.empty()) target.at = field.extents.center();
  for (const Mark& m : now.scene.marks) {
    if (m.node >= 0 && now.observation.nodes[static_cast<std::size_t>(m.node)].ref == field.ref)
      target.at = m.device.center();
  }
  return target;
}

/// The field that text goes to when the request names none: the one deskmark last used in this window, else the one
/// with the focus.
std::variant<ActTarget, Failure> focused_field(const Snapshot& snapshot, const FreshLook& now,
                                               const Keyboard& keyboard) {
  const Observation& o = now.observation;
  if (o.nodes.empty()) return whole_window(now);  // no tree: the window takes keys as a whole
  const auto found = [&](auto test) {
    return std::find_if(o.nodes.begin(), o.nodes.end(), [&](const Accessible& a) { return is_field(a) && test(a); });
  };
  const auto none = o.nodes.end();
  const bool ours = keyboard.window == snapshot.target.window.id && !keyboard.field.null();
  if (ours && !keyboard.moved) {
    const auto it = found([&](const Accessible& a) { return a.ref == keyboard.field && has_mark(now, a); });
    if (it != none) return at_field(now, *it, keyboard.focused || it->states.has(State::Focused));
  }
  if (const auto it = found([](const Accessible& a) { return a.states.has(State::Focused); }); it != none)
    return at_field(now, *it, true);
  // Keys moved the focus on, and the toolkit does not tell where to while its window is inactive: it knows itself.
  if (ours && keyboard.moved) return whole_window(now);
  // A toolkit drops FOCUSED when its window is inactive; the capture may have seen it.
  for (const Accessible& a : snapshot.observation.nodes) {
    if (!is_field(a) || !a.states.has(State::Focused)) continue;
    const auto it = found([&](const Accessible& b) { return b.ref == a.ref; });
    if (it != none) return at_field(now, *it, true);
  }
  return Failure{Code::NoFocusedField,
                 "No field of this window is known to have the caret: click one first, or give element."};
}

/// Keys go to the window; a field that was filled without being focused is focused first, so that Return submits it.
ActTarget keyboard_target(const Snapshot& snapshot, const FreshLook& now, const Keyboard& keyboard) {
  if (keyboard.window != snapshot.target.window.id || keyboard.field.null() || keyboard.focused || keyboard.moved ||
      keyboard.elsewhere)
    return whole_window(now);
  for (const Accessible& a : now.observation.nodes) {
    if (a.ref == keyboard.field && has_mark(now, a)) return at_field(now, a, a.states.has(State::Focused));
  }
  return whole_window(now);
}

std::variant<ActTarget, Failure> resolve_end(const Snapshot& snapshot, const FreshLook& now,
                                             const std::optional<int>& element, const std::optional<Pixel>& pixel) {
  if (pixel && !element) return resolve_pixel(snapshot, now, *pixel);
  if (!element) return whole_window(now);
  auto end = resolve_element(snapshot, now, *element);
  if (ActTarget* target = std::get_if<ActTarget>(&end); target && target->object)
    target->has_focus = target->object->states.has(State::Focused);
  return end;
}

}  // namespace

std::variant<Ends, Failure> resolve_ends(const Request& request, const Snapshot& snapshot, const FreshLook& now,
                                         const Keyboard& keyboard) {
  Ends ends;
  std::variant<ActTarget, Failure> to;
  if (request.action == Action::Drag) {
    auto from = resolve_end(snapshot, now, request.from_element, request.from_coordinate);
    if (const Failure* failure = std::get_if<Failure>(&from)) return *failure;
    ends.from = std::get<ActTarget>(std::move(from));
    to = resolve_end(snapshot, now, request.to_element, request.to_coordinate);
  } else if (request.action == Action::Type && !request.element) {
    to = focused_field(snapshot, now, keyboard);
  } else if (request.action == Action::Key && !request.element) {
    to = keyboard_target(snapshot, now, keyboard);
  } else {
    to = resolve_end(snapshot, now, request.element, request.coordinate);
    ActTarget* target = std::get_if<ActTarget>(&to);
    // Text and keys for an editable combo box are for the field within it.
    if (target && target->inner && (request.action == Action::Type || request.action == Action::Key)) {
      target->object = std::exchange(target->inner, std::nullopt);
      target->role = target->object->role;
      target->has_focus = target->object->states.has(State::Focused);
    }
    if (target && target->object && target->object->ref == keyboard.field && keyboard.focused && !keyboard.moved)
      target->has_focus = true;
  }
  if (const Failure* failure = std::get_if<Failure>(&to)) return *failure;
  ends.to = std::get<ActTarget>(std::move(to));
  return ends;
}

}  // namespace deskmark
