// Pictures from outside: PNG, JPEG and WebP, decoded with limits. Whatever the bytes say, the answer is an image or a
// sentence, never a crash and never more memory than the limits allow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "perception/model/image.hpp"

namespace deskmark {

inline constexpr int kMaxPictureSide = 16384;                        ///< pixels
inline constexpr std::int64_t kMaxPictureArea = 64 * 1000 * 1000;    ///< pixels
inline constexpr std::size_t kMaxPictureBytes = 256U * 1024 * 1024;  ///< of the file

struct LoadedPicture {
  Image image;        ///< empty when `error` is not
  std::string error;  ///< what is wrong with the picture, one sentence for people
  [[nodiscard]] bool ok() const { return error.empty(); }
};

/// Decodes a whole file held in memory; the format is told by its first bytes. The size in the header is checked before
/// pixels are decoded. Transparent pixels are shown on white. Truncated and damaged files are refused.
[[nodiscard]] LoadedPicture decode_picture(std::span<const std::uint8_t> bytes);
/// Reads and decodes `path`. Only regular files are read: a pipe or a device could block for ever.
[[nodiscard]] LoadedPicture load_picture(const std::string& path);

}  // namespace deskmark
