// What lies over what in a web page, and what a box cuts off: style sheets decide both, and the tree tells neither. The
// engine knows which object is at a point. Here is decided which points are worth asking (few: each answer takes the
// engine some milliseconds), and what follows from the answers.
//
// Doubtful is a control under the rectangle of something that is not related to it (a header that stays while the page
// scrolls, a panel that opened over the page), and one that sticks out of a box it is in (cut by `overflow: hidden`,
// or hanging over its edge).
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "perception/model/accessible.hpp"

namespace deskmark::atspi {

class WebLayers {
 public:
  /// Boxes that were found to cut off what they hold, or not to. Kept between looks: style sheets rarely change that.
  using Clips = std::map<ObjectRef, bool>;

  /// `document`: index of the page's node. `view`: the part of it that is looked at, device pixels.
  WebLayers(const std::vector<Accessible>& nodes, int document, const DeviceRect& view, Clips& clips);

  /// The next point to ask the page about; none: nothing is in doubt any more, or enough was asked.
  std::optional<DevicePoint> next();
  /// The two nodes the last point is about.
  [[nodiscard]] std::pair<int, int> pair() const;
  /// Middles of buttons with words in them over which nothing lies.
  [[nodiscard]] std::vector<DevicePoint> plain_buttons() const;
  /// The innermost known node at that point; -1: none that is known.
  void answer(int hit);
  /// Marks what the answers tell: attributes "layer" (drawn over what is not related to it; the higher number over the
  /// lower) and "clips" (cuts off what it holds).
  void apply(std::vector<Accessible>& nodes) const;

 private:
  /// One pair of a control and what may lie over it, or cut it off.
  struct Doubt {
    int control = -1;
    int other = -1;
    DevicePoint at;
    int weight = 0;  // leaves and controls draw something, containers perhaps not
    bool asked = false;
  };
  /// All doubts between two branches of the page, or about one box.
  struct Group {
    int under = -1;  // branch of the controls; -1: a box that may cut off
    int over = -1;   // branch of the others, or the box
    std::vector<Doubt> doubts;
    int asked = 0;
    bool settled = false;
  };
  /// Groups that look the same in the rows of one list: what was found out of one holds for all.
  struct Pattern {
    int list = -1;  // what holds the rows
    Role control = Role::Unknown;
    Role other = Role::Unknown;
    int apart = 0;  // branches between the two within the row
    friend auto operator<=>(const Pattern&, const Pattern&) = default;
  };
  struct Cover {
    int node = -1;   // taken for one panel with `hit`
    int hit = -1;    // what was seen
    int below = -1;  // what it was seen to lie over
    DevicePoint at;  // where
    int check = -1;  // another control under it, which tells whether the panel is rightly guessed
  };

  [[nodiscard]] bool inside(int node, int ancestor) const { return node >= ancestor && node < end_[at(ancestor)]; }
  [[nodiscard]] bool related(int a, int b) const { return inside(a, b) || inside(b, a); }
  [[nodiscard]] int branch(int common, int node) const;
  [[nodiscard]] int common_ancestor(int a, int b) const;
  [[nodiscard]] bool one_control(int common) const;
  [[nodiscard]] bool clips(int node) const;
  void place();
  void find_cut_off();
  void find_covered();
  void sort_groups();
  void doubt(int control, int other);
  std::optional<DevicePoint> next_doubt();
  void judge_box(Group& group, int hit);
  void judge_pair(Group& group, const Doubt& doubt, int hit);
  [[nodiscard]] std::optional<Pattern> pattern(const Doubt& doubt) const;
  bool known_pattern(Group& group, const Doubt& doubt);
  void add_cover(int hit, int top, int below, DevicePoint at);
  void add_small_cover(int over, int below);
  void check_later(Cover& cover);
  [[nodiscard]] std::optional<DevicePoint> open_point(const Doubt& doubt) const;
  [[nodiscard]] bool settled(const Doubt& doubt) const;
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  const std::vector<Accessible>& nodes_;
  int document_;
  DeviceRect view_;
  Clips& clips_;
  std::vector<int> end_;          // one past the last node below each
  std::vector<DeviceRect> seen_;  // what is left of each after what is known to clip
  std::vector<int> controls_;
  std::vector<Group> groups_;
  std::map<std::pair<int, int>, std::size_t> group_of_;
  std::vector<Cover> covers_;
  std::map<Pattern, bool> patterns_;  // true: the control lies over the other
  bool boxes_done_ = false;
  std::size_t group_ = 0;  // the one that was asked last
  std::size_t doubt_ = 0;
  int checked_ = -1;  // the last question was about this cover
  int questions_ = 0;
};

}  // namespace deskmark::atspi
