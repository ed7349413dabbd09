#include "perception/vision/regions.hpp"

namespace deskmark {

std::string_view region_kind_name(RegionKind kind) {
  switch (kind) {
    case RegionKind::Container: return "container";
    case RegionKind::Button: return "button";
    case RegionKind::Field: return "field";
    case RegionKind::TextArea: return "text area";
    case RegionKind::Terminal: return "terminal";
    case RegionKind::ComboBox: return "combo box";
    case RegionKind::CheckBox: return "check box";
    case RegionKind::RadioButton: return "radio button";
    case RegionKind::Switch: return "switch";
    case RegionKind::Tab: return "tab";
    case RegionKind::MenuItem: return "menu item";
    case RegionKind::ListRow: return "list row";
    case RegionKind::Link: return "link";
    case RegionKind::Slider: return "slider";
    case RegionKind::ScrollBar: return "scroll bar";
    case RegionKind::ProgressBar: return "progress bar";
    case RegionKind::Icon: return "icon";
    case RegionKind::Picture: return "picture";
    case RegionKind::Text: return "text";
  }
  return "container";
}

bool interactable(RegionKind kind) {
  switch (kind) {
    case RegionKind::Container:
    case RegionKind::ProgressBar:
    case RegionKind::Picture:
    case RegionKind::Text: return false;
    default: return true;
  }
}

}  // namespace deskmark
