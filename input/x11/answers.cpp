#include "input/x11/answers.hpp"

#include "input/x11/windows.hpp"

namespace deskmark::x11_input {

Delivered nothing(std::string code, std::string message) {
  Delivered out;
  out.code = std::move(code);
  out.message = std::move(message);
  return out;
}

std::optional<Delivered> absent(Link& link, const Window& window) {
  const XID id = window.id;
  if (ancestry(link, id).empty()) {
    if (link.dead()) return nothing("display_unavailable", "The X server is gone.");
    return nothing("window_gone", "The window does not exist any more; capture again.");
  }
  if (!viewable(link, id))
    return nothing("window_minimized",
                   "The window is not shown (minimised or on another workspace); focus_app it first.");
  return std::nullopt;
}

unsigned modifier_code(const Layout& layout, Modifier modifier) {
  const ModifierKeys& keys = layout.modifiers();
  switch (modifier) {
    case Modifier::Alt: return keys.alt;
    case Modifier::Ctrl: return keys.control;
    case Modifier::Shift: return keys.shift;
    case Modifier::Super: return keys.super;
  }
  return 0;
}

unsigned modifier_mask(const Layout& layout, Modifier modifier) {
  switch (modifier) {
    case Modifier::Alt: return layout.modifiers().alt_mask;
    case Modifier::Ctrl: return ControlMask;
    case Modifier::Shift: return ShiftMask;
    case Modifier::Super: return layout.modifiers().super_mask;
  }
  return 0;
}

}  // namespace deskmark::x11_input
