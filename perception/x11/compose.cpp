#include "perception/x11/compose.hpp"

#include <bit>
#include <cstring>

namespace deskmark::x11 {
namespace {

std::uint32_t load(const std::uint8_t* p, const PixelFormat& format) {
  std::uint32_t value = 0;
  for (int i = 0; i < format.bytes; ++i) {
    const int at = format.big_endian ? i : format.bytes - 1 - i;
    value = (value << 8) | p[at];
  }
  return value;
}

/// The channel under `mask`, spread to 0..255.
std::uint8_t channel(std::uint32_t pixel, std::uint32_t mask) {
  if (mask == 0) return 0;
  const int shift = std::countr_zero(mask);
  const std::uint64_t most = mask >> shift;
  const std::uint64_t value = (pixel & mask) >> shift;
  return static_cast<std::uint8_t>((value * 255 + most / 2) / most);
}

struct Bgra {
  std::uint8_t b, g, r, a;
};

Bgra decode(const std::uint8_t* p, const PixelFormat& format) {
  const std::uint32_t pixel = load(p, format);
  const std::uint8_t alpha = format.alpha ? static_cast<std::uint8_t>(pixel >> 24) : 0xff;
  return {channel(pixel, format.blue), channel(pixel, format.green), channel(pixel, format.red), alpha};
}

std::uint8_t over(std::uint8_t above, std::uint8_t below, std::uint8_t alpha) {
  const unsigned sum = above + (below * (255U - alpha) + 127U) / 255U;
  return static_cast<std::uint8_t>(std::min(sum, 255U));
}

void draw_row_native(std::uint8_t* to, const std::uint8_t* from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t pixel = 0;
    std::memcpy(&pixel, from + i * 4, 4);
    pixel |= 0xff000000U;
    std::memcpy(to + i * 4, &pixel, 4);
  }
}

void draw_row(std::uint8_t* to, const std::uint8_t* from, std::size_t count, const PixelFormat& format) {
  for (std::size_t i = 0; i < count; ++i, to += 4, from += format.bytes) {
    const Bgra p = format.is_native() ? Bgra{from[0], from[1], from[2], from[3]} : decode(from, format);
    const std::uint8_t a = format.alpha ? p.a : std::uint8_t{0xff};
    if (a == 0xff) {
      to[0] = p.b;
      to[1] = p.g;
      to[2] = p.r;
    } else {
      to[0] = over(p.b, to[0], a);
      to[1] = over(p.g, to[1], a);
      to[2] = over(p.r, to[2], a);
    }
    to[3] = 0xff;
  }
}

}  // namespace

std::size_t padded_stride(int width, int bits_per_pixel, int pad) {
  const std::size_t bits = static_cast<std::size_t>(width) * static_cast<std::size_t>(bits_per_pixel);
  const auto unit = static_cast<std::size_t>(pad > 0 ? pad : 8);
  return (bits + unit - 1) / unit * unit / 8;
}

bool alpha_is_meant(const RawPixels& pixels) {
  if (!pixels.format.alpha) return false;
  constexpr int kSlack = 16;  // programs round when they premultiply
  std::int64_t wrong = 0;
  for (int y = 0; y < pixels.height; ++y) {
    const std::uint8_t* row = pixels.data + static_cast<std::size_t>(y) * pixels.stride;
    for (int x = 0; x < pixels.width; ++x) {
      const std::uint8_t* at = row + static_cast<std::size_t>(x) * static_cast<std::size_t>(pixels.format.bytes);
      const Bgra p = pixels.format.is_native() ? Bgra{at[0], at[1], at[2], at[3]} : decode(at, pixels.format);
      if (std::max({p.b, p.g, p.r}) > p.a + kSlack) ++wrong;
    }
  }
  return wrong * 100 <= std::int64_t{pixels.width} * pixels.height;
}

void draw(Image& to, int x, int y, const RawPixels& from, const PictureRect& part) {
  const PictureRect inside = intersect(part, PictureRect{0, 0, from.width, from.height});
  const PictureRect target =
      intersect(inside.translated(x - part.x, y - part.y), PictureRect{0, 0, to.width, to.height});
  if (inside.empty() || target.empty()) return;
  const int from_x = target.x - x + part.x;
  const int from_y = target.y - y + part.y;
  const bool plain = from.format.is_native() && !from.format.alpha;
  for (int row = 0; row < target.h; ++row) {
    const std::uint8_t* source = from.data + static_cast<std::size_t>(from_y + row) * from.stride +
                                 static_cast<std::size_t>(from_x) * static_cast<std::size_t>(from.format.bytes);
    std::uint8_t* sink = to.row(target.y + row) + static_cast<std::size_t>(target.x) * 4;
    const auto count = static_cast<std::size_t>(target.w);
    if (plain) {
      draw_row_native(sink, source, count);
    } else {
      draw_row(sink, source, count, from.format);
    }
  }
}

}  // namespace deskmark::x11
