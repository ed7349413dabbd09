#include "perception/marks/glyphs.hpp"

#include <string>

#include "perception/marks/draw.hpp"
#include "perception/marks/palette.hpp"

namespace deskmark {
namespace {

#include "perception/marks/digits.inc"

/// One size of digits: coverage of ten digits, each width x height.
struct DigitSet {
  int width;
  int height;
  int margin_x;  ///< of the label's colour beside the digits
  int margin_y;
  int spacing;  ///< between digits, beside their own bearing: without it 11 and 44 of these sizes are not read back
  const std::uint8_t* coverage;
};

const DigitSet& digit_set(DigitSize size) {
  static constexpr DigitSet kSets[] = {
      {kSmallWidth, kSmallHeight, 1, 1, 1, kSmallDigits},
      {kMediumWidth, kMediumHeight, 1, 2, 1, kMediumDigits},
      {kLargeWidth, kLargeHeight, 2, 3, 0, kLargeDigits},
      {kHugeWidth, kHugeHeight, 2, 4, 0, kHugeDigits},
  };
  return kSets[static_cast<std::size_t>(size)];
}

}  // namespace

LabelSize label_size(int number, DigitSize size) {
  const DigitSet& set = digit_set(size);
  const int count = static_cast<int>(std::to_string(number).size());
  return {count * set.width + (count - 1) * set.spacing + 2 * set.margin_x, set.height + 2 * set.margin_y};
}

void draw_label(Image& image, int x, int y, int number, DigitSize size, std::uint32_t fill) {
  const DigitSet& set = digit_set(size);
  const LabelSize box = label_size(number, size);
  fill_rect(image, {x, y, box.w, box.h}, fill);
  // White wherever it is readable: labels that all look alike are found faster.
  const std::uint32_t ink = contrast(fill, 0xffffff) >= 3.5 ? 0xffffff : 0x000000;
  int left = x + set.margin_x;
  for (const char c : std::to_string(number)) {
    if (c >= '0' && c <= '9') {
      const std::uint8_t* coverage = set.coverage + (c - '0') * set.width * set.height;
      for (int row = 0; row < set.height; ++row) {
        for (int column = 0; column < set.width; ++column) {
          blend(image, left + column, y + set.margin_y + row, ink, *coverage++);
        }
      }
    }
    left += set.width + set.spacing;
  }
}

}  // namespace deskmark
