// What the commands for fixtures share.
#pragma once

#include <string>

#include "perception/fixture/fixture.hpp"
#include "perception/model/scene.hpp"
#include "src/engine/replies.hpp"

namespace deskmark {

/// {ok: false, action, code, message, file, field}
[[nodiscard]] OrderedJson fixture_failure(const std::string& action, const FixtureError& error);
/// What perceive makes of it with the options that expected marks are for: no limit on the picture's size.
[[nodiscard]] Scene replayed(const Observation& observation, int max_elements = 300);
/// The picture with the marks of `scene`, as PNG; empty when there are no pixels.
[[nodiscard]] std::vector<std::uint8_t> marked_picture(const Observation& observation, const Scene& scene);

}  // namespace deskmark
