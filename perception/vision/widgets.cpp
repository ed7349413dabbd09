#include "perception/vision/widgets.hpp"

namespace deskmark::vision {

void arrange_boxes(Arrangement& a) {
  sliders(a);
  for (int i = 0; i < static_cast<int>(a.shapes.boxes.size()); ++i) {
    if (!a.box_leaf[static_cast<std::size_t>(i)]) switch_knob(a, i);
  }
  // From the smallest up, so that a container knows what its content became.
  for (int i = static_cast<int>(a.shapes.boxes.size()) - 1; i >= 0; --i) {
    if (!a.box_leaf[static_cast<std::size_t>(i)]) indicator(a, i);
  }
  for (int i = 0; i < static_cast<int>(a.shapes.boxes.size()); ++i) {
    if (!a.box_leaf[static_cast<std::size_t>(i)]) rows_beside_selected(a, i);
  }
  for (int i = 0; i < static_cast<int>(a.shapes.boxes.size()); ++i) {
    if (!a.box_leaf[static_cast<std::size_t>(i)] && !single_row(a, i) && !tall_button(a, i) && !long_field(a, i))
      card_row(a, i);
  }
  for (int i = 0; i < static_cast<int>(a.shapes.boxes.size()); ++i) {
    if (!a.box_leaf[static_cast<std::size_t>(i)]) text_area(a, i);
  }
  keypad_keys(a);
  checked_boxes(a);
  join_troughs(a);
  join_combo_boxes(a);
}

}  // namespace deskmark::vision
