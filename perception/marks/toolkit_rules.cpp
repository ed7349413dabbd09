#include "perception/marks/toolkit_rules.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace deskmark {
namespace {

bool is_document(Role role) {
  switch (role) {
    case Role::DocumentFrame:
    case Role::DocumentSpreadsheet:
    case Role::DocumentPresentation:
    case Role::DocumentText:
    case Role::DocumentWeb:
    case Role::DocumentEmail: return true;
    default: return false;
  }
}

}  // namespace

bool is_web(Toolkit toolkit) {
  return toolkit == Toolkit::Chromium || toolkit == Toolkit::Firefox || toolkit == Toolkit::WebKit;
}

bool is_qt(Toolkit toolkit) { return toolkit == Toolkit::Qt5 || toolkit == Toolkit::Qt6; }

bool drawn_by_state(const Tree& tree, int i) {
  const Accessible& node = tree.node(i);
  if (node.states.has(State::Defunct)) return false;
  // GTK 4 sets VISIBLE on everything and SHOWING on nothing but the toplevel; what is hidden there has no size.
  if (node.toolkit == Toolkit::Gtk4) return true;
  if (node.states.has(State::Showing) && node.states.has(State::Visible)) return true;
  // Qt's header sections carry no SHOWING even while they are drawn; their table decides.
  return is_qt(node.toolkit) && is_table_header(node.role);
}

bool enabled_by_state(const Accessible& node) {
  // GTK 4 never sets ENABLED; the others set both.
  return !node.states.has(State::Defunct) && (node.states.has(State::Enabled) || node.states.has(State::Sensitive));
}

bool is_table_header(Role role) {
  return role == Role::TableColumnHeader || role == Role::TableRowHeader || role == Role::ColumnHeader ||
         role == Role::RowHeader;
}

bool clips_children(const Accessible& node) {
  const bool web = is_web(node.toolkit);
  switch (node.role) {
    case Role::Frame:
    case Role::Window:
    case Role::ScrollPane:
    case Role::Viewport:
    case Role::InternalFrame:
    case Role::RootPane:
    case Role::GlassPane:
    case Role::ListBox: return true;
    case Role::Dialog:
    case Role::Alert:
    case Role::FileChooser:
    case Role::ColorChooser:
    case Role::LayeredPane:
    case Role::DirectoryPane:
    case Role::List:
    case Role::Table:
    case Role::TreeTable:
    case Role::Tree:
    case Role::Terminal: return !web;
    case Role::Filler:
    case Role::Panel:
    case Role::SplitPane:
      // Qt widgets are always clipped to their parent; its scroll areas are plain fillers.
      return is_qt(node.toolkit);
    default: break;
  }
  if (is_document(node.role)) return true;
  // Chromium puts scroll actions on what scrolls, whatever its role; of what only cuts off it says nothing (the reader
  // found out).
  if (web && attribute(node, "clips") == "true") return true;
  return web && std::any_of(node.actions.begin(), node.actions.end(),
                            [](const std::string& a) { return a.starts_with("scroll-"); });
}

bool scrolls_under_headers(const Accessible& node) {
  if (is_web(node.toolkit)) return false;
  return node.role == Role::Table || node.role == Role::Tree || node.role == Role::TreeTable || node.role == Role::List;
}

int layer_of(const Accessible& node) {
  int layer = 0;
  const std::string_view told = attribute(node, "layer");
  std::from_chars(told.data(), told.data() + told.size(), layer);
  return std::clamp(layer, 0, 1000);
}

bool floats_above(const Tree& tree, int i) {
  const Accessible& node = tree.node(i);
  const int p = tree.parent(i);
  switch (node.role) {
    case Role::Dialog:
    case Role::PopupMenu:
    case Role::ToolTip:
    case Role::InternalFrame:
    case Role::Notification: return true;
    case Role::Menu:
      // GTK's Menu inside a menu bar or menu is the item that opens it.
      return !has_activation(node) && !node.states.has(State::Selectable);
    case Role::Alert:
    case Role::ListBox: return is_web(node.toolkit);
    default: break;
  }
  if (node.states.has(State::Modal) || layer_of(node) > 0) return true;
  // GTK 3 popovers are children of their toplevel beside its title bar and its content.
  if (node.toolkit == Toolkit::Gtk3 && p >= 0 && tree.parent(p) < 0) {
    const int title = tree.first_child(p);
    const int content = title >= 0 ? tree.next_sibling(title) : -1;
    return i != title && i != content;
  }
  return false;
}

bool opens_in_own_window(const Tree& tree, int i) {
  const int p = tree.parent(i);
  if (p < 0) return false;
  switch (tree.role(i)) {
    case Role::PopupMenu:
    case Role::Window:
    case Role::ToolTip: return true;
    case Role::MenuItem:
    case Role::CheckMenuItem:
    case Role::RadioMenuItem:
    case Role::TearoffMenuItem:
    case Role::Separator:
      return tree.role(p) == Role::Menu || tree.role(p) == Role::MenuItem || tree.role(p) == Role::PopupMenu;
    case Role::Menu: return tree.role(p) != Role::MenuBar;
    case Role::List:
    case Role::ListBox:
    case Role::Table:
    case Role::Tree: return tree.role(p) == Role::ComboBox;
    default: return false;
  }
}

bool is_activation(std::string_view action) {
  static constexpr std::array<std::string_view, 13> names{"click", "press",  "toggle",  "activate", "jump",
                                                          "open",  "check",  "uncheck", "select",   "show-menu",
                                                          "push",  "switch", "invoke"};
  return std::find(names.begin(), names.end(), action) != names.end();
}

bool has_activation(const Accessible& node) {
  return std::any_of(node.actions.begin(), node.actions.end(), [](const std::string& a) { return is_activation(a); });
}

bool has_action(const Accessible& node, std::string_view name) {
  return std::find(node.actions.begin(), node.actions.end(), name) != node.actions.end();
}

std::string_view attribute(const Accessible& node, const char* key) {
  if (node.attributes.empty()) return {};
  const auto it = node.attributes.find(key);
  return it == node.attributes.end() ? std::string_view{} : std::string_view{it->second};
}

bool is_password(const Accessible& node) {
  return node.role == Role::PasswordText || attribute(node, "text-input-type") == "password";
}

}  // namespace deskmark
