// Where a picture has something to read: pixels that differ from their neighbour. Number labels keep off them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "perception/model/image.hpp"

namespace deskmark {

/// Counts detail in rectangles of fewer than 65,536 pixels in constant time (integral image).
///
/// Detail inside a mark is ink: text, icons, ticks. The mark's own drawn frame is not: a side along which a straight
/// line runs, and the round corner between two such sides, may be covered by a label. Content is ink and the box around
/// each line of it, so that no label sits between an ascender and the end of its word.
class DetailMap {
 public:
  /// `marks` in pixels of `picture`, inside it.
  DetailMap(const Image& picture, std::span<const PictureRect> marks);

  /// Pixels of content in `area`. Areas are clipped to the picture.
  [[nodiscard]] int content(const PictureRect& area) const { return static_cast<int>(sum(area) >> 16); }
  /// All pixels of detail in `area`, in a mark or not.
  [[nodiscard]] int detail(const PictureRect& area) const { return static_cast<int>(sum(area) & 0xffff); }

  /// Pixels of ink in `area`, counted one by one.
  [[nodiscard]] int ink(const PictureRect& area) const;

 private:
  enum : std::uint8_t { kInk = 1, kBox = 2, kDetail = 4 };

  static void classify(const std::uint8_t* edges, std::uint8_t* plane, std::size_t count);
  void sum_up();
  template <class Visit>
  void each_row(const PictureRect& area, Visit&& visit);
  [[nodiscard]] std::uint32_t sum(const PictureRect& area) const;

  int width_;
  int height_;
  std::vector<std::uint8_t> ink_;  ///< a byte per pixel: kInk, kBox, kDetail
  /// (width + 1) x (height + 1): content << 16 | detail above and left of each point, wrapping around. The difference
  /// of four is exact for areas below 65,536 pixels, at half the memory traffic of sums that never wrap.
  std::unique_ptr<std::uint32_t[]> sums_;
};

}  // namespace deskmark
