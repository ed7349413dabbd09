#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "perception/vision/symbols.hpp"

using namespace deskmark;

namespace {

std::string word(std::uint32_t paper, std::uint32_t ink, const std::function<void(cv::Mat&, cv::Scalar)>& draw) {
  Image image{32, 32, paper};
  cv::Mat m{32, 32, CV_8UC4, image.bgrx.data()};
  draw(m, cv::Scalar(ink & 0xff, (ink >> 8) & 0xff, ink >> 16, 255));
  return symbol_word(image, {0, 0, 32, 32});
}

void triangle(cv::Mat& m, cv::Scalar c, cv::Point a, cv::Point b, cv::Point d) {
  const std::vector<cv::Point> points{a, b, d};
  cv::fillConvexPoly(m, points, c);
}

}  // namespace

TEST_CASE("plain symbols are named, on light and on dark") {
  for (const auto& [paper, ink] : {std::pair{0xf0f0f0U, 0x303030U}, {0x202020U, 0xe0e0e0U}}) {
    CHECK(word(paper, ink, [](cv::Mat& m, cv::Scalar c) {
            cv::line(m, {8, 16}, {24, 16}, c, 2);
            cv::line(m, {16, 8}, {16, 24}, c, 2);
          }) == "plus");
    CHECK(word(paper, ink, [](cv::Mat& m, cv::Scalar c) {
            cv::rectangle(m, {8, 15}, {24, 17}, c, cv::FILLED);
          }) == "minus");
    CHECK(word(paper, ink, [](cv::Mat& m, cv::Scalar c) {
            cv::line(m, {9, 9}, {23, 23}, c, 2);
            cv::line(m, {23, 9}, {9, 23}, c, 2);
          }) == "cross");
    CHECK(word(paper, ink, [](cv::Mat& m, cv::Scalar c) {
            for (const int y : {9, 15, 21}) cv::rectangle(m, {8, y}, {24, y + 1}, c, cv::FILLED);
          }) == "three bars");
    CHECK(word(paper, ink, [](cv::Mat& m, cv::Scalar c) {
            for (const int y : {8, 15, 22}) cv::rectangle(m, {15, y}, {17, y + 2}, c, cv::FILLED);
          }) == "three dots");
    CHECK(word(paper, ink, [](cv::Mat& m, cv::Scalar c) {
            triangle(m, c, {9, 13}, {23, 13}, {16, 20});
          }) == "arrow down");
    CHECK(word(paper, ink, [](cv::Mat& m, cv::Scalar c) {
            triangle(m, c, {9, 20}, {23, 20}, {16, 13});
          }) == "arrow up");
    CHECK(word(paper, ink, [](cv::Mat& m, cv::Scalar c) {
            triangle(m, c, {13, 9}, {13, 23}, {20, 16});
          }) == "arrow right");
    CHECK(word(paper, ink, [](cv::Mat& m, cv::Scalar c) {
            triangle(m, c, {20, 9}, {20, 23}, {13, 16});
          }) == "arrow left");
  }
}

TEST_CASE("other drawings are told by their colour, blank ones not at all") {
  const auto blob = [](cv::Mat& m, cv::Scalar c) {
    cv::circle(m, {13, 16}, 6, c, cv::FILLED);
    cv::rectangle(m, {16, 8}, {22, 14}, c, cv::FILLED);
  };
  CHECK(word(0xffffff, 0x1a66d0, blob) == "blue icon");
  CHECK(word(0xffffff, 0xd02020, blob) == "red icon");
  CHECK(word(0xffffff, 0x404040, blob) == "icon");
  CHECK(word(0xffffff, 0xffffff, blob).empty());
  CHECK(symbol_word(Image{10, 10, 0}, {50, 50, 20, 20}).empty());
}
