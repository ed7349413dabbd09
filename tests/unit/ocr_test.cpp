#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "perception/ocr/languages.hpp"
#include "perception/ocr/line_cache.hpp"
#include "perception/ocr/prepare.hpp"
#include "perception/ocr/tesseract.hpp"

using namespace deskmark;
using std::chrono::milliseconds;

namespace {

Image text_picture(const std::string& s, std::uint32_t paper, std::uint32_t ink) {
  Image image{260, 40, paper};
  cv::Mat m{image.height, image.width, CV_8UC4, image.bgrx.data()};
  cv::putText(m, s, {10, 26}, cv::FONT_HERSHEY_SIMPLEX, 0.5, cv::Scalar(ink & 0xff, (ink >> 8) & 0xff, ink >> 16, 255),
              1, cv::LINE_AA);
  return image;
}

bool has(const std::vector<Warning>& warnings, const std::string& code) {
  return std::any_of(warnings.begin(), warnings.end(), [&](const Warning& w) { return w.code == code; });
}

}  // namespace

TEST_CASE("lines are prepared dark on white whatever their colours are") {
  for (const auto& [paper, ink] :
       {std::pair{0xffffffU, 0x000000U}, {0x202020U, 0xe0e0e0U}, {0xf6f5f4U, 0xb0b0b0U}, {0x1e66c0U, 0xffffffU}}) {
    const ocr::Prepared p = ocr::prepare(text_picture("Text", paper, ink));
    REQUIRE(!p.blank);
    CHECK(p.grey[0] == 255);
    CHECK(*std::min_element(p.grey.begin(), p.grey.end()) < 40);
    CHECK(p.factor > 1.5);
    CHECK(p.width > 260);
  }
  CHECK(ocr::prepare(Image{30, 20, 0x336699}).blank);
  CHECK(ocr::prepare(Image{}).blank);
}

TEST_CASE("the key of a picture is its size and its colours") {
  Image a{10, 4, 0x123456};
  Image b = a;
  CHECK(ocr::key_of(a) == ocr::key_of(b));
  b.bgrx[3] = 0;  // the unused byte
  CHECK(ocr::key_of(a) == ocr::key_of(b));
  b.set_rgb(9, 3, 0x123457);
  CHECK_FALSE(ocr::key_of(a) == ocr::key_of(b));
  CHECK_FALSE(ocr::key_of(Image{4, 10, 0x123456}) == ocr::key_of(a));
}

TEST_CASE("the cache forgets the least recently used") {
  ocr::LineCache cache{2};
  const auto key = [](std::uint64_t n) { return ocr::PictureKey{n, n}; };
  cache.store(key(1), {"one", {}, 1, {}});
  cache.store(key(2), {"two", {}, 1, {}});
  CHECK(cache.find(key(1)).has_value());
  cache.store(key(3), {"three", {}, 1, {}});
  CHECK(cache.find(key(1)).has_value());
  CHECK_FALSE(cache.find(key(2)).has_value());
  CHECK(cache.find(key(3))->text == "three");
}

TEST_CASE("a language that is not installed is named with its package") {
  CHECK(ocr::language_package("chi_sim") == "tesseract-ocr-chi-sim");
  const ocr::Languages none = ocr::find_languages("eng+xyz", "/nonexistent");
  CHECK(none.usable.empty());
  CHECK(none.missing.size() == 2);
  // A name is no path.
  CHECK(ocr::find_languages("../eng", "").usable.empty());
  CHECK(ocr::find_languages("", "").missing.empty());
}

TEST_CASE("no language data is a warning, not a crash") {
  const auto source = make_tesseract_source({"eng", "/nonexistent", 1, 10});
  const Image image = text_picture("Save", 0xffffff, 0);
  const auto read = source->read(image, {{0, 0, 260, 40}}, Deadline::in(milliseconds{5000}));
  REQUIRE(read);
  CHECK(read.value->empty());
  CHECK(has(read.warnings, "ocr_unavailable"));
  CHECK(has(read.warnings, "ocr_language_missing"));
}

TEST_CASE("text is read in light and dark, once; a deadline leaves the rest for the next read") {
  if (ocr::find_languages("eng", "").usable.empty()) {
    MESSAGE("tesseract-ocr-eng is not installed: not tested");
    return;
  }
  const auto source = make_tesseract_source({"eng+xyz", "", 1, 100});
  const Image light = text_picture("Open file", 0xffffff, 0x202020);
  const Image dark = text_picture("Close window", 0x303030, 0xe8e8e8);
  const PictureRect whole{0, 0, 260, 40};
  const auto one = source->read(light, {whole}, Deadline::in(milliseconds{20000}));
  REQUIRE(one);
  REQUIRE(one.value->size() == 1);
  CHECK(one.value->front().text == "Open file");
  REQUIRE(one.value->front().words.size() == 2);
  CHECK(whole.contains(PictureRect{one.value->front().bounds.x, one.value->front().bounds.y,
                                   one.value->front().bounds.w, one.value->front().bounds.h}));
  CHECK(has(one.warnings, "ocr_language_missing"));
  const auto two = source->read(dark, {whole}, Deadline::in(milliseconds{20000}));
  REQUIRE(two.value->size() == 1);
  CHECK(two.value->front().text == "Close window");

  // Read before: costs nothing, so that no time at all is enough.
  const Deadline none = Deadline::in(milliseconds{0});
  const auto again = source->read(light, {whole}, none);
  CHECK(again.value->size() == 1);
  CHECK_FALSE(has(again.warnings, "ocr_budget"));
  const auto unread = source->read(text_picture("Other", 0xffffff, 0), {whole}, none);
  CHECK(unread.value->empty());
  CHECK(has(unread.warnings, "ocr_budget"));
}

TEST_CASE("areas beyond the picture and high areas are handled") {
  if (ocr::find_languages("eng", "").usable.empty()) return;
  const auto source = make_tesseract_source({"eng", "", 1, 100});
  Image page{300, 120, 0xffffff};
  paste(page, text_picture("First line", 0xffffff, 0), 0, 0);
  paste(page, text_picture("Second line", 0xffffff, 0), 0, 60);
  const auto read =
      source->read(page, {{-50, -50, 4000, 4000}, {500, 500, 10, 10}, {5, 5, 0, 0}}, Deadline::in(milliseconds{20000}));
  REQUIRE(read.value->size() == 2);
  CHECK((*read.value)[0].text == "First line");
  CHECK((*read.value)[1].bounds.y > 60);
}
