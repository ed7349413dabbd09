// observation.json, expected.json and pixels.png of a fixture from anywhere: read or refused with a place, never a
// crash; what was read is bounded, is written to the same text again, and can be perceived and masked.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "check.hpp"
#include "perception/fixture/expected.hpp"
#include "perception/fixture/folder.hpp"
#include "perception/fixture/limits.hpp"
#include "perception/fixture/mask.hpp"
#include "perception/fixture/observation_json.hpp"
#include "perception/fixture/png.hpp"
#include "perception/perceive.hpp"

using namespace deskmark;

namespace {

void check_error(const FixtureError& error) {
  FUZZ_CHECK(error.code == "fixture_invalid" || error.code == "fixture_version" || error.code == "fixture_too_large");
  FUZZ_CHECK(!error.file.empty() && !error.message.empty());
}

void observation(std::string_view text) {
  FixtureError error;
  std::string picture;
  Recording r = observation_from_json(text, picture, error);
  if (error) return check_error(error);
  FUZZ_CHECK(picture.empty() || plain_file_name(picture));
  Observation& o = r.observation;
  for (std::size_t i = 0; i < o.nodes.size(); ++i) {
    FUZZ_CHECK(o.nodes[i].parent < static_cast<int>(i));
    for (const int label : o.nodes[i].labelled_by) FUZZ_CHECK(label >= 0 && label < static_cast<int>(o.nodes.size()));
  }
  for (const Surface& s : o.surfaces) FUZZ_CHECK(s.root < static_cast<int>(o.nodes.size()));

  const std::string written = observation_to_json(r, picture);
  std::string picture_again;
  const Recording again = observation_from_json(written, picture_again, error);
  FUZZ_CHECK(!error);
  FUZZ_CHECK(observation_to_json(again, picture_again) == written);

  if (o.nodes.size() > 2000) return;  // time, not safety
  if (o.area.area() > 0 && o.area.area() < 40'000)
    o.pixels = std::make_shared<const Image>(Image{o.area.w, o.area.h, 0xf0f0f0});
  const Scene scene = perceive(o, {});
  const Expected expected = expected_of(scene, "");
  FUZZ_CHECK(expected.marks.size() <= 300);
  (void)render_outline(scene, 2000);
  mask_passwords(o);
  mask_text(o, {{{0, 0, 20, 10}}, {}});
}

void expected(std::string_view text) {
  FixtureError error;
  const Expected read = expected_from_json(text, error);
  if (error) return check_error(error);
  const std::string written = expected_to_json(read);
  FUZZ_CHECK(expected_to_json(expected_from_json(written, error)) == written);
  FUZZ_CHECK(!error);
}

void picture(std::span<const std::uint8_t> bytes) {
  // The largest pictures only cost time.
  if (bytes.size() > 24 && (bytes[16] | bytes[17] | bytes[20] | bytes[21]) != 0) return;
  FixtureError error;
  const Image image = read_png(bytes, "p.png", error);
  if (error) {
    check_error(error);
    FUZZ_CHECK(image.empty());
    return;
  }
  FUZZ_CHECK(image.width <= fixture_limits::kPictureSide);
  FUZZ_CHECK(image.bgrx.size() == image.stride() * static_cast<std::size_t>(image.height));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::span rest{data + 1, size - 1};
  const std::string_view text{reinterpret_cast<const char*>(rest.data()), rest.size()};
  switch (data[0] % 4) {
    case 0: picture(rest); break;
    case 1: expected(text); break;
    default: observation(text); break;
  }
  return 0;
}
