#include "perception/perceive.hpp"

namespace deskmark {

Scene perceive(const Observation& observation, const PerceiveOptions&) {
  Scene scene;
  scene.width = observation.area.w;
  scene.height = observation.area.h;
  return scene;
}

}  // namespace deskmark
