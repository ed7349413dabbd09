// The picture a model sees: the capture, reduced if asked, with numbered marks drawn on it.
#pragma once

#include <vector>

#include "perception/model/scene.hpp"

namespace deskmark {

/// Where one number went.
struct PlacedLabel {
  int index = 0;        ///< the mark's number
  PictureRect box;      ///< the drawn label with its background; empty when it found no room
  bool leader = false;  ///< joined to its mark by a leader line
};

struct Overlay {
  Image picture;                    ///< delivered picture: scene.width x scene.height
  std::vector<PlacedLabel> labels;  ///< one per mark, in mark order
  int left_off = 0;                 ///< labels that found no room
};

/// Reduces `pixels` to scene.width x scene.height (area filter) when needed, then draws the marks on the reduced
/// picture.
[[nodiscard]] Overlay draw_marks(const Image& pixels, const Scene& scene);

}  // namespace deskmark
