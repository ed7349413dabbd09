// Pictures to bytes: deterministic for the same pixels and the same build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "perception/model/image.hpp"

namespace deskmark {

struct EncodedPicture {
  std::string mime;                 ///< image/png or image/jpeg
  std::vector<std::uint8_t> bytes;
};

/// PNG, 8-bit RGB. Empty bytes when the image is empty.
[[nodiscard]] EncodedPicture encode_png(const Image& image);
/// JPEG at `quality` 1..100.
[[nodiscard]] EncodedPicture encode_jpeg(const Image& image, int quality);
/// PNG unless it exceeds `max_bytes` (0: no limit), then JPEG at the best quality that fits, at worst quality 30.
[[nodiscard]] EncodedPicture encode_within(const Image& image, std::size_t max_bytes);

}  // namespace deskmark
