// Asks a browser which object is drawn at a point of its page. Chromium answers at once by rectangles alone and has the
// page work out the right answer, which it gives to the next question about a point within that object. An answer that
// stays the same may be right or still the first one: between two tries the page is asked something else, whose right
// answer is known to differ from the first, so that it is certain to have come that far.
#pragma once

#include <chrono>
#include <map>
#include <utility>
#include <vector>

#include "perception/atspi/pipeline.hpp"
#include "perception/atspi/wire.hpp"
#include "perception/deadline.hpp"

namespace deskmark::atspi {

class HitTest {
 public:
  /// `document`: the page. `late`: the right answer comes to the second question (Chromium). All of it is given up when
  /// `deadline` passes.
  HitTest(Bus& bus, Pipeline& pipeline, ObjectRef document, bool late, Deadline deadline);

  struct Hit {
    ObjectRef ref;      ///< the innermost object; null: no answer
    bool sure = false;  ///< it is another one than the rectangles tell, or the browser answers rightly at once
  };
  /// At a point in the coordinates of GetExtents. `near_last`: the point may lie within the object that was found last.
  Hit at(int x, int y, bool near_last);
  /// Tries a point whose right answer will differ from the first one: the middle of a button with words in it.
  void calibrate(int x, int y);
  [[nodiscard]] bool calibrated() const { return sentinels_.size() > 1; }
  /// What `of` is in; null: not told.
  ObjectRef parent(const ObjectRef& of);

 private:
  struct Sentinel {
    int x = 0;
    int y = 0;
    ObjectRef right;  // the answer, another one than rectangles give
  };
  ObjectRef ask(int x, int y);
  /// The answer once it is another than `first`, else `first` after `wait`.
  ObjectRef changed(int x, int y, const ObjectRef& first, std::chrono::milliseconds wait);
  void pass_barrier();
  const Sentinel& next_sentinel();
  void pause(std::chrono::milliseconds time);

  Bus& bus_;
  Pipeline& pipeline_;
  ObjectRef document_;
  Deadline deadline_;
  bool late_;
  std::vector<Sentinel> sentinels_;
  std::map<std::pair<int, int>, Hit> asked_;
  std::size_t turn_ = 0;
  std::chrono::milliseconds took_;  // the right answer, lately
};

}  // namespace deskmark::atspi
