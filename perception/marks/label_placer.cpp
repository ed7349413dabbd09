#include "perception/marks/label_placer.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

#include "perception/marks/draw.hpp"
#include "perception/marks/label_candidates.hpp"

namespace deskmark {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
/// Pixels kept between two labels.
constexpr int kGap = 1;
/// Distances of a detached label from its mark, pixels.
constexpr std::array kDistances = {5, 10, 16, 24, 34, 46, 60, 78, 100};
constexpr float kPerLinePixel = 0.08F;    // a long leader line
constexpr float kPerCrossedPixel = 1.2F;  // a leader line over something to read
constexpr float kPerForeignPixel = 0.4F;  // a leader line through another mark
constexpr float kSmallerSize = 1.5F;      // next smaller digits
constexpr std::size_t kEnough = 6;        // places to choose from
constexpr float kGood = 4;                // a best place that needs no smaller digits
constexpr float kCramped = 9;             // a best place that calls for the thorough search
constexpr float kGoodEnough = 6;          // stop looking further out
constexpr float kNearby = 9;              // cost of a detached place that is easily followed
constexpr float kAnywhere = 1000;
constexpr float kDoubtful = 12;  // a touching place worse than this loses to a clean detached one

PicturePoint nearest(const PictureRect& r, PicturePoint p) {
  return {std::clamp(p.x, r.x, r.right() - 1), std::clamp(p.y, r.y, r.bottom() - 1)};
}

class Placer {
 public:
  Placer(int width, int height, const DetailMap& details, std::span<const LabelRequest> requests, DigitSize preferred)
      : details_{details}, requests_{requests}, bounds_{bounds_of(requests)}, survey_{width, height, details, bounds_} {
    for (int s = static_cast<int>(preferred); s >= 0; --s) sizes_.push_back(static_cast<DigitSize>(s));
  }

  std::vector<LabelPlace> run() {
    const std::size_t count = requests_.size();
    places_.resize(count);
    candidates_.resize(count);
    costs_.resize(count);
    stages_.resize(count);
    for (std::size_t m = 0; m < count; ++m) survey(m);
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return candidates_[a].size() < candidates_[b].size(); });
    std::vector<std::size_t> homeless;
    for (const std::size_t m : order) {
      if (requests_[m].mark.empty()) continue;
      bool placed = false;
      do {
        placed = take_best(m) || push_aside(m);
      } while (!placed && widen(m));
      if (!placed) homeless.push_back(m);
    }
    for (const std::size_t m : order) improve(m);
    for (const std::size_t m : order) {
      if (!places_[m].box.empty() && costs_[m] > kDoubtful) homeless.push_back(m);
    }
    // Last, so that few labels must keep off leader lines. A clean place nearby, else one between the ink, else any.
    for (const std::size_t m : homeless) {
      if (!detach(m, kNearby) && places_[m].box.empty() && !squeeze(m)) detach(m, kAnywhere);
    }
    return std::move(places_);
  }

 private:
  static std::vector<PictureRect> bounds_of(std::span<const LabelRequest> requests) {
    std::vector<PictureRect> bounds;
    bounds.reserve(requests.size());
    for (const LabelRequest& request : requests) bounds.push_back(request.mark);
    return bounds;
  }

  /// Adds places of the next stage: each smaller size, then the thorough search. False when there is none left.
  bool widen(std::size_t m) {
    const std::size_t stage = stages_[m]++;
    if (stage > sizes_.size()) return false;
    const float extra = kSmallerSize * static_cast<float>(stage);
    if (stage < sizes_.size()) {
      survey_.beside(m, requests_[m].number, sizes_[stage], extra, candidates_[m]);
    } else {
      survey_.everywhere(m, requests_[m].number, sizes_.back(), extra, candidates_[m]);
    }
    return true;
  }

  /// Collects places until some are good: most marks have room for the first size.
  void survey(std::size_t m) {
    const std::vector<LabelCandidate>& found = candidates_[m];
    while (found.size() < kEnough || found.front().cost > (stages_[m] < sizes_.size() ? kGood : kCramped)) {
      if (!widen(m)) return;
    }
  }

  /// Labels that `box` would overlap, `except` not counted. At most two are told: more are too many anyway.
  [[nodiscard]] std::pair<std::size_t, std::size_t> blockers(const PictureRect& box, std::size_t except) const {
    std::pair<std::size_t, std::size_t> found{kNone, kNone};
    const PictureRect wide = box.inflated(kGap);
    for (std::size_t m = 0; m < places_.size(); ++m) {
      if (m == except || places_[m].box.empty() || intersect(wide, places_[m].box).empty()) continue;
      if (found.first != kNone) return {found.first, m};
      found.first = m;
    }
    return found;
  }

  [[nodiscard]] bool is_free(const PictureRect& box, std::size_t except) const {
    return blockers(box, except).first == kNone;
  }

  void put(std::size_t m, const LabelCandidate& c) {
    places_[m] = {c.box, c.size, false, {}, {}};
    costs_[m] = c.cost;
  }

  bool take_best(std::size_t m) {
    for (const LabelCandidate& c : candidates_[m]) {
      if (!is_free(c.box, m)) continue;
      put(m, c);
      return true;
    }
    return false;
  }

  /// Gives `m` a place held by one other label that has somewhere else to go; the cheapest such exchange.
  bool push_aside(std::size_t m) {
    const LabelCandidate* best = nullptr;
    const LabelCandidate* best_other = nullptr;
    std::size_t best_blocker = kNone;
    for (const LabelCandidate& c : candidates_[m]) {
      const auto [blocker, more] = blockers(c.box, m);
      if (blocker == kNone || more != kNone) continue;
      for (const LabelCandidate& other : candidates_[blocker]) {
        if (best != nullptr && c.cost + other.cost >= best->cost + best_other->cost) break;
        if (!intersect(other.box.inflated(kGap), c.box).empty() || !is_free(other.box, blocker)) continue;
        best = &c;
        best_other = &other;
        best_blocker = blocker;
        break;
      }
    }
    if (best == nullptr) return false;
    put(best_blocker, *best_other);
    put(m, *best);
    return true;
  }

  /// Moves `m` to a better place that has become free.
  void improve(std::size_t m) {
    if (places_[m].box.empty()) return;
    for (const LabelCandidate& c : candidates_[m]) {
      if (c.box == places_[m].box) return;
      if (!is_free(c.box, m)) continue;
      put(m, c);
      return;
    }
  }

  /// Takes a free place between the ink of text lines.
  bool squeeze(std::size_t m) {
    candidates_[m].clear();
    survey_.between_ink(m, requests_[m].number, sizes_.back(), candidates_[m]);
    for (const LabelCandidate& c : candidates_[m]) {
      if (!is_free(c.box, m) || covers_line(c.box)) continue;
      put(m, c);
      return true;
    }
    return false;
  }

  /// Looks for a place further off that costs at most `limit`; one that `m` has already must be beaten.
  bool detach(std::size_t m, float limit) {
    const PictureRect& mark = requests_[m].mark;
    float best_cost = 0;
    LabelPlace best;
    for (const int distance : kDistances) {
      for (const LabelCandidate& c : survey_.around(m, requests_[m].number, sizes_.back(), distance)) {
        if (!best.box.empty() && c.cost + kPerLinePixel * static_cast<float>(distance) >= best_cost) break;
        if (!is_free(c.box, m) || covers_line(c.box)) continue;
        const PicturePoint to = nearest(mark, c.box.center());
        const PicturePoint from = nearest(c.box, to);
        const auto line = line_cost(from, to, mark);
        if (!line) continue;
        const float cost = c.cost + *line;
        if (best.box.empty() || cost < best_cost) {
          best_cost = cost;
          best = {c.box, c.size, true, from, to};
        }
      }
      if (!best.box.empty() && best_cost <= kGoodEnough) break;
    }
    if (best.box.empty() || (!places_[m].box.empty() && best_cost >= costs_[m] - kGoodEnough)) return false;
    if (best_cost > limit) return false;
    places_[m] = best;
    costs_[m] = best_cost;
    return true;
  }

  /// Would a label here cover a leader line drawn already?
  [[nodiscard]] bool covers_line(const PictureRect& box) const {
    return std::any_of(places_.begin(), places_.end(), [&](const LabelPlace& place) {
      return place.leader && share_inside(place.from, place.to, box.inflated(1)) > 0;
    });
  }

  /// Nothing when the line would run through another label or across another line.
  [[nodiscard]] std::optional<float> line_cost(PicturePoint from, PicturePoint to, const PictureRect& mark) {
    for (const LabelPlace& place : places_) {
      if (!place.box.empty() && share_inside(from, to, place.box.inflated(1)) > 0) return std::nullopt;
      if (place.leader && segments_cross(from, to, place.from, place.to)) return std::nullopt;
    }
    float cost = kPerForeignPixel * survey_.line_in_other_marks(from, to, mark);
    visit_line(from, to, [&](int x, int y) {
      cost += kPerLinePixel;
      if (!mark.contains(PicturePoint{x, y}) && details_.detail({x, y, 1, 1}) > 0) cost += kPerCrossedPixel;
    });
    return cost;
  }

  static bool segments_cross(PicturePoint a, PicturePoint b, PicturePoint c, PicturePoint d) {
    const auto side = [](PicturePoint p, PicturePoint q, PicturePoint r) {
      const std::int64_t v = std::int64_t{q.x - p.x} * (r.y - p.y) - std::int64_t{q.y - p.y} * (r.x - p.x);
      return v > 0 ? 1 : v < 0 ? -1 : 0;
    };
    return side(a, b, c) != side(a, b, d) && side(c, d, a) != side(c, d, b);
  }

  const DetailMap& details_;
  std::span<const LabelRequest> requests_;
  std::vector<PictureRect> bounds_;
  LabelSurvey survey_;
  std::vector<DigitSize> sizes_;
  std::vector<std::vector<LabelCandidate>> candidates_;
  std::vector<std::size_t> stages_;  ///< how far each mark's candidates were collected
  std::vector<LabelPlace> places_;
  std::vector<float> costs_;  ///< of the places taken
};

}  // namespace

std::vector<LabelPlace> place_labels(int width, int height, const DetailMap& details,
                                     std::span<const LabelRequest> requests, DigitSize preferred) {
  return Placer{width, height, details, requests, preferred}.run();
}

}  // namespace deskmark
