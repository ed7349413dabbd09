// Pixels of windows into one picture. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "perception/model/geometry.hpp"
#include "perception/model/image.hpp"

namespace deskmark::x11 {

/// How a server lays out a pixel.
struct PixelFormat {
  int bytes = 4;  ///< per pixel: 2, 3 or 4
  bool big_endian = false;
  std::uint32_t red = 0xff0000;
  std::uint32_t green = 0x00ff00;
  std::uint32_t blue = 0x0000ff;
  bool alpha = false;  ///< the top byte is coverage, colours are premultiplied (depth 32)

  /// Bytes B G R X as in Image.
  [[nodiscard]] bool is_native() const {
    return bytes == 4 && !big_endian && red == 0xff0000 && green == 0x00ff00 && blue == 0x0000ff;
  }
};

/// A block of pixels somewhere else.
struct RawPixels {
  const std::uint8_t* data = nullptr;
  std::size_t stride = 0;  ///< bytes
  int width = 0;
  int height = 0;
  PixelFormat format;
};

/// Rows are padded by the server to `pad` bits.
[[nodiscard]] std::size_t padded_stride(int width, int bits_per_pixel, int pad);

/// True when the alpha of `pixels` is meant: programs that draw plain colours on a 32-bit visual leave the alpha byte
/// at zero or at random, which shows as colours brighter than their coverage allows.
[[nodiscard]] bool alpha_is_meant(const RawPixels& pixels);

/// Draws `part` (in the pixels of `from`) with its top-left at (x, y) of `to`; what falls outside is dropped. With
/// alpha it is laid over what `to` shows, else it replaces it.
void draw(Image& to, int x, int y, const RawPixels& from, const PictureRect& part);

/// The parts of `region`, which is disjoint, that none of `covers` covers; disjoint.
template <class Space>
[[nodiscard]] std::vector<Rect<Space>> uncovered(std::vector<Rect<Space>> region,
                                                 const std::vector<Rect<Space>>& covers) {
  for (const Rect<Space>& cover : covers) {
    std::vector<Rect<Space>> next;
    for (const Rect<Space>& r : region) {
      const Rect<Space> hole = intersect(r, cover);
      if (hole.empty()) {
        next.push_back(r);
        continue;
      }
      const Rect<Space> around[] = {
          {r.x, r.y, r.w, hole.y - r.y},
          {r.x, hole.bottom(), r.w, r.bottom() - hole.bottom()},
          {r.x, hole.y, hole.x - r.x, hole.h},
          {hole.right(), hole.y, r.right() - hole.right(), hole.h},
      };
      for (const Rect<Space>& piece : around) {
        if (!piece.empty()) next.push_back(piece);
      }
    }
    region = std::move(next);
  }
  return region;
}
template <class Space>
[[nodiscard]] std::vector<Rect<Space>> uncovered(const Rect<Space>& whole, const std::vector<Rect<Space>>& covers) {
  if (whole.empty()) return {};
  return uncovered(std::vector<Rect<Space>>{whole}, covers);
}

}  // namespace deskmark::x11
