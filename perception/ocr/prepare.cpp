#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "perception/ocr/prepare.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <unordered_map>

namespace deskmark::ocr {
namespace {

constexpr int kMargin = 10;

using Colour = std::array<int, 3>;

Colour at(const Image& image, int x, int y) {
  const std::uint8_t* p = image.row(y) + static_cast<std::size_t>(x) * 4;
  return {p[0], p[1], p[2]};
}

int square_distance(const Colour& a, const Colour& b) {
  int d = 0;
  for (std::size_t c = 0; c < 3; ++c) d += (a[c] - b[c]) * (a[c] - b[c]);
  return d;
}

/// The colour most pixels have: what the text stands on.
Colour paper_of(const Image& image) {
  std::unordered_map<std::uint32_t, int> seen;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) ++seen[image.rgb(x, y)];
  }
  std::uint32_t best = 0;
  int most = -1;
  for (const auto& [rgb, n] : seen) {
    if (n > most || (n == most && rgb < best)) {
      most = n;
      best = rgb;
    }
  }
  return {static_cast<int>(best & 0xff), static_cast<int>((best >> 8) & 0xff), static_cast<int>(best >> 16)};
}

/// The colour strokes reach where they are whole: the mean of the most distant few percent of pixels.
Colour ink_of(const Image& image, const Colour& paper, int& strength) {
  std::vector<std::pair<int, Colour>> far;
  far.reserve(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height));
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const Colour c = at(image, x, y);
      far.emplace_back(square_distance(c, paper), c);
    }
  }
  const std::size_t part = std::max<std::size_t>(1, far.size() / 33);
  std::nth_element(far.begin(), far.begin() + static_cast<std::ptrdiff_t>(part - 1), far.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::array<std::int64_t, 3> sum{};
  for (std::size_t i = 0; i < part; ++i) {
    for (std::size_t c = 0; c < 3; ++c) sum[c] += far[i].second[c];
  }
  Colour ink{};
  for (std::size_t c = 0; c < 3; ++c) ink[c] = static_cast<int>(sum[c] / static_cast<std::int64_t>(part));
  strength = square_distance(ink, paper);
  return ink;
}

}  // namespace

Prepared prepare(const Image& line) {
  Prepared out;
  if (line.empty()) {
    out.blank = true;
    return out;
  }
  const Colour paper = paper_of(line);
  int strength = 0;
  const Colour ink = ink_of(line, paper, strength);
  if (strength < 3 * 8 * 8) {
    out.blank = true;
    return out;
  }
  // Each pixel's place on the way from paper to ink, whatever the two colours are.
  cv::Mat grey(line.height, line.width, CV_8UC1);
  int top = line.height;
  int bottom = -1;
  for (int y = 0; y < line.height; ++y) {
    for (int x = 0; x < line.width; ++x) {
      const Colour c = at(line, x, y);
      int along = 0;
      for (std::size_t k = 0; k < 3; ++k) along += (c[k] - paper[k]) * (ink[k] - paper[k]);
      double part = std::clamp(static_cast<double>(along) / strength, 0.0, 1.0);
      // Strokes of another colour (a coloured mnemonic, sub-pixel fringes) count by their distance.
      part = std::max(part, std::min(1.0, std::sqrt(static_cast<double>(square_distance(c, paper)) / strength)) * 0.85);
      const auto value = static_cast<std::uint8_t>(std::lround(255 * (1 - part)));
      grey.at<std::uint8_t>(y, x) = value;
      if (value < 128) {
        top = std::min(top, y);
        bottom = std::max(bottom, y);
      }
    }
  }
  const int ink_height = bottom >= top ? bottom - top + 1 : line.height;
  out.factor = std::clamp(32.0 / std::max(ink_height, 1), 1.0, 4.0);
  cv::Mat large;
  cv::resize(grey, large, cv::Size(), out.factor, out.factor, out.factor > 1 ? cv::INTER_CUBIC : cv::INTER_AREA);
  cv::Mat framed;
  cv::copyMakeBorder(large, framed, kMargin, kMargin, kMargin, kMargin, cv::BORDER_CONSTANT, cv::Scalar(255));
  out.margin = kMargin;
  out.width = framed.cols;
  out.height = framed.rows;
  out.grey.resize(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height));
  for (int y = 0; y < framed.rows; ++y) {
    std::memcpy(out.grey.data() + static_cast<std::size_t>(y) * out.width, framed.ptr(y),
                static_cast<std::size_t>(out.width));
  }
  return out;
}

PictureKey key_of(const Image& image) {
  PictureKey key{0x9e3779b97f4a7c15ULL ^ static_cast<std::uint64_t>(image.width),
                 0xc2b2ae3d27d4eb4fULL ^ static_cast<std::uint64_t>(image.height)};
  const auto mix = [&](std::uint64_t word) {
    key.a = (key.a ^ word) * 0x9fb21c651e98df25ULL;
    key.a ^= key.a >> 32;
    key.b = (key.b + word) * 0xd6e8feb86659fd93ULL;
    key.b ^= key.b >> 29;
  };
  const std::size_t pixels = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
  // The fourth byte of a pixel is undefined: it must not count.
  for (std::size_t i = 0; i < pixels; ++i) {
    std::uint32_t p = 0;
    std::memcpy(&p, image.bgrx.data() + i * 4, 4);
    mix(p & 0x00ffffffU);
  }
  return key;
}

}  // namespace deskmark::ocr
