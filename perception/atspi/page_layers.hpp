// Settles what the tree of a web page leaves open (web_layers.hpp) by asking the browser (hit_test.hpp).
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "perception/atspi/pipeline.hpp"
#include "perception/atspi/walk.hpp"
#include "perception/atspi/web_layers.hpp"

namespace deskmark::atspi {

/// What was found out about a page lately; kept between looks, so that a page that stays is not asked again.
struct LayerMemory {
  struct Answer {
    std::string path;  ///< of the innermost known object
    std::chrono::steady_clock::time_point until;
  };
  WebLayers::Clips clips;
  std::map<std::string, Answer> answers;
  void clear() {
    clips.clear();
    answers.clear();
  }
};

/// For each page among the nodes. `area`: nothing outside is looked at. Bounded in questions and time; what stays open
/// stays as the tree has it.
void settle_layers(Bus& bus, Pipeline& pipeline, const DeviceRect& area, LayerMemory& memory, const Deadline& deadline,
                   WalkResult& result);

}  // namespace deskmark::atspi
