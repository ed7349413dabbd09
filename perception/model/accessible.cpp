#include "perception/model/accessible.hpp"

namespace deskmark {

std::string_view role_name(Role role) {
  switch (role) {
#define DESKMARK_ROLE(number, id, name) \
  case Role::id:                        \
    return name;
#include "perception/model/roles.inc"
#undef DESKMARK_ROLE
  }
  return "unknown";
}

std::string_view toolkit_name(Toolkit toolkit) {
  switch (toolkit) {
    case Toolkit::Unknown: return "unknown";
    case Toolkit::Gtk3: return "GTK 3";
    case Toolkit::Gtk4: return "GTK 4";
    case Toolkit::Qt5: return "Qt 5";
    case Toolkit::Qt6: return "Qt 6";
    case Toolkit::Chromium: return "Chromium";
    case Toolkit::Firefox: return "Firefox";
    case Toolkit::LibreOffice: return "LibreOffice";
    case Toolkit::WebKit: return "WebKit";
    case Toolkit::Java: return "Java";
    case Toolkit::Other: return "other";
  }
  return "unknown";
}

}  // namespace deskmark
