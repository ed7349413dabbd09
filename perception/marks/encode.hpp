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
  std::vector<std::uint8_t> bytes;  ///< empty when the image was empty or could not be encoded
};

/// PNG, 8-bit RGB.
[[nodiscard]] EncodedPicture encode_png(const Image& image);
/// JPEG at `quality` 1..100, full colour resolution. JPEG ends at 65,500 pixels a side: larger gives empty bytes.
[[nodiscard]] EncodedPicture encode_jpeg(const Image& image, int quality);
/// PNG unless it exceeds `max_bytes` (0: no limit), then JPEG at the best quality that fits, at most 95; at quality 30
/// it is returned even if it does not fit.
[[nodiscard]] EncodedPicture encode_within(const Image& image, std::size_t max_bytes);

}  // namespace deskmark
