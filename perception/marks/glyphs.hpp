// Digits of the number labels, compiled in: the same bytes on every machine, whatever fonts it has.
#pragma once

#include <cstdint>

#include "perception/model/image.hpp"

namespace deskmark {

/// Heights of the digits: 9, 10, 14 and 18 pixels. Three of the smallest are 21x9: below about 18x7 OCR reads nothing.
enum class DigitSize : std::uint8_t { Small, Medium, Large, Huge };

/// Pixels that a label with `number` (>= 0) takes, its coloured margin included.
struct LabelSize {
  int w = 0;
  int h = 0;
};
[[nodiscard]] LabelSize label_size(int number, DigitSize size);

/// Fills the label's box, top-left at (x, y), with `fill` and writes `number` into it in white, or in
/// black on a light colour. What lies outside the image is dropped.
void draw_label(Image& image, int x, int y, int number, DigitSize size, std::uint32_t fill);

}  // namespace deskmark
