#include "perception/x11/compose.hpp"

#include <doctest/doctest.h>

#include <numeric>

namespace deskmark::x11 {
namespace {

RawPixels raw(const std::vector<std::uint8_t>& bytes, int width, int height, PixelFormat format) {
  return {bytes.data(), static_cast<std::size_t>(width * format.bytes), width, height, format};
}

PixelFormat with_alpha() {
  PixelFormat format;
  format.alpha = true;
  return format;
}

}  // namespace

TEST_CASE("opaque pixels replace what was there, whatever their fourth byte holds") {
  Image to{2, 1, 0xffffff};
  draw(to, 0, 0, raw({1, 2, 3, 0, 4, 5, 6, 77}, 2, 1, {}), {0, 0, 2, 1});
  CHECK(to.rgb(0, 0) == 0x030201);
  CHECK(to.rgb(1, 0) == 0x060504);
  CHECK(to.row(0)[3] == 0xff);
}

TEST_CASE("premultiplied colours are laid over what is below") {
  Image to{3, 1, 0x808080};
  // transparent, half covered white, opaque red
  draw(to, 0, 0, raw({0, 0, 0, 0, 128, 128, 128, 128, 0, 0, 255, 255}, 3, 1, with_alpha()), {0, 0, 3, 1});
  CHECK(to.rgb(0, 0) == 0x808080);
  CHECK(to.rgb(1, 0) == 0xc0c0c0);
  CHECK(to.rgb(2, 0) == 0xff0000);
}

TEST_CASE("an alpha byte nobody meant is ignored") {
  const std::vector<std::uint8_t> plain{10, 20, 30, 0, 40, 50, 60, 0};
  CHECK_FALSE(alpha_is_meant(raw(plain, 2, 1, with_alpha())));
  const std::vector<std::uint8_t> corners{0, 0, 0, 0, 40, 50, 60, 255};
  CHECK(alpha_is_meant(raw(corners, 2, 1, with_alpha())));
  CHECK_FALSE(alpha_is_meant(raw(corners, 2, 1, {})));
}

TEST_CASE("16-bit and 30-bit pixels are spread to the full range") {
  Image to{3, 1, 0};
  const PixelFormat rgb565{2, false, 0xf800, 0x07e0, 0x001f, false};
  draw(to, 0, 0, raw({0xff, 0xff, 0x00, 0xf8, 0xe0, 0x07}, 3, 1, rgb565), {0, 0, 3, 1});
  CHECK(to.rgb(0, 0) == 0xffffff);
  CHECK(to.rgb(1, 0) == 0xff0000);
  CHECK(to.rgb(2, 0) == 0x00ff00);
  const PixelFormat deep{4, false, 0x3ff00000, 0x000ffc00, 0x000003ff, false};
  draw(to, 0, 0, raw({0xff, 0x03, 0xf0, 0x3f}, 1, 1, deep), {0, 0, 1, 1});
  CHECK(to.rgb(0, 0) == 0xff00ff);
}

TEST_CASE("big-endian pixels") {
  Image to{1, 1, 0};
  PixelFormat format;
  format.big_endian = true;
  draw(to, 0, 0, raw({0, 0x11, 0x22, 0x33}, 1, 1, format), {0, 0, 1, 1});
  CHECK(to.rgb(0, 0) == 0x112233);
}

TEST_CASE("what lies outside the picture or the pixels is dropped") {
  Image to{2, 2, 0x202020};
  const std::vector<std::uint8_t> bytes(4 * 4 * 4, 0x55);
  draw(to, -3, -3, raw(bytes, 4, 4, {}), {0, 0, 4, 4});
  CHECK(to.rgb(0, 0) == 0x555555);
  CHECK(to.rgb(1, 1) == 0x202020);
  draw(to, 1, 1, raw(bytes, 4, 4, {}), {3, 3, 9, 9});
  CHECK(to.rgb(1, 1) == 0x555555);
  draw(to, 5, 5, raw(bytes, 4, 4, {}), {0, 0, 4, 4});
  CHECK(to.rgb(1, 0) == 0x202020);
}

TEST_CASE("a part is drawn from where it lies in the source") {
  std::vector<std::uint8_t> bytes(3 * 3 * 4);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  Image to{1, 1, 0};
  draw(to, 0, 0, raw(bytes, 3, 3, {}), {1, 2, 1, 1});
  CHECK(to.rgb(0, 0) == 0x1e1d1c);
}

TEST_CASE("rows are padded to the server's unit") {
  CHECK(padded_stride(3, 16, 32) == 8);
  CHECK(padded_stride(3, 32, 32) == 12);
  CHECK(padded_stride(5, 24, 32) == 16);
}

TEST_CASE("uncovered parts are disjoint, inside, and free of covers") {
  const DeviceRect whole{10, 10, 100, 80};
  const std::vector<DeviceRect> covers{{0, 0, 40, 40}, {60, 30, 20, 20}, {90, 80, 100, 100}};
  const auto parts = uncovered(whole, covers);
  std::int64_t area = 0;
  for (const DeviceRect& part : parts) {
    area += part.area();
    CHECK(whole.contains(part));
    for (const DeviceRect& cover : covers) CHECK(intersect(part, cover).empty());
  }
  CHECK(area == whole.area() - 30 * 30 - 20 * 20 - 20 * 10);
  CHECK(uncovered(whole, {{0, 0, 500, 500}}).empty());
  CHECK(uncovered(whole, {}) == std::vector<DeviceRect>{whole});
}

}  // namespace deskmark::x11
