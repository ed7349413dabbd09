#include "perception/marks/ink_boxes.hpp"

#include <algorithm>
#include <cstring>

namespace deskmark {
namespace {

/// Wider than the spaces between words of interface text, narrower than any number label.
constexpr int kGap = 8;
/// Higher things are drawings or frames, inside which a label may well find room.
constexpr int kMaxHeight = 40;

/// Share of a box that text fills at least, percent. A frame with nothing in it fills less.
constexpr int kMinFilled = 25;

struct Run {
  int left;
  int right;  ///< last pixel
  int ink;    ///< pixels
  int part;
};

/// Components under construction: a union-find over bounding boxes.
class Parts {
 public:
  int add(const Run& run, int y) {
    boxes_.push_back({run.left, y, run.right - run.left + 1, 1});
    ink_.push_back(run.ink);
    parents_.push_back(static_cast<int>(parents_.size()));
    return parents_.back();
  }
  void grow(const Run& run, int y) {
    const auto part = static_cast<std::size_t>(root(run.part));
    boxes_[part] = unite(boxes_[part], PictureRect{run.left, y, run.right - run.left + 1, 1});
    ink_[part] += run.ink;
  }
  int join(int a, int b) {
    a = root(a);
    b = root(b);
    if (a == b) return a;
    if (b < a) std::swap(a, b);
    boxes_[static_cast<std::size_t>(a)] =
        unite(boxes_[static_cast<std::size_t>(a)], boxes_[static_cast<std::size_t>(b)]);
    ink_[static_cast<std::size_t>(a)] += ink_[static_cast<std::size_t>(b)];
    parents_[static_cast<std::size_t>(b)] = a;
    return a;
  }
  [[nodiscard]] std::vector<PictureRect> boxes() const {
    std::vector<PictureRect> out;
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      const PictureRect& box = boxes_[i];
      if (parents_[i] != static_cast<int>(i) || box.h > kMaxHeight || box.area() == 1) continue;
      if (std::int64_t{100} * ink_[i] >= kMinFilled * box.area()) out.push_back(box);
    }
    return out;
  }

 private:
  int root(int part) {
    while (parents_[static_cast<std::size_t>(part)] != part) {
      int& parent = parents_[static_cast<std::size_t>(part)];
      parent = parents_[static_cast<std::size_t>(parent)];
      part = parent;
    }
    return part;
  }

  std::vector<int> parents_;
  std::vector<PictureRect> boxes_;
  std::vector<int> ink_;
};

/// First pixel of `ink` at or after `from`, before `end`; -1: none.
int next_ink(const std::uint8_t* row, std::uint8_t ink, int from, int end) {
  if (from >= end) return -1;
  const void* hit = std::memchr(row + from, ink, static_cast<std::size_t>(end - from));
  return hit == nullptr ? -1 : static_cast<int>(static_cast<const std::uint8_t*>(hit) - row);
}

void find_runs(const std::uint8_t* row, std::uint8_t ink, int width, std::vector<Run>& runs) {
  runs.clear();
  for (int left = next_ink(row, ink, 0, width); left >= 0;) {
    int right = left;
    int count = 1;
    int next = next_ink(row, ink, right + 1, width);
    while (next >= 0 && next - right <= kGap) {
      right = next;
      ++count;
      next = right + 1 < width && row[right + 1] == ink ? right + 1 : next_ink(row, ink, right + 1, width);
    }
    runs.push_back({left, right, count, -1});
    left = next;
  }
}

}  // namespace

std::vector<PictureRect> ink_boxes(std::span<const std::uint8_t> plane, std::uint8_t ink, int width, int height) {
  Parts parts;
  std::vector<Run> above;
  std::vector<Run> here;
  for (int y = 0; y < height; ++y) {
    find_runs(plane.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width), ink, width, here);
    std::size_t first = 0;
    for (Run& run : here) {
      while (first < above.size() && above[first].right + 1 < run.left) ++first;
      for (std::size_t i = first; i < above.size() && above[i].left <= run.right + 1; ++i) {
        run.part = run.part < 0 ? above[i].part : parts.join(run.part, above[i].part);
      }
      if (run.part < 0) {
        run.part = parts.add(run, y);
      } else {
        parts.grow(run, y);
      }
    }
    std::swap(above, here);
  }
  return parts.boxes();
}

}  // namespace deskmark
