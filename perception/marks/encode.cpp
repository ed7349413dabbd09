#include "perception/marks/encode.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>

#include <jpeglib.h>  // needs size_t and FILE declared before it

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

// Why libdeflate and not libspng: measured on one core, 1440x900, CPU milliseconds / KiB:
//                         gtk3-widget-factory   Chromium listing   photographic
//   libspng 1, no filter        8.4 / 129           8.6 / 148       76.8 / 3295
//   libspng 1, SUB             12.1 / 136          12.3 / 173       44.4 / 2096
//   this encoder                9.4 / 103           7.6 / 142       26.0 / 1958
// On flat interfaces a filter only destroys repeated bytes, in photographs it is worth a third of the size, so each row
// decides for itself. libdeflate compresses a whole buffer at once and has no filters: both are done here. Levels 2 to
// 4 cost the same on flat rows; on photographs level 1 takes half the time for 6 % more bytes.

namespace deskmark {
namespace {

constexpr int kFlatLevel = 4;
constexpr int kPhotoLevel = 1;

using Buffer = std::unique_ptr<std::uint8_t[]>;  // left uninitialised: a zeroed vector of this size costs a millisecond

/// Rows as PNG wants them: one filter byte, then R G B. A row with few equal neighbours gets filter SUB (1).
struct Rows {
  Buffer bytes;
  std::size_t size = 0;
  int filtered = 0;  ///< rows that got a filter
};

Rows filtered_rows(const Image& image) {
  const auto width = static_cast<std::size_t>(image.width);
  const std::size_t step = width * 3 + 1;
  Rows rows;
  rows.size = step * static_cast<std::size_t>(image.height);
  rows.bytes = std::make_unique_for_overwrite<std::uint8_t[]>(rows.size);
  const cv::Mat from{image.height, image.width, CV_8UC4, const_cast<std::uint8_t*>(image.bgrx.data())};  // NOLINT
  cv::Mat to{image.height, image.width, CV_8UC3, rows.bytes.get() + 1, step};
  cv::cvtColor(from, to, cv::COLOR_BGRA2RGB);
  for (int y = 0; y < image.height; ++y) {
    std::uint8_t* row = rows.bytes.get() + static_cast<std::size_t>(y) * step;
    std::size_t equal = 0;
    for (std::size_t x = 1; x < width; ++x) equal += row[1 + 3 * x] == row[3 * x - 2] ? 1 : 0;
    row[0] = 0;
    if (equal * 4 >= width) continue;
    ++rows.filtered;
    row[0] = 1;
    for (std::size_t i = step - 1; i > 3; --i) row[i] = static_cast<std::uint8_t>(row[i] - row[i - 3]);
  }
  return rows;
}

void put32(std::uint8_t* to, std::size_t value) {
  for (int i = 0; i < 4; ++i) to[i] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
}

/// Appends a chunk: length, type, body, CRC of type and body.
void chunk(std::vector<std::uint8_t>& out, const char* type, const std::uint8_t* body, std::size_t size) {
  const std::size_t at = out.size();
  out.resize(at + 12 + size);
  put32(&out[at], size);
  std::memcpy(&out[at + 4], type, 4);
  if (size > 0) std::memcpy(&out[at + 8], body, size);
  put32(&out[at + 8 + size], libdeflate_crc32(0, &out[at + 4], size + 4));
}

struct JpegError {
  jpeg_error_mgr base;
  std::jmp_buf back;
};

/// Only trivially destructible objects live in this function: libjpeg reports errors by longjmp.
bool compress_jpeg(const Image& image, int quality, unsigned char** bytes, unsigned long* size) {
  jpeg_compress_struct jpeg{};
  JpegError error{};
  jpeg.err = jpeg_std_error(&error.base);
  error.base.error_exit = [](j_common_ptr common) {
    std::longjmp(reinterpret_cast<JpegError*>(common->err)->back, 1);  // NOLINT
  };
  error.base.emit_message = [](j_common_ptr, int) {};
  if (setjmp(error.back) != 0) {
    jpeg_destroy_compress(&jpeg);
    return false;
  }
  jpeg_create_compress(&jpeg);
  jpeg_mem_dest(&jpeg, bytes, size);
  jpeg.image_width = static_cast<JDIMENSION>(image.width);
  jpeg.image_height = static_cast<JDIMENSION>(image.height);
  jpeg.input_components = 4;
  jpeg.in_color_space = JCS_EXT_BGRX;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, quality, TRUE);
  // Full colour resolution: coloured one-pixel outlines and small text smear otherwise.
  jpeg.comp_info[0].h_samp_factor = 1;
  jpeg.comp_info[0].v_samp_factor = 1;
  jpeg_start_compress(&jpeg, TRUE);
  while (jpeg.next_scanline < jpeg.image_height) {
    auto* row = const_cast<JSAMPROW>(image.row(static_cast<int>(jpeg.next_scanline)));  // NOLINT
    jpeg_write_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_compress(&jpeg);
  jpeg_destroy_compress(&jpeg);
  return true;
}

}  // namespace

EncodedPicture encode_png(const Image& image) {
  EncodedPicture out{"image/png", {}};
  if (image.empty()) return out;
  const Rows rows = filtered_rows(image);
  const int level = rows.filtered * 2 > image.height ? kPhotoLevel : kFlatLevel;
  const std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> compressor{
      libdeflate_alloc_compressor(level), libdeflate_free_compressor};
  if (!compressor) return out;
  const std::size_t bound = libdeflate_zlib_compress_bound(compressor.get(), rows.size);
  const Buffer packed = std::make_unique_for_overwrite<std::uint8_t[]>(bound);
  const std::size_t size = libdeflate_zlib_compress(compressor.get(), rows.bytes.get(), rows.size, packed.get(), bound);
  if (size == 0) return out;

  constexpr std::uint8_t kSignature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  std::uint8_t header[13] = {};
  put32(header, static_cast<std::size_t>(image.width));
  put32(header + 4, static_cast<std::size_t>(image.height));
  header[8] = 8;  // bits per channel
  header[9] = 2;  // RGB
  out.bytes.reserve(size + 64);
  out.bytes.assign(std::begin(kSignature), std::end(kSignature));
  chunk(out.bytes, "IHDR", header, sizeof header);
  chunk(out.bytes, "IDAT", packed.get(), size);
  chunk(out.bytes, "IEND", nullptr, 0);
  return out;
}

EncodedPicture encode_jpeg(const Image& image, int quality) {
  EncodedPicture out{"image/jpeg", {}};
  if (image.empty()) return out;
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  if (compress_jpeg(image, std::clamp(quality, 1, 100), &bytes, &size)) out.bytes.assign(bytes, bytes + size);
  std::free(bytes);  // NOLINT: jpeg_mem_dest allocates with malloc
  return out;
}

EncodedPicture encode_within(const Image& image, std::size_t max_bytes) {
  EncodedPicture png = encode_png(image);
  if (max_bytes == 0 || png.bytes.size() <= max_bytes) return png;
  // Size grows with quality: halve the range. Above 95 the bytes buy nothing that can be seen.
  int low = 30;
  int high = 95;
  EncodedPicture best = encode_jpeg(image, low);
  while (low < high && best.bytes.size() <= max_bytes) {
    const int middle = (low + high + 1) / 2;
    EncodedPicture tried = encode_jpeg(image, middle);
    if (tried.bytes.size() <= max_bytes) {
      best = std::move(tried);
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return best;
}

}  // namespace deskmark
