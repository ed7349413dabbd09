#include "perception/model/scene.hpp"

namespace deskmark {

std::string_view window_type_name(WindowType type) {
  switch (type) {
    case WindowType::Normal: return "normal";
    case WindowType::Dialog: return "dialog";
    case WindowType::Utility: return "utility";
    case WindowType::Splash: return "splash";
    case WindowType::Toolbar: return "toolbar";
    case WindowType::Menu: return "menu";
    case WindowType::DropdownMenu: return "dropdown_menu";
    case WindowType::PopupMenu: return "popup_menu";
    case WindowType::Combo: return "combo";
    case WindowType::Tooltip: return "tooltip";
    case WindowType::Notification: return "notification";
    case WindowType::Dock: return "dock";
    case WindowType::Desktop: return "desktop";
    case WindowType::Dnd: return "dnd";
    case WindowType::Unknown: return "unknown";
  }
  return "unknown";
}

std::string_view source_name(Source source) {
  switch (source) {
    case Source::Ax: return "ax";
    case Source::Vision: return "vision";
    case Source::Ocr: return "ocr";
  }
  return "ax";
}

}  // namespace deskmark
