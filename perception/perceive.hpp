// perceive: Observation -> Scene. Pure and deterministic: no clock, no D-Bus, no X.
#pragma once

#include "perception/model/scene.hpp"

namespace deskmark {

struct PerceiveOptions {
  int max_elements = 300;       ///< marks kept; the rest is counted in Scene::total
  int max_image_dimension = 0;  ///< longer side of the delivered picture, 0: no limit
  bool pixel_marks = true;      ///< add marks from contours and text where the tree does not explain the pixels
  int outline_budget = 20000;   ///< characters of `tree`
};

[[nodiscard]] Scene perceive(const Observation& observation, const PerceiveOptions& options);

/// The `tree` of an ax reply: indented outline; what the budget cut is said in its last line.
[[nodiscard]] std::string render_outline(const Scene& scene, int budget_characters);
/// The `summary` of a som reply: `#7 push button "Save" (x,y w×h)`, one line per mark.
[[nodiscard]] std::string render_summary(const Scene& scene);

}  // namespace deskmark
