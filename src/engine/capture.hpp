// capture: observe, perceive, draw, encode, reply.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>

#include "perception/marks/overlay.hpp"
#include "src/engine/client.hpp"
#include "src/engine/observe.hpp"

namespace deskmark {

struct CaptureSettings {
  int max_image_dimension = 0;
  std::size_t max_image_bytes = 0;
  int max_elements = 300;
  bool label_boxes =
      false;  ///< put where each number was drawn into the reply (`label_boxes`), for tests of the overlay
};

/// Captures `target` for `client` and remembers the snapshot; on failure disarms the client's marks.
[[nodiscard]] Reply capture(const Sources& sources, const Target& target, const WindowList& list, Mode mode,
                            const CaptureSettings& settings, Engine::Client& client, const Deadline& deadline);

}  // namespace deskmark
