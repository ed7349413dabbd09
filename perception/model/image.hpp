// Pixels as a value: what a capture grabbed, what a fixture holds, what the overlay draws on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "perception/model/geometry.hpp"

namespace deskmark {

/// 32-bit pixels, bytes B G R X in memory (X ignored), rows top to bottom without padding: stride = 4 * width.
/// Copies are deep; share with std::shared_ptr<const Image> where a picture is handed around.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> bgrx;

  Image() = default;
  /// A width x height picture, every pixel 0xRRGGBB = `rgb`. Sizes must not be negative.
  Image(int width, int height, std::uint32_t rgb = 0);

  [[nodiscard]] bool empty() const { return width <= 0 || height <= 0; }
  [[nodiscard]] std::size_t stride() const { return static_cast<std::size_t>(width) * 4; }
  [[nodiscard]] const std::uint8_t* row(int y) const { return bgrx.data() + static_cast<std::size_t>(y) * stride(); }
  [[nodiscard]] std::uint8_t* row(int y) { return bgrx.data() + static_cast<std::size_t>(y) * stride(); }
  /// 0xRRGGBB at (x, y); the point must lie inside.
  [[nodiscard]] std::uint32_t rgb(int x, int y) const {
    const std::uint8_t* p = row(y) + static_cast<std::size_t>(x) * 4;
    return (std::uint32_t{p[2]} << 16) | (std::uint32_t{p[1]} << 8) | p[0];
  }
  void set_rgb(int x, int y, std::uint32_t rgb) {
    std::uint8_t* p = row(y) + static_cast<std::size_t>(x) * 4;
    p[0] = static_cast<std::uint8_t>(rgb);
    p[1] = static_cast<std::uint8_t>(rgb >> 8);
    p[2] = static_cast<std::uint8_t>(rgb >> 16);
    p[3] = 0xff;
  }
};

using SharedImage = std::shared_ptr<const Image>;

/// The part of `image` inside `area` (image pixels, clipped to the image).
[[nodiscard]] Image crop(const Image& image, const PictureRect& area);
/// Copies `from` onto `to` with its top-left at (x, y); what falls outside is dropped.
void paste(Image& to, const Image& from, int x, int y);
/// Area-averaged copy of width x height pixels (both 1..size of `image`): what `scale` < 1 delivers.
[[nodiscard]] Image reduced(const Image& image, int width, int height);

}  // namespace deskmark
