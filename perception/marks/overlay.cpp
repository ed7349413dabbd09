#include "perception/marks/overlay.hpp"

namespace deskmark {

Overlay draw_marks(const Image& pixels, const Scene& scene) {
  Overlay overlay;
  overlay.picture = reduced(pixels, scene.width, scene.height);
  return overlay;
}

}  // namespace deskmark
