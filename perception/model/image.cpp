#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "perception/model/image.hpp"

#include <cstring>

namespace deskmark {
namespace {

cv::Mat view(const Image& image) {
  // cv::Mat has no const form; the callers below only read through it.
  return {image.height, image.width, CV_8UC4, const_cast<std::uint8_t*>(image.bgrx.data())};  // NOLINT
}

}  // namespace

Image::Image(int w, int h, std::uint32_t rgb) : width(w), height(h) {
  bgrx.resize(stride() * static_cast<std::size_t>(h));
  if (bgrx.empty()) return;
  for (int x = 0; x < w; ++x) set_rgb(x, 0, rgb);
  for (int y = 1; y < h; ++y) std::memcpy(row(y), row(0), stride());
}

Image crop(const Image& image, const PictureRect& area) {
  const PictureRect r = intersect(area, PictureRect{0, 0, image.width, image.height});
  if (r.empty()) return {};
  Image out;
  out.width = r.w;
  out.height = r.h;
  out.bgrx.resize(out.stride() * static_cast<std::size_t>(r.h));
  for (int y = 0; y < r.h; ++y) {
    std::memcpy(out.row(y), image.row(r.y + y) + static_cast<std::size_t>(r.x) * 4, out.stride());
  }
  return out;
}

void paste(Image& to, const Image& from, int x, int y) {
  const PictureRect r = intersect(PictureRect{x, y, from.width, from.height}, PictureRect{0, 0, to.width, to.height});
  for (int line = 0; line < r.h; ++line) {
    std::memcpy(to.row(r.y + line) + static_cast<std::size_t>(r.x) * 4,
                from.row(r.y - y + line) + static_cast<std::size_t>(r.x - x) * 4, static_cast<std::size_t>(r.w) * 4);
  }
}

Image reduced(const Image& image, int width, int height) {
  if (width >= image.width && height >= image.height) return image;
  Image out{width, height};
  cv::Mat to{height, width, CV_8UC4, out.bgrx.data()};
  cv::resize(view(image), to, to.size(), 0, 0, cv::INTER_AREA);
  return out;
}

}  // namespace deskmark
