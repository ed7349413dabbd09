// Which children of a very wide container lie in view, without asking all of them: a page with ten thousand links, a
// table with a million cells, a spreadsheet that claims 2^31. Samples are probed, and only where they change from above
// the view to in it or below it is asked further. Bounded in calls; cycles, sentinels and unsorted children cost
// accuracy (complete() is false), never time.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "perception/atspi/caller.hpp"
#include "perception/atspi/wire.hpp"

namespace deskmark::atspi {

/// Call that answers the child at an index with ((so)).
using ChildGetter = std::function<Call(int index)>;

class WideChildren : public std::enable_shared_from_this<WideChildren> {
 public:
  struct Found {
    std::vector<std::pair<int, ObjectRef>> children;  ///< in view or undecided, by index
    bool complete = true;
  };
  using Done = std::function<void(Found)>;

  /// `view`: what can be seen, in the coordinates GetExtents(`coordinates`) answers. `limit`: children handed out at
  /// most.
  static void find(Caller& caller, ChildGetter getter, int count, RawRect view, std::uint32_t coordinates, bool along_x,
                   int limit, Done done);

 private:
  enum class Place : signed char { Before = -1, In = 0, After = 1, Unknown = 2 };
  struct Probe {
    ObjectRef ref;
    Place place = Place::Unknown;
    bool answered = false;
  };

  WideChildren(Caller& caller, ChildGetter getter, int count, RawRect view, std::uint32_t coordinates, bool along_x,
               int limit, Done done);
  void probe(const std::vector<int>& indices);
  void next_round();
  void fetch();
  void finish();
  [[nodiscard]] Place place_of(const RawRect& r) const;

  Caller& caller_;
  ChildGetter getter_;
  int count_;
  RawRect view_;
  std::uint32_t coordinates_;
  bool along_x_;
  int limit_;
  Done done_;
  std::map<int, Probe> probes_;  // by index
  std::vector<int> wanted_;
  int waiting_ = 0;
  int rounds_ = 0;
  bool complete_ = true;
};

}  // namespace deskmark::atspi
