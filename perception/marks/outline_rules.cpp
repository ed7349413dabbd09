#include "perception/marks/outline_rules.hpp"

#include <algorithm>
#include <array>

namespace deskmark {

bool opens_a_section(Role role) {
  switch (role) {
    case Role::Dialog:
    case Role::Alert:
    case Role::InternalFrame:
    case Role::Notification:
    case Role::FileChooser:
    case Role::ColorChooser:
    case Role::FontChooser:
    case Role::Menu:
    case Role::PopupMenu: return true;
    default: return false;
  }
}

bool is_named_group(Role role) {
  switch (role) {
    case Role::Panel:
    case Role::Filler:
    case Role::Grouping:
    case Role::Form:
    case Role::Landmark:
    case Role::List:
    case Role::ListBox:
    case Role::Table:
    case Role::TreeTable:
    case Role::Tree:
    case Role::ToolBar:
    case Role::Article:
    case Role::Section:
    case Role::DocumentWeb:
    case Role::DocumentText:
    case Role::DocumentFrame:
    case Role::StatusBar:
    case Role::DocumentSpreadsheet:
    case Role::DocumentPresentation:
    case Role::DocumentEmail:
    case Role::InfoBar:
    case Role::Chart:
    case Role::Embedded:
    case Role::Frame:
    case Role::Window:
    case Role::MenuBar: return true;
    default: return opens_a_section(role);
  }
}

bool shows_amount(Role role) {
  return role == Role::ProgressBar || role == Role::LevelBar || role == Role::Slider || role == Role::Dial;
}

bool is_silent(Role role) {
  switch (role) {
    case Role::Separator:
    case Role::ScrollBar:
    case Role::ScrollPane:
    case Role::Viewport:
    case Role::TitleBar:
    case Role::Ruler:
    case Role::RedundantObject: return true;
    default: return false;
  }
}

bool is_ornament(std::string_view text) {
  static constexpr std::array<std::string_view, 20> marks{"•", "◦", "▪", "▫", "■", "□", "●", "○", "‣", "·",
                                                          "|", "/", "-", "–", "—", "›", "»", ",", ".", ":"};
  return std::find(marks.begin(), marks.end(), text) != marks.end();
}

}  // namespace deskmark
