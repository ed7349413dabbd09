#include "perception/marks/label_candidates.hpp"

#include <algorithm>

namespace deskmark {
namespace {

// Weights. A cost of 1 is about one step of taste between two good places; 10 is a place that misleads.
constexpr float kSmallerSize = 1.5F;     // next smaller digits
constexpr float kUnmarkedDetail = 0.4F;  // per pixel covered of text or lines that belong to no mark
constexpr float kMaxUnmarked = 16;
constexpr float kTight = 0.3F;        // per content pixel that touches the label
constexpr float kBesideOther = 2.5F;  // touches another mark too: whose number is it?
constexpr float kOverLarge = 4;       // lies on the empty part of a large other mark
constexpr float kOverOther = 3;       // reaches into another mark
constexpr float kOverOtherPixel = 0.12F;
constexpr float kMaxOverOther = 16;

/// With no place better than this a mark of at most kSmallMark pixels a side is searched pixel by pixel.
constexpr float kCramped = 9;
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
    add(m.right(), middle, 3);
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
        add(right + dx, top - dy, cost + 1.5F);
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

void LabelSurvey::find_neighbours(const PictureRect& mark, int reach, std::size_t m) {
  neighbours_.clear();
  grid_.visit(mark.inflated(reach), [&](std::size_t n, const PictureRect& rect) {
    if (n == m) return;
    // One pixel of slack: a reduced picture rounds edges.
    const auto kind = rect.inflated(1).contains(mark)   ? Neighbour::Kind::Around
                      : mark.inflated(1).contains(rect) ? Neighbour::Kind::Inside
                                                        : Neighbour::Kind::Other;
    neighbours_.push_back({rect, kind});
  });
}

std::optional<float> LabelSurvey::judge(const PictureRect& mark, const PictureRect& box, bool detached) const {
  if (!picture_.contains(box)) return std::nullopt;
  if (details_.content(box) > 0) return std::nullopt;
  const auto own = static_cast<double>(intersect(box, mark).area());
  if (own > kOwnShare * static_cast<double>(mark.area())) return std::nullopt;
  float cost = kTight * static_cast<float>(std::min(details_.content(box.inflated(1)), 20));
  const int unmarked = details_.detail(box);  // content is none here, frames are little
  cost += std::min(kMaxUnmarked, kUnmarkedDetail * static_cast<float>(unmarked));
  // Within its mark a label is nobody else's.
  int touched = mark.contains(box) ? 2 : 0;
  for (const Neighbour& n : neighbours_) {
    if (n.kind == Neighbour::Kind::Around) continue;
    const auto over = intersect(box, n.rect).area();
    if (over == 0) {
      if (touched < 2 && !intersect(box.inflated(2), n.rect).empty()) {
        cost += kBesideOther;
        ++touched;
      }
      continue;
    }
    if (n.rect.area() >= kLarge * box.area()) {
      cost += kOverLarge;
      continue;
    }
    if (detached || static_cast<double>(over) > kOtherShare * static_cast<double>(n.rect.area())) return std::nullopt;
    cost += std::min(kMaxOverOther, kOverOther + kOverOtherPixel * static_cast<float>(over));
  }
  return cost;
}

std::vector<LabelCandidate> LabelSurvey::beside(std::size_t m, int number, std::span<const DigitSize> sizes) {
  std::vector<LabelCandidate> found;
  const PictureRect& mark = marks_[m];
  if (mark.empty() || sizes.empty()) return found;
  const LabelSize largest = label_size(number, sizes.front());
  find_neighbours(mark, std::max(largest.w, largest.h) + 4, m);
  float extra = 0;
  for (const DigitSize size : sizes) {
    const LabelSize label = label_size(number, size);
    const Slots slots{mark, label.w, label.h};
    for (const Slot& slot : slots.all()) {
      const PictureRect box{slot.x, slot.y, label.w, label.h};
      if (const auto cost = judge(mark, box, false)) found.push_back({box, size, *cost + slot.cost + extra});
    }
    extra += kSmallerSize;
  }
  sort_by_cost(found);
  if ((found.empty() || found.front().cost > kCramped) && mark.w <= kSmallMark && mark.h <= kSmallMark) {
    // A cramped widget: every place there is, in steps of two pixels, with the smallest digits.
    const LabelSize label = label_size(number, sizes.back());
    const std::size_t coarse = found.size();
    for (int y = mark.y - label.h; y <= mark.bottom(); y += 2) {
      for (int x = mark.x - label.w; x <= mark.right(); x += 2) {
        const PictureRect box{x, y, label.w, label.h};
        const auto cost = judge(mark, box, false);
        // The corners of the mark, top left first, are where people look.
        const float way = static_cast<float>(x - mark.x + label.w) / static_cast<float>(mark.w + label.w) +
                          static_cast<float>(y - mark.y + label.h) / static_cast<float>(mark.h + label.h);
        if (cost) found.push_back({box, sizes.back(), *cost + 4 + way});
      }
    }
    if (found.size() > coarse) sort_by_cost(found);
  }
  return found;
}

std::vector<LabelCandidate> LabelSurvey::around(std::size_t m, int number, DigitSize size, int distance) {
  std::vector<LabelCandidate> found;
  const PictureRect& mark = marks_[m];
  if (mark.empty()) return found;
  const LabelSize label = label_size(number, size);
  find_neighbours(mark, distance + std::max(label.w, label.h) + 4, m);
  const auto try_at = [&](int x, int y) {
    const PictureRect box{x, y, label.w, label.h};
    if (const auto cost = judge(mark, box, true)) found.push_back({box, size, *cost});
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

bool LabelSurvey::in_other_mark(PicturePoint p, const PictureRect& mark) {
  bool found = false;
  grid_.visit({p.x, p.y, 1, 1},
              [&](std::size_t, const PictureRect& rect) { found |= !rect.inflated(1).contains(mark); });
  return found;
}

}  // namespace deskmark
