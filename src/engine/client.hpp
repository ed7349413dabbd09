// What the engine remembers of one client: its newest captures, what later actions mean by default.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "perception/model/scene.hpp"
#include "schema/request.hpp"
#include "src/engine.hpp"
#include "src/engine/targets.hpp"

namespace deskmark {

/// One capture as delivered. Immutable; marks are bound to objects through `observation.nodes`.
struct Snapshot {
  std::string id;
  Mode mode = Mode::Som;
  Target target;
  Observation observation;
  Scene scene;
};

class Engine::Client {
 public:
  static constexpr std::size_t kRemembered = 8;

  std::mutex busy;  ///< requests of one client run one after another

  void remember(std::shared_ptr<const Snapshot> snapshot) {
    snapshots_.push_front(std::move(snapshot));
    if (snapshots_.size() > kRemembered) snapshots_.pop_back();
    armed_ = true;
  }
  /// A failed capture disarms: marks of an older picture must not be acted on by accident.
  void disarm() { armed_ = false; }
  /// The capture that `element` means; null when there is none or the last one failed.
  [[nodiscard]] std::shared_ptr<const Snapshot> newest() const {
    return armed_ && !snapshots_.empty() ? snapshots_.front() : nullptr;
  }
  ObjectRef last_field;  ///< the field that text was last put into or that was clicked
  [[nodiscard]] std::string next_id() { return "s" + std::to_string(++counter_); }

 private:
  std::deque<std::shared_ptr<const Snapshot>> snapshots_;
  bool armed_ = false;
  std::uint64_t counter_ = 0;
};

}  // namespace deskmark
