#include "perception/marks/picture_file.hpp"

#include <spng.h>
#include <webp/decode.h>

#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <new>
#include <string_view>
#include <system_error>

#include <jpeglib.h>  // needs size_t and FILE declared before it

#include <jerror.h>

namespace deskmark {
namespace {

using Bytes = std::span<const std::uint8_t>;

LoadedPicture refused(std::string why) { return {{}, std::move(why)}; }

/// Empty when a picture of that size may be decoded.
std::string size_error(std::int64_t width, std::int64_t height) {
  if (width <= 0 || height <= 0) return "the picture has no pixels";
  if (width > kMaxPictureSide || height > kMaxPictureSide || width * height > kMaxPictureArea) {
    return "the picture is " + std::to_string(width) + "x" + std::to_string(height) + " pixels; at most " +
           std::to_string(kMaxPictureSide) + " a side and " + std::to_string(kMaxPictureArea / 1000000) +
           " megapixels are read";
  }
  return {};
}

/// R G B A in place to B G R X on white.
void rgba_to_bgrx(Image& image) {
  for (std::size_t i = 0; i < image.bgrx.size(); i += 4) {
    std::uint8_t* p = &image.bgrx[i];
    const unsigned alpha = p[3];
    const auto on_white = [alpha](unsigned v) {
      return static_cast<std::uint8_t>((v * alpha + 255 * (255 - alpha) + 127) / 255);
    };
    const std::uint8_t red = on_white(p[0]);
    p[0] = on_white(p[2]);
    p[1] = on_white(p[1]);
    p[2] = red;
    p[3] = 0xff;
  }
}

LoadedPicture decode_png(Bytes bytes) {
  const std::unique_ptr<spng_ctx, void (*)(spng_ctx*)> png{spng_ctx_new(0), spng_ctx_free};
  if (!png) return refused("out of memory");
  spng_set_image_limits(png.get(), kMaxPictureSide, kMaxPictureSide);
  // Colour profiles and comments are not used; a bomb in one must not be unpacked.
  spng_set_chunk_limits(png.get(), 1 << 20, 4 << 20);
  const auto failed = [](int code) { return refused(std::string("damaged PNG: ") + spng_strerror(code)); };
  if (int code = spng_set_png_buffer(png.get(), bytes.data(), bytes.size())) return failed(code);
  spng_ihdr header{};
  const int code = spng_get_ihdr(png.get(), &header);
  if (code == SPNG_EUSER_WIDTH || code == SPNG_EUSER_HEIGHT) {
    return refused("the picture is wider or higher than " + std::to_string(kMaxPictureSide) + " pixels");
  }
  if (code != 0) return failed(code);
  if (auto why = size_error(header.width, header.height); !why.empty()) return refused(std::move(why));
  LoadedPicture out{Image{static_cast<int>(header.width), static_cast<int>(header.height)}, {}};
  if (int bad = spng_decode_image(png.get(), out.image.bgrx.data(), out.image.bgrx.size(), SPNG_FMT_RGBA8,
                                  SPNG_DECODE_TRNS)) {
    return failed(bad);
  }
  // The rest of the file too, or damage in its last bytes goes unseen.
  if (int bad = spng_decode_chunks(png.get())) return failed(bad);
  rgba_to_bgrx(out.image);
  return out;
}

struct JpegReader {
  jpeg_decompress_struct jpeg{};
  jpeg_error_mgr errors{};
  jpeg_progress_mgr progress{};
  std::jmp_buf back{};
  char message[JMSG_LENGTH_MAX] = {};
};

[[noreturn]] void jpeg_failed(j_common_ptr common) {
  auto* reader = static_cast<JpegReader*>(common->client_data);
  common->err->format_message(common, reader->message);
  std::longjmp(reader->back, 1);  // NOLINT
}

/// libjpeg repairs damage and only warns; a picture with guessed pixels is worse than none.
void jpeg_warned(j_common_ptr common, int level) {
  if (level >= 0) return;
  switch (common->err->msg_code) {
    case JWRN_JPEG_EOF:
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE: jpeg_failed(common);
    default: return;
  }
}

/// A progressive file of a few kilobytes can ask for thousands of passes over every pixel.
void jpeg_progressed(j_common_ptr common) {
  auto* reader = static_cast<JpegReader*>(common->client_data);
  if (reader->jpeg.input_scan_number <= 100) return;
  std::snprintf(reader->message, sizeof reader->message, "more than 100 scans");
  std::longjmp(reader->back, 1);  // NOLINT
}

/// False with `reader.message` or `why` set on failure. Everything with a destructor lives in the caller: libjpeg
/// reports errors by longjmp.
bool read_jpeg(JpegReader& reader, Bytes bytes, Image& image, std::string& why) {
  reader.jpeg.err = jpeg_std_error(&reader.errors);
  reader.errors.error_exit = jpeg_failed;
  reader.errors.emit_message = jpeg_warned;
  reader.jpeg.client_data = &reader;
  if (setjmp(reader.back) != 0) return false;
  jpeg_create_decompress(&reader.jpeg);
  reader.progress.progress_monitor = jpeg_progressed;
  reader.jpeg.progress = &reader.progress;
  jpeg_mem_src(&reader.jpeg, bytes.data(), bytes.size());
  jpeg_read_header(&reader.jpeg, TRUE);
  why = size_error(reader.jpeg.image_width, reader.jpeg.image_height);
  if (!why.empty()) return false;
  if (reader.jpeg.jpeg_color_space == JCS_CMYK || reader.jpeg.jpeg_color_space == JCS_YCCK) {
    why = "a JPEG in print colours (CMYK) is not a screen picture";
    return false;
  }
  reader.jpeg.out_color_space = JCS_EXT_BGRX;
  jpeg_start_decompress(&reader.jpeg);
  image = Image{static_cast<int>(reader.jpeg.output_width), static_cast<int>(reader.jpeg.output_height)};
  while (reader.jpeg.output_scanline < reader.jpeg.output_height) {
    JSAMPROW row = image.row(static_cast<int>(reader.jpeg.output_scanline));
    jpeg_read_scanlines(&reader.jpeg, &row, 1);
  }
  jpeg_finish_decompress(&reader.jpeg);
  return true;
}

LoadedPicture decode_jpeg(Bytes bytes) {
  const auto destroy = [](JpegReader* reader) {
    jpeg_destroy_decompress(&reader->jpeg);
    delete reader;  // NOLINT
  };
  const std::unique_ptr<JpegReader, decltype(destroy)> reader{new JpegReader, destroy};
  LoadedPicture out;
  if (!read_jpeg(*reader, bytes, out.image, out.error)) {
    out.image = {};
    if (out.error.empty()) out.error = std::string("damaged JPEG: ") + reader->message;
  }
  return out;
}

LoadedPicture decode_webp(Bytes bytes) {
  WebPBitstreamFeatures header{};
  if (WebPGetFeatures(bytes.data(), bytes.size(), &header) != VP8_STATUS_OK) return refused("damaged WebP: bad header");
  if (auto why = size_error(header.width, header.height); !why.empty()) return refused(std::move(why));
  if (header.has_animation != 0) return refused("an animated WebP is not a screen picture");
  LoadedPicture out{Image{header.width, header.height}, {}};
  if (WebPDecodeRGBAInto(bytes.data(), bytes.size(), out.image.bgrx.data(), out.image.bgrx.size(), header.width * 4) ==
      nullptr) {
    return refused("damaged WebP");
  }
  rgba_to_bgrx(out.image);
  return out;
}

bool starts_with(Bytes bytes, std::string_view magic, std::size_t at = 0) {
  return bytes.size() >= at + magic.size() && std::memcmp(bytes.data() + at, magic.data(), magic.size()) == 0;
}

}  // namespace

LoadedPicture decode_picture(Bytes bytes) try {
  using namespace std::string_view_literals;
  if (bytes.empty()) return refused("the picture is empty");
  if (bytes.size() > kMaxPictureBytes) return refused("the picture file is larger than 256 MiB");
  if (starts_with(bytes, "\x89PNG\r\n\x1a\n"sv)) return decode_png(bytes);
  if (starts_with(bytes, "\xff\xd8\xff"sv)) return decode_jpeg(bytes);
  if (starts_with(bytes, "RIFF"sv) && starts_with(bytes, "WEBP"sv, 8)) return decode_webp(bytes);
  return refused("not a PNG, JPEG or WebP picture");
} catch (const std::bad_alloc&) {
  return refused("not enough memory for the picture");
}

LoadedPicture load_picture(const std::string& path) try {
  std::error_code status;
  if (!std::filesystem::is_regular_file(path, status)) {
    return refused(path + (status ? ": " + status.message() : ": not a regular file"));
  }
  const auto size = std::filesystem::file_size(path, status);
  if (status) return refused(path + ": " + status.message());
  if (size > kMaxPictureBytes) return refused(path + ": larger than 256 MiB");
  std::ifstream file{path, std::ios::binary};
  std::vector<std::uint8_t> bytes(size);
  if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size))) {  // NOLINT
    return refused(path + ": cannot be read");
  }
  LoadedPicture out = decode_picture(bytes);
  if (!out.ok()) out.error = path + ": " + out.error;
  return out;
} catch (const std::bad_alloc&) {
  return refused(path + ": not enough memory");
}

}  // namespace deskmark
