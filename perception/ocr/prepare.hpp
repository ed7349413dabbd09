// One line of screen text made fit for Tesseract: dark on white, full contrast, enlarged, with a margin.
#pragma once

#include <cstdint>
#include <vector>

#include "perception/model/image.hpp"

namespace deskmark::ocr {

struct Prepared {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> grey;  ///< rows without padding
  double factor = 1;               ///< prepared pixels per source pixel
  int margin = 0;                  ///< white border, prepared pixels
  bool blank = false;              ///< nothing but paper
};

[[nodiscard]] Prepared prepare(const Image& line);

/// 128 bits over size and pixels; equal pictures have equal keys.
struct PictureKey {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  friend bool operator==(const PictureKey&, const PictureKey&) = default;
};
[[nodiscard]] PictureKey key_of(const Image& image);

}  // namespace deskmark::ocr
