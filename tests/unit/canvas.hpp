// Interfaces drawn for tests of what is found in pixels.
#pragma once

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include <cstdint>
#include <string>

#include "perception/model/image.hpp"

namespace deskmark::testing {

struct Theme {
  std::uint32_t window;
  std::uint32_t face;
  std::uint32_t line;
  std::uint32_t ink;
};
inline constexpr Theme kLight{0xf6f5f4, 0xffffff, 0xb0aca8, 0x202428};
inline constexpr Theme kDark{0x303030, 0x1e1e1e, 0x101010, 0xeeeeee};
inline constexpr Theme kContrast{0x000000, 0x000000, 0xffffff, 0xffffff};

struct Canvas {
  Image image;
  Theme theme;
  Canvas(int w, int h, const Theme& t) : image(w, h, t.window), theme(t) {}

  cv::Mat mat() { return {image.height, image.width, CV_8UC4, image.bgrx.data()}; }
  static cv::Scalar colour(std::uint32_t rgb) {
    return {static_cast<double>(rgb & 0xff), static_cast<double>((rgb >> 8) & 0xff), static_cast<double>(rgb >> 16),
            255};
  }
  void box(int x, int y, int w, int h, std::uint32_t fill, std::uint32_t line) {
    cv::Mat m = mat();
    cv::rectangle(m, cv::Rect(x, y, w, h), colour(fill), cv::FILLED);
    cv::rectangle(m, cv::Rect(x, y, w, h), colour(line), 1);
  }
  /// Left-aligned text whose middle is at `y`; returns its width.
  int text(const std::string& s, int x, int y) {
    int base = 0;
    const cv::Size size = cv::getTextSize(s, cv::FONT_HERSHEY_SIMPLEX, 0.42, 1, &base);
    cv::Mat m = mat();
    cv::putText(m, s, {x, y + size.height / 2}, cv::FONT_HERSHEY_SIMPLEX, 0.42, colour(theme.ink), 1, cv::LINE_AA);
    return size.width;
  }
  void button(const std::string& s, int x, int y, int w, int h) {
    box(x, y, w, h, theme.face, theme.line);
    int base = 0;
    const cv::Size size = cv::getTextSize(s, cv::FONT_HERSHEY_SIMPLEX, 0.42, 1, &base);
    text(s, x + (w - size.width) / 2, y + h / 2);
  }
};

}  // namespace deskmark::testing
