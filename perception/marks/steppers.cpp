#include "perception/marks/content_box.hpp"
#include "perception/marks/controls.hpp"

namespace deskmark {

void add_steppers(const Tree& tree, const std::vector<Sight>& sights, Controls& controls) {
  const int scale = gtk4_scale(tree);
  const std::size_t count = controls.all.size();
  for (std::size_t c = 0; c < count; ++c) {
    const Accessible& node = tree.node(controls.all[c].node);
    const Sight& sight = sights[static_cast<std::size_t>(controls.all[c].node)];
    if (controls.all[c].part != Part::Spin || node.toolkit != Toolkit::Gtk4 || node.states.has(State::Vertical))
      continue;
    const DeviceRect box = controls.all[c].rect;
    // An icon of 16, padded by 9 on both sides, and a line between: measured on GTK 4.8.
    const int width = 35 * scale;
    if (tree.first_child(controls.all[c].node) >= 0 || box != sight.extents || box.w < 2 * width + 16 * scale) continue;
    controls.all[c].rect.w = box.w - 2 * width;
    for (const int step : {-1, 1}) {
      Control button = controls.all[c];
      button.part = Part::Button;
      button.stepper = step;
      button.rect = {step < 0 ? box.right() - 2 * width : box.right() - width, box.y, width, box.h};
      controls.all.push_back(std::move(button));
    }
  }
}

}  // namespace deskmark
