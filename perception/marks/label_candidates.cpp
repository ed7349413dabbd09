#include "perception/marks/label_candidates.hpp"

#include <algorithm>
#include <cstdlib>

#include "perception/marks/draw.hpp"

namespace deskmark {
namespace {

// Weights. A cost of 1 is about one step of taste between two good places; 10 is a place that misleads.
constexpr float kUnmarkedDetail = 0.4F;  // per pixel covered of text or lines that belong to no mark
constexpr float kMaxUnmarked = 16;
constexpr float kTight = 0.04F;  // per content pixel right beside the label
constexpr int kMaxTight = 60;
constexpr float kBesideOther = 2.5F;  // touches another mark too: whose number is it?
constexpr float kOverLarge = 4;       // lies on the empty part of a large other mark
constexpr float kOverOther = 3;       // reaches into another mark
constexpr float kOverOtherPixel = 0.12F;
constexpr float kMaxOverOther = 16;

/// Larger marks are not searched pixel by pixel.
constexpr int kSmallMark = 90;

/// Share of a mark that its own label, or another's, may hide.
constexpr double kOwnShare = 0.35;
constexpr double kOtherShare = 0.15;
/// A mark this many times a label's area is a surface rather than a widget: a document, a text area.
constexpr std::int64_t kLarge = 40;

struct Slot {
  int x, y;
  float cost;
};

/// Slots touching `m` for a label of w x h.
class Slots {
 public:
  Slots(const PictureRect& m, int w, int h) : m_{m}, w_{w}, h_{h} {
    const int left = m.x;
    const int right = m.right() - w;
    const int top = m.y;
    const int bottom = m.bottom() - h;
    const int middle = m.y + (m.h - h) / 2;

    // Along the edges, outside.
    row(top - h, left, right, 0, 3);
    row(m.bottom(), left, right, 5, 5.5F);
    add(left - w, middle, 1.5F);
    add(m.right(), middle, 2);
    // Half on an edge, like a badge.
    row(top - h / 2, left, right, 1, 3);
    row(m.bottom() - h / 2, left, right, 4.5F, 5);
    add(left - w / 2, middle, 2.5F);
    add(m.right() - w / 2, middle, 3);
    // At the corners, from outside to fully inside, in quarters of the label.
    constexpr struct {
      int quarters;
      float cost;
    } kShifts[] = {{4, 1.5F}, {3, 1}, {2, 0}, {1, 1}};
    for (const auto& x : kShifts) {
      for (const auto& y : kShifts) {
        const int dx = w * x.quarters / 4;
        const int dy = h * y.quarters / 4;
        const float cost = 1 + x.cost + y.cost;
        add(left - dx, top - dy, cost);
        add(right + dx, top - dy, cost + 2.5F);
        add(left - dx, bottom + dy, cost + 3);
        add(right + dx, bottom + dy, cost + 3);
      }
      add(left - w * x.quarters / 4, top, 2 + x.cost);
      add(right + w * x.quarters / 4, top, 3 + x.cost);
      add(left - w * x.quarters / 4, bottom, 3 + x.cost);
      add(right + w * x.quarters / 4, bottom, 4 + x.cost);
    }
    inside(left, right, top, bottom, middle);
  }

  [[nodiscard]] const std::vector<Slot>& all() const { return slots_; }

 private:
  void add(int x, int y, float cost) { slots_.push_back({x, y, cost}); }

  void inside(int left, int right, int top, int bottom, int middle) {
    // The inset keeps the outline visible around the label where there is room for it.
    const int x = std::clamp((m_.w - w_) / 2, 0, 2);
    const int y = std::clamp((m_.h - h_) / 2, 0, 2);
    if (right < left || bottom < top) return;
    row(top + y, left + x, right - x, 1.5F, 2);
    row(bottom - y, left + x, right - x, 3, 3);
    row(middle, left + x, right - x, 3, 2.5F);
    if (m_.h <= 4 * h_) return;
    const int step = std::max(h_, m_.h / 10);
    for (int at = top + step; at < bottom - y; at += step) {
      add(right - x, at, 4.5F);
      add(left + x, at, 5);
    }
  }

  /// Left end, right end and steps between, which cost more than the ends: a label at an end is easier to assign.
  void row(int y, int left, int right, float left_cost, float right_cost) {
    add(left, y, left_cost);
    if (right <= left) return;
    add(right, y, right_cost);
    const int step = std::max(3, (right - left) / 12);
    const float worse = std::max(left_cost, right_cost) + 1;
    for (int x = left + step; x < right; x += step) {
      add(x, y, worse + 2 * static_cast<float>(x - left) / static_cast<float>(right - left));
    }
  }

  PictureRect m_;
  int w_, h_;
  std::vector<Slot> slots_;
};

void sort_by_cost(std::vector<LabelCandidate>& candidates) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const LabelCandidate& a, const LabelCandidate& b) { return a.cost < b.cost; });
}

}  // namespace

LabelSurvey::LabelSurvey(int width, int height, const DetailMap& details, std::span<const PictureRect> marks)
    : picture_{0, 0, width, height}, details_{details}, marks_{marks}, grid_{width, height} {
  for (std::size_t m = 0; m < marks.size(); ++m) grid_.insert(m, marks[m]);
}

void LabelSurvey::find_neighbours(const PictureRect& area, std::size_t m) {
  const PictureRect& mark = marks_[m];
  neighbours_.clear();
  grid_.visit(area, [&](std::size_t n, const PictureRect& rect) {
    // One pixel of slack: a reduced picture rounds edges.
    if (n != m && !rect.inflated(1).contains(mark)) neighbours_.push_back(rect);
  });
}

std::optional<float> LabelSurvey::judge_pixels(const PictureRect& mark, const PictureRect& box, bool strict) const {
  if (!picture_.contains(box)) return std::nullopt;
  if (details_.content(box) > 0 && (strict || details_.ink(box) > 0)) return std::nullopt;
  const auto own = static_cast<double>(intersect(box, mark).area());
  if (own > kOwnShare * static_cast<double>(mark.area())) return std::nullopt;
  // Text reaches higher and lower than its ink when it is measured by its line.
  const int tight = details_.content({box.x - 1, box.y - 3, box.w + 2, box.h + 6});
  const int unmarked = details_.detail(box);  // content is none here, frames are little
  return kTight * static_cast<float>(std::min(tight, kMaxTight)) +
         std::min(kMaxUnmarked, kUnmarkedDetail * static_cast<float>(unmarked));
}

std::optional<float> LabelSurvey::judge_neighbours(const PictureRect& mark, const PictureRect& box,
                                                   bool detached) const {
  float cost = 0;
  // Within its mark a label is nobody else's.
  int touched = mark.contains(box) ? 2 : 0;
  for (const PictureRect& other : neighbours_) {
    const auto over = intersect(box, other).area();
    if (over == 0) {
      if (touched < 2 && !intersect(box.inflated(2), other).empty()) {
        cost += kBesideOther;
        ++touched;
      }
      continue;
    }
    if (other.area() >= kLarge * box.area()) {
      cost += kOverLarge;
      continue;
    }
    if (detached || static_cast<double>(over) > kOtherShare * static_cast<double>(other.area())) return std::nullopt;
    cost += std::min(kMaxOverOther, kOverOther + kOverOtherPixel * static_cast<float>(over));
  }
  return cost;
}

std::optional<float> LabelSurvey::judge(const PictureRect& mark, const PictureRect& box, bool strict) const {
  const auto pixels = judge_pixels(mark, box, strict);
  if (!pixels) return std::nullopt;
  const auto neighbours = judge_neighbours(mark, box, false);
  if (!neighbours) return std::nullopt;
  return *pixels + *neighbours;
}

void LabelSurvey::try_slots(std::size_t m, int number, DigitSize size, float extra, bool strict,
                            std::vector<LabelCandidate>& found) {
  const PictureRect& mark = marks_[m];
  if (mark.empty()) return;
  const LabelSize label = label_size(number, size);
  find_neighbours(mark.inflated(std::max(label.w, label.h) + 4), m);
  const Slots slots{mark, label.w, label.h};
  for (const Slot& slot : slots.all()) {
    const PictureRect box{slot.x, slot.y, label.w, label.h};
    if (const auto cost = judge(mark, box, strict)) found.push_back({box, size, *cost + slot.cost + extra});
  }
  sort_by_cost(found);
}

void LabelSurvey::beside(std::size_t m, int number, DigitSize size, float extra, std::vector<LabelCandidate>& found) {
  try_slots(m, number, size, extra, true, found);
}

void LabelSurvey::between_ink(std::size_t m, int number, DigitSize size, std::vector<LabelCandidate>& found) {
  try_slots(m, number, size, 0, false, found);
}

void LabelSurvey::everywhere(std::size_t m, int number, DigitSize size, float extra,
                             std::vector<LabelCandidate>& found) {
  const PictureRect& mark = marks_[m];
  if (mark.empty() || mark.w > kSmallMark || mark.h > kSmallMark) return;
  const LabelSize label = label_size(number, size);
  find_neighbours(mark.inflated(std::max(label.w, label.h) + 4), m);
  for (int y = mark.y - label.h; y <= mark.bottom(); y += 2) {
    for (int x = mark.x - label.w; x <= mark.right(); x += 2) {
      const PictureRect box{x, y, label.w, label.h};
      const auto cost = judge(mark, box, true);
      // The corners of the mark, top left first, are where people look.
      const float way = static_cast<float>(x - mark.x + label.w) / static_cast<float>(mark.w + label.w) +
                        static_cast<float>(y - mark.y + label.h) / static_cast<float>(mark.h + label.h);
      if (cost) found.push_back({box, size, *cost + 4 + way + extra});
    }
  }
  sort_by_cost(found);
}

std::vector<LabelCandidate> LabelSurvey::around(std::size_t m, int number, DigitSize size, int distance) {
  std::vector<LabelCandidate> found;
  const PictureRect& mark = marks_[m];
  if (mark.empty()) return found;
  const LabelSize label = label_size(number, size);
  const auto try_at = [&](int x, int y) {
    const PictureRect box{x, y, label.w, label.h};
    const auto pixels = judge_pixels(mark, box, true);
    if (!pixels) return;
    find_neighbours(box.inflated(2), m);
    if (const auto neighbours = judge_neighbours(mark, box, true)) found.push_back({box, size, *pixels + *neighbours});
  };
  const int left = mark.x - distance - label.w;
  const int right = mark.right() + distance;
  const int top = mark.y - distance - label.h;
  const int bottom = mark.bottom() + distance;
  const int step_x = std::max(4, (right - left) / 24);
  const int step_y = std::max(4, (bottom - top) / 24);
  for (int x = left; x <= right; x += step_x) try_at(x, top), try_at(x, bottom);
  for (int y = top + step_y; y < bottom; y += step_y) try_at(left, y), try_at(right, y);
  sort_by_cost(found);
  return found;
}

float LabelSurvey::line_in_other_marks(PicturePoint a, PicturePoint b, const PictureRect& mark) {
  const PictureRect reach{std::min(a.x, b.x), std::min(a.y, b.y), std::abs(a.x - b.x) + 1, std::abs(a.y - b.y) + 1};
  double pixels = 0;
  grid_.visit(reach, [&](std::size_t, const PictureRect& rect) {
    if (!rect.inflated(1).contains(mark)) pixels += share_inside(a, b, rect) * std::max(reach.w, reach.h);
  });
  return static_cast<float>(pixels);
}

}  // namespace deskmark
