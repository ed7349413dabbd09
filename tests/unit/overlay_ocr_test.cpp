// Are the drawn numbers readable? Tesseract reads them back: cut out, enlarged four times (bicubic), digits only.
// Run with OMP_THREAD_LIMIT=1 in the environment; Tesseract is several times slower without.
#include <doctest/doctest.h>
#include <tesseract/baseapi.h>

#include <string>

#include "perception/marks/glyphs.hpp"
#include "perception/marks/overlay.hpp"
#include "perception/marks/palette.hpp"
#include "tests/unit/overlay_scenes.hpp"

namespace deskmark {
namespace {

class Reader {
 public:
  explicit Reader(tesseract::PageSegMode mode) {
    REQUIRE(api_.Init(nullptr, "eng") == 0);
    api_.SetVariable("tessedit_char_whitelist", "0123456789");
    api_.SetPageSegMode(mode);
  }

  std::string read(Image& image, const PictureRect& box) {
    const cv::Mat all{image.height, image.width, CV_8UC4, image.bgrx.data()};
    cv::Mat grey;
    cv::cvtColor(all(cv::Rect{box.x, box.y, box.w, box.h}), grey, cv::COLOR_BGRA2GRAY);
    cv::Mat large;
    cv::resize(grey, large, {}, 4, 4, cv::INTER_CUBIC);
    if (large.at<std::uint8_t>(0, 0) < 128) cv::bitwise_not(large, large);  // dark on light, as it was trained
    // Tesseract wants room around a line; the label's own ground goes on.
    cv::copyMakeBorder(large, large, 8, 8, 8, 8, cv::BORDER_REPLICATE);
    api_.SetImage(large.data, large.cols, large.rows, 1, static_cast<int>(large.step));
    api_.SetSourceResolution(300);
    const std::unique_ptr<char[]> text{api_.GetUTF8Text()};
    std::string digits;
    for (const char* c = text.get(); c != nullptr && *c != '\0'; ++c) {
      if (*c > ' ') digits += *c;
    }
    return digits;
  }

 private:
  tesseract::TessBaseAPI api_;
};

/// Reads every label of an overlay; counts the right ones.
struct Score {
  int read = 0;
  int right = 0;
  std::string wrong;

  void add(Reader& reader, Overlay overlay) {
    for (const PlacedLabel& label : overlay.labels) {
      if (label.box.empty()) continue;
      ++read;
      const std::string text = reader.read(overlay.picture, label.box);
      if (text == std::to_string(label.index)) {
        ++right;
      } else {
        wrong += std::to_string(label.index) + " as '" + text + "'; ";
      }
    }
  }
};

}  // namespace

TEST_CASE("numbers of every size are read back") {
  for (const auto mode : {tesseract::PSM_SINGLE_LINE, tesseract::PSM_SINGLE_WORD}) {
    Reader reader{mode};
    for (const DigitSize size : {DigitSize::Small, DigitSize::Medium, DigitSize::Large, DigitSize::Huge}) {
      int read = 0;
      int right = 0;
      std::string wrong;
      for (int number = 1; number <= 999; number += number < 100 ? 1 : 9) {
        Image image{120, 60, 0xf0f0f0};
        const LabelSize box = label_size(number, size);
        draw_label(image, 20, 10, number, size, palette()[static_cast<std::size_t>(number) % palette().size()]);
        const std::string text = reader.read(image, {20, 10, box.w, box.h});
        ++read;
        right += text == std::to_string(number) ? 1 : 0;
        if (text != std::to_string(number)) wrong += std::to_string(number) + " as '" + text + "'; ";
      }
      INFO("size " << static_cast<int>(size) << ", mode " << static_cast<int>(mode) << ": " << wrong);
      CHECK(right * 100 >= read * (mode == tesseract::PSM_SINGLE_LINE ? 99 : 98));
    }
  }
}

TEST_CASE("the labels of crowded scenes are read back") {
  Reader reader{tesseract::PSM_SINGLE_LINE};
  Score score;
  for (const test::Theme& theme : {test::kLight, test::kDark}) {
    for (const auto& drawing : {test::calculator(theme), test::toolbar(theme), test::tiny_icons(theme, 100),
                                test::dense_list(theme, 24), test::document(theme), test::dialog(theme)}) {
      score.add(reader, draw_marks(drawing.pixels(), drawing.scene()));
    }
  }
  auto small = test::spreadsheet(test::kLight);
  small.reduce_to(800);
  score.add(reader, draw_marks(small.pixels(), small.scene()));
  INFO(score.right << " of " << score.read << ": " << score.wrong);
  CHECK(score.read > 600);
  CHECK(score.right * 100 >= score.read * 99);
}

}  // namespace deskmark
