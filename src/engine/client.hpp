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
#include "src/policy/typed.hpp"

namespace deskmark {

/// One capture as delivered. Immutable; marks are bound to objects through `observation.nodes`.
struct Snapshot {
  std::string id;
  Mode mode = Mode::Som;
  Target target;
  Observation observation;
  Scene scene;
  std::vector<Window> windows;  ///< all windows of the screen then, frontmost first
};

/// Where typed text goes when a request names no field.
struct Keyboard {
  ObjectRef field;           ///< the field that deskmark last clicked or typed into
  std::uint32_t window = 0;  ///< the captured window it belongs to
  bool focused = false;      ///< the toolkit's own focus was put there as well
  bool moved = false;        ///< keys were pressed since that may have moved it on (Tab, Return…)
  bool elsewhere = false;    ///< something else was clicked since: keys alone belong there
};

class Engine::Client {
 public:
  static constexpr std::size_t kRemembered = 8;

  std::mutex busy;  ///< requests of one client run one after another

  void remember(std::shared_ptr<const Snapshot> snapshot) {
    snapshots_.push_front(std::move(snapshot));
    if (snapshots_.size() > kRemembered) snapshots_.pop_back();
    armed_ = true;
    focus_.reset();
    seen = std::shared_ptr<const Observation>(snapshots_.front(), &snapshots_.front()->observation);
  }
  /// A failed capture disarms: marks of an older picture must not be acted on by accident.
  void disarm() { armed_ = false; }
  /// The capture that `element` means; null when there is none or the last one failed.
  [[nodiscard]] std::shared_ptr<const Snapshot> newest() const {
    return armed_ && !snapshots_.empty() ? snapshots_.front() : nullptr;
  }
  /// focus_app: what names no mark and no pixel goes to this window from now on, until the next capture.
  void focus(const Target& target) {
    auto made = std::make_shared<Snapshot>();
    made->target = target;
    made->observation.target = target.window;
    if (!snapshots_.empty()) made->mode = snapshots_.front()->mode;
    focus_ = std::move(made);
  }
  [[nodiscard]] std::shared_ptr<const Snapshot> focused() const { return focus_; }

  Keyboard keyboard;
  /// The last look at the window, nothing was sent since: tells what changes by itself. May be null.
  std::shared_ptr<const Observation> seen;
  TypedTails typed;               ///< what was typed lately, so that nothing blocked passes in pieces
  std::uint64_t lease_epoch = 0;  ///< when it last had its turn; marks of before a change of hands are void
  [[nodiscard]] std::string next_id() { return "s" + std::to_string(++counter_); }

 private:
  std::deque<std::shared_ptr<const Snapshot>> snapshots_;
  std::shared_ptr<const Snapshot> focus_;
  bool armed_ = false;
  std::uint64_t counter_ = 0;
};

}  // namespace deskmark
