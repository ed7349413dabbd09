#include "perception/marks/encode.hpp"

#include <doctest/doctest.h>
#include <spng.h>

#include <cstdint>
#include <memory>

#include "perception/marks/picture_file.hpp"

namespace deskmark {
namespace {

/// Pixels as an interface has them: flat with a few edges.
Image flat_picture(int width, int height) {
  Image image{width, height, 0xf6f5f4};
  for (int y = 2; y < height; y += 9) {
    for (int x = 3; x < width; x += 5) image.set_rgb(x, y, 0x1a73e8);
  }
  return image;
}

/// Pixels as a photograph has them: nothing repeats, a linear congruential generator on a gradient.
Image photo_picture(int width, int height) {
  Image image{width, height};
  std::uint32_t state = 1;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      state = state * 1664525U + 1013904223U;
      const std::uint32_t noise = state >> 28;
      const std::uint32_t red = static_cast<std::uint32_t>(x * 200 / width) + noise;
      const std::uint32_t green = static_cast<std::uint32_t>(y * 200 / height) + noise;
      image.set_rgb(x, y, (red << 16) | (green << 8) | (noise * 9));
    }
  }
  return image;
}

/// Decoded by a library that had no part in writing it.
Image spng_decoded(const std::vector<std::uint8_t>& bytes, spng_ihdr& header) {
  const std::unique_ptr<spng_ctx, void (*)(spng_ctx*)> png{spng_ctx_new(0), spng_ctx_free};
  REQUIRE(spng_set_png_buffer(png.get(), bytes.data(), bytes.size()) == 0);
  REQUIRE(spng_get_ihdr(png.get(), &header) == 0);
  std::vector<std::uint8_t> rgb(std::size_t{header.width} * header.height * 3);
  REQUIRE(spng_decode_image(png.get(), rgb.data(), rgb.size(), SPNG_FMT_RGB8, 0) == 0);
  Image image{static_cast<int>(header.width), static_cast<int>(header.height)};
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const std::uint8_t* p = &rgb[(static_cast<std::size_t>(y) * header.width + static_cast<std::size_t>(x)) * 3];
      image.set_rgb(x, y, (std::uint32_t{p[0]} << 16) | (std::uint32_t{p[1]} << 8) | p[2]);
    }
  }
  return image;
}

bool same_pixels(const Image& a, const Image& b) {
  if (a.width != b.width || a.height != b.height) return false;
  for (int y = 0; y < a.height; ++y) {
    for (int x = 0; x < a.width; ++x) {
      if (a.rgb(x, y) != b.rgb(x, y)) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("a PNG gives back every pixel, is 8-bit RGB and the same every time") {
  for (const Image& image : {flat_picture(301, 200), photo_picture(301, 200), photo_picture(1, 1), flat_picture(1, 70),
                             photo_picture(2000, 1)}) {
    const EncodedPicture png = encode_png(image);
    CHECK(png.mime == "image/png");
    spng_ihdr header{};
    CHECK(same_pixels(spng_decoded(png.bytes, header), image));
    CHECK(header.bit_depth == 8);
    CHECK(header.color_type == SPNG_COLOR_TYPE_TRUECOLOR);
    CHECK(encode_png(image).bytes == png.bytes);
  }
}

TEST_CASE("the unused fourth byte of a pixel does not change the PNG") {
  Image image = flat_picture(64, 64);
  const EncodedPicture before = encode_png(image);
  for (std::size_t i = 3; i < image.bgrx.size(); i += 4) image.bgrx[i] = static_cast<std::uint8_t>(i);
  CHECK(encode_png(image).bytes == before.bytes);
}

TEST_CASE("an empty picture gives no bytes") {
  CHECK(encode_png({}).bytes.empty());
  CHECK(encode_jpeg({}, 90).bytes.empty());
  CHECK(encode_within({}, 100).bytes.empty());
}

TEST_CASE("a picture too large for JPEG gives no bytes") { CHECK(encode_jpeg(Image{65501, 1}, 90).bytes.empty()); }

TEST_CASE("a limit on bytes is kept at the best quality that fits") {
  const Image image = photo_picture(640, 400);
  const std::size_t png = encode_png(image).bytes.size();
  CHECK(encode_within(image, 0).mime == "image/png");
  CHECK(encode_within(image, png).mime == "image/png");
  const EncodedPicture less = encode_within(image, png - 1);
  CHECK(less.mime == "image/jpeg");

  const std::size_t limit = encode_jpeg(image, 70).bytes.size();
  const EncodedPicture fits = encode_within(image, limit);
  CHECK(fits.bytes.size() <= limit);
  CHECK(fits.bytes == encode_jpeg(image, 70).bytes);
  const LoadedPicture back = decode_picture(fits.bytes);
  REQUIRE(back.ok());
  CHECK(back.image.width == 640);
  CHECK(back.image.height == 400);
}

TEST_CASE("no quality fits: the worst allowed one is returned") {
  const Image image = photo_picture(640, 400);
  CHECK(encode_within(image, 100).bytes == encode_jpeg(image, 30).bytes);
}

}  // namespace deskmark
