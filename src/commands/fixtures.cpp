#include "src/commands/fixtures.hpp"

#include "perception/marks/encode.hpp"
#include "perception/marks/overlay.hpp"
#include "perception/perceive.hpp"

namespace deskmark {

OrderedJson fixture_failure(const std::string& action, const FixtureError& error) {
  OrderedJson j{{"ok", false}, {"action", action}, {"code", error.code}, {"message", valid_utf8(describe(error))}};
  j["file"] = valid_utf8(error.file);
  if (!error.field.empty()) j["field"] = valid_utf8(error.field);
  return j;
}

Scene replayed(const Observation& observation, int max_elements) {
  PerceiveOptions options;
  options.max_elements = max_elements;
  return perceive(observation, options);
}

std::vector<std::uint8_t> marked_picture(const Observation& observation, const Scene& scene) {
  if (!observation.pixels) return {};
  return encode_png(draw_marks(*observation.pixels, scene).picture).bytes;
}

}  // namespace deskmark
