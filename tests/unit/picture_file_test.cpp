#include "perception/marks/picture_file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <webp/encode.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "perception/marks/encode.hpp"

namespace deskmark {
namespace {

Image sample(int width = 90, int height = 60) {
  Image image{width, height, 0x204060};
  for (int y = 10; y < height - 10; ++y) {
    for (int x = 20; x < width - 20; ++x) image.set_rgb(x, y, 0xe0c010);
  }
  return image;
}

bool near(std::uint32_t a, std::uint32_t b) {
  for (int shift = 0; shift < 24; shift += 8) {
    if (std::abs(static_cast<int>((a >> shift) & 0xff) - static_cast<int>((b >> shift) & 0xff)) > 12) return false;
  }
  return true;
}

std::vector<std::uint8_t> webp_of(const Image& image) {
  std::uint8_t* out = nullptr;
  const std::size_t size = WebPEncodeLosslessBGRA(image.bgrx.data(), image.width, image.height, image.width * 4, &out);
  std::vector<std::uint8_t> bytes(out, out + size);
  WebPFree(out);
  return bytes;
}

struct TemporaryFolder {
  std::filesystem::path path;
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "deskmark-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
};

}  // namespace

TEST_CASE("PNG, JPEG and WebP are told apart by their bytes and decoded") {
  const Image image = sample();
  for (const auto& bytes : {encode_png(image).bytes, encode_jpeg(image, 95).bytes, webp_of(image)}) {
    const LoadedPicture loaded = decode_picture(bytes);
    INFO(loaded.error);
    REQUIRE(loaded.ok());
    REQUIRE(loaded.image.width == 90);
    REQUIRE(loaded.image.height == 60);
    CHECK(near(loaded.image.rgb(2, 2), 0x204060));
    CHECK(near(loaded.image.rgb(45, 30), 0xe0c010));
  }
}

TEST_CASE("a file cut anywhere is refused") {
  const Image image = sample();
  for (const auto& bytes : {encode_png(image).bytes, encode_jpeg(image, 95).bytes, webp_of(image)}) {
    for (std::size_t size = 0; size + 20 < bytes.size(); size += 7) {
      const LoadedPicture loaded = decode_picture(std::span{bytes}.first(size));
      CHECK_FALSE(loaded.ok());
      CHECK(loaded.image.empty());
    }
  }
}

TEST_CASE("a damaged byte never crashes, and a PNG notices it") {
  const Image image = sample();
  for (auto bytes : {encode_png(image).bytes, encode_jpeg(image, 95).bytes, webp_of(image)}) {
    const bool png = bytes[0] == 0x89;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      bytes[at] ^= 0x5a;
      const LoadedPicture loaded = decode_picture(bytes);
      if (!loaded.ok()) CHECK(loaded.image.empty());
      if (png && at < bytes.size() - 12) CHECK_FALSE(loaded.ok());
      bytes[at] ^= 0x5a;
    }
  }
}

TEST_CASE("a header that claims too many pixels is refused before any is decoded") {
  auto png = encode_png(sample()).bytes;
  const auto claim = [&png](std::uint32_t width, std::uint32_t height) {
    for (std::size_t i = 0; i < 4; ++i) {
      png[16 + i] = static_cast<std::uint8_t>(width >> (24 - 8 * i));
      png[20 + i] = static_cast<std::uint8_t>(height >> (24 - 8 * i));
    }
    // The checksum of the header must be right, or that is what gets refused.
    std::uint32_t crc = ~0U;
    for (std::size_t i = 12; i < 29; ++i) {
      crc ^= png[i];
      for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1U) != 0 ? 0xedb88320U : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) png[29 + i] = static_cast<std::uint8_t>(~crc >> (24 - 8 * i));
    return decode_picture(png);
  };
  CHECK(claim(90, 60).ok());
  CHECK(claim(16385, 1).error.find("16384") != std::string::npos);
  CHECK(claim(1, 2000000000).error.find("16384") != std::string::npos);
  CHECK(claim(16384, 16384).error.find("megapixels") != std::string::npos);
  CHECK_FALSE(claim(0, 10).ok());
}

TEST_CASE("transparent pixels are shown on white") {
  Image image = sample(8, 8);
  for (std::size_t i = 3; i < image.bgrx.size(); i += 4) image.bgrx[i] = 0;
  const LoadedPicture loaded = decode_picture(webp_of(image));
  REQUIRE(loaded.ok());
  CHECK(loaded.image.rgb(4, 4) == 0xffffff);
}

TEST_CASE("other bytes are refused with a sentence") {
  const std::string text = "GIF89a and more";
  const LoadedPicture loaded = decode_picture({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  CHECK(loaded.error == "not a PNG, JPEG or WebP picture");
  CHECK(decode_picture({}).error == "the picture is empty");
}

TEST_CASE("files are read by path; a pipe, a folder and a missing file are refused") {
  const TemporaryFolder folder;
  const std::string good = (folder.path / "good.png").string();
  const auto bytes = encode_png(sample()).bytes;
  std::ofstream{good, std::ios::binary}.write(reinterpret_cast<const char*>(bytes.data()),
                                              static_cast<std::streamsize>(bytes.size()));
  CHECK(load_picture(good).ok());
  const std::string pipe = (folder.path / "pipe").string();
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_FALSE(load_picture(pipe).ok());
  CHECK_FALSE(load_picture(folder.path.string()).ok());
  CHECK_FALSE(load_picture((folder.path / "missing").string()).ok());
}

}  // namespace deskmark
