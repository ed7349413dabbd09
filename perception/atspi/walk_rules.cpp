#include "perception/atspi/walk_rules.hpp"

namespace deskmark::atspi {

bool web(Toolkit toolkit) {
  return toolkit == Toolkit::Chromium || toolkit == Toolkit::Firefox || toolkit == Toolkit::WebKit;
}

bool clips(Toolkit toolkit, Role role, Role parent) {
  switch (role) {
    case Role::ScrollPane:
    case Role::Viewport:
    case Role::InternalFrame:
    case Role::DocumentWeb:
    case Role::DocumentFrame: return true;
    case Role::List:
    case Role::ListBox:
    case Role::Table:
    case Role::TreeTable:
    case Role::Tree: return !web(toolkit);
    default: return parent == Role::ScrollPane && !web(toolkit) && (role == Role::Filler || role == Role::Panel);
  }
}

bool may_be_popover(Role role) {
  switch (role) {
    case Role::Filler:
    case Role::Menu:
    case Role::PopupMenu:
    case Role::Dialog:
    case Role::Alert:
    case Role::ToolTip:
    case Role::Window:
    case Role::Unknown:
    case Role::Notification: return true;
    default: return false;
  }
}

bool always_leaf(Role role) {
  switch (role) {
    case Role::Static:
    case Role::Label:
    case Role::Separator:
    case Role::Image:
    case Role::CheckBox:
    case Role::RadioButton:
    case Role::Slider:
    case Role::ProgressBar: return true;
    default: return false;
  }
}

bool layout(Role role) {
  switch (role) {
    case Role::Panel:
    case Role::Filler:
    case Role::Section:
    case Role::ScrollPane:
    case Role::Viewport:
    case Role::SplitPane:
    case Role::LayeredPane:
    case Role::RootPane:
    case Role::Separator:
    case Role::MenuBar: return true;
    default: return false;
  }
}

bool texts(Role role) { return role == Role::Text || role == Role::Entry || role == Role::PasswordText; }

DeviceRect surface_of(const Window& window) { return window.surface.empty() ? window.bounds : window.surface; }

}  // namespace deskmark::atspi
