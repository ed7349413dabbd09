#include "perception/atspi/hit_test.hpp"

#include <algorithm>
#include <utility>

namespace deskmark::atspi {
namespace {

using namespace std::chrono_literals;

constexpr auto kFirstGuess = 15ms;  // the page takes, before it is known
constexpr auto kLeastWait = 8ms;
constexpr auto kMostWait = 40ms;
constexpr auto kBarrier = 150ms;  // a page that takes longer is too busy to be asked
constexpr auto kPause = 3ms;      // between two questions about one point: each makes the page work

}  // namespace

HitTest::HitTest(Bus& bus, Pipeline& pipeline, ObjectRef document, bool late, Deadline deadline)
    : bus_(bus),
      pipeline_(pipeline),
      document_(std::move(document)),
      deadline_(std::move(deadline)),
      late_(late),
      took_(kFirstGuess) {}

ObjectRef HitTest::ask(int x, int y) {
  constexpr guint32 kScreen = 0;  // ATSPI_COORD_TYPE_SCREEN
  ObjectRef hit;
  pipeline_.call(
      {document_.bus, document_.path, kComponent, "GetAccessibleAtPoint", g_variant_new("(iiu)", x, y, kScreen)},
      [&hit](GVariant* body) {
        if (auto ref = decode_ref(body); ref && !null_ref(*ref)) hit = *ref;
      });
  pipeline_.run(deadline_);
  return hit;
}

ObjectRef HitTest::changed(int x, int y, const ObjectRef& first, std::chrono::milliseconds wait) {
  const auto start = Bus::Clock::now();
  ObjectRef hit = first;
  while (hit == first && Bus::Clock::now() - start < wait && !deadline_.passed()) {
    pause(kPause);
    hit = ask(x, y);
  }
  if (!(hit == first)) {
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Bus::Clock::now() - start);
    took_ = std::max(took, took_ / 2);
  }
  return hit;
}

void HitTest::calibrate(int x, int y) {
  if (!late_) return;
  const ObjectRef first = ask(x, y);
  const ObjectRef hit = changed(x, y, first, kMostWait);
  // The words in the button, and nothing else: what is larger would be remembered for other points, too.
  if (!(hit == first) && parent(hit) == first) sentinels_.push_back({x, y, hit});
}

/// Afterwards the page has answered everything that was asked before.
void HitTest::pass_barrier() {
  if (!calibrated()) return;
  const Sentinel& sentinel = next_sentinel();
  const auto start = Bus::Clock::now();
  while (!(ask(sentinel.x, sentinel.y) == sentinel.right) && Bus::Clock::now() - start < kBarrier &&
         !deadline_.passed())
    pause(kPause);
}

/// By turns: the answer about the last one may still be remembered.
const HitTest::Sentinel& HitTest::next_sentinel() { return sentinels_[turn_++ % sentinels_.size()]; }

HitTest::Hit HitTest::at(int x, int y, bool near_last) {
  if (!late_) return {ask(x, y), true};
  const auto known = asked_.find({x, y});
  if (known != asked_.end()) return known->second;
  // What is remembered of the last object would be taken for the answer.
  if (near_last) pass_barrier();
  const ObjectRef first = ask(x, y);
  ObjectRef hit = first;
  if (calibrated()) {
    const Sentinel& sentinel = next_sentinel();
    const auto start = Bus::Clock::now();
    bool passed = false;
    passed = ask(sentinel.x, sentinel.y) == sentinel.right;
    pause(took_ * 2 / 3);
    for (;;) {
      hit = ask(x, y);
      if (!(hit == first) || passed || Bus::Clock::now() - start > kBarrier || deadline_.passed()) break;
      passed = ask(sentinel.x, sentinel.y) == sentinel.right;
      pause(kPause);
    }
    took_ = std::max(std::chrono::duration_cast<std::chrono::milliseconds>(Bus::Clock::now() - start), took_ / 2);
  }
  // The page has come past the question; its answer is on its way, if it is another one.
  if (hit == first) hit = changed(x, y, first, std::clamp<std::chrono::milliseconds>(took_ * 2, kLeastWait, kMostWait));
  return asked_[{x, y}] = {hit, !(hit == first)};
}

void HitTest::pause(std::chrono::milliseconds time) {
  const auto again = Bus::Clock::now() + std::max<std::chrono::milliseconds>(time, kPause);
  while (Bus::Clock::now() < again && !deadline_.passed()) bus_.pump(again);
}

ObjectRef HitTest::parent(const ObjectRef& of) {
  ObjectRef parent;
  pipeline_.call(get_property(of, kAccessible, "Parent"), [&parent](GVariant* body) {
    if (auto ref = decode_ref_property(body); ref && !null_ref(*ref)) parent = *ref;
  });
  pipeline_.run(deadline_);
  return parent;
}

}  // namespace deskmark::atspi
