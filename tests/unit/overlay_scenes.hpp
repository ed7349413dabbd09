// Drawn interfaces for the overlay's tests: pixels, marks, and which pixels are there to be read.
#pragma once

#include <string>
#include <vector>

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "perception/model/image.hpp"
#include "perception/model/scene.hpp"

namespace deskmark::test {

struct Theme {
  std::uint32_t back;
  std::uint32_t face;
  std::uint32_t line;
  std::uint32_t text;
};
inline constexpr Theme kLight{0xf6f5f4, 0xffffff, 0xcdc7c2, 0x2e3436};
inline constexpr Theme kDark{0x2d2d2d, 0x353535, 0x1b1b1b, 0xeeeeec};

/// A picture under construction. `bare` is the same picture without what is there to be read.
class Drawing {
 public:
  Drawing(int width, int height, Theme theme)
      : theme_{theme}, full_{width, height, theme.back}, bare_{width, height, theme.back} {
    scene_.width = width;
    scene_.height = height;
  }

  /// A framed widget of the theme; no mark.
  void frame(const PictureRect& r) {
    for (Image* image : {&full_, &bare_}) {
      cv::Mat m = mat(*image);
      cv::rectangle(m, box(r), bgr(theme_.face), cv::FILLED);
      cv::rectangle(m, box(r), bgr(theme_.line));
    }
  }

  void text(int x, int baseline, const std::string& what, double size = 0.4) {
    cv::Mat m = mat(full_);
    cv::putText(m, what, {x, baseline}, cv::FONT_HERSHEY_SIMPLEX, size, bgr(theme_.text), 1, cv::LINE_AA);
    cv::Mat alone = cv::Mat::zeros(m.rows, m.cols, CV_8UC1);
    cv::putText(alone, what, {x, baseline}, cv::FONT_HERSHEY_SIMPLEX, size, cv::Scalar{255}, 1, cv::LINE_AA);
    const cv::Rect ink = cv::boundingRect(alone);
    texts_.push_back({ink.x, ink.y, ink.width, ink.height});
  }

  /// Something drawn that fills most of the square.
  void icon(const PictureRect& r) {
    cv::Mat m = mat(full_);
    cv::circle(m, {r.center().x, r.center().y}, r.w / 2 - 1, bgr(theme_.text), 1, cv::LINE_AA);
    cv::line(m, {r.x, r.y}, {r.right() - 1, r.bottom() - 1}, bgr(theme_.text));
  }

  void mark(const PictureRect& r) {
    Mark mark;
    mark.index = static_cast<int>(scene_.marks.size()) + 1 + first_;
    mark.bounds = r;
    scene_.marks.push_back(mark);
  }
  /// Numbers start behind this one.
  void number_from(int first) { first_ = first; }

  void button(const PictureRect& r, const std::string& label) {
    frame(r);
    text(r.x + (r.w - 8 * static_cast<int>(label.size())) / 2, r.center().y + 5, label);
    mark(r);
  }

  /// What the scene is in a picture reduced to `width`.
  void reduce_to(int width) {
    const double scale = static_cast<double>(width) / full_.width;
    scene_.width = width;
    scene_.height = static_cast<int>(full_.height * scale);
    scene_.mapping = {{0, 0}, scale, static_cast<double>(scene_.height) / full_.height};
    for (Mark& m : scene_.marks) {
      m.bounds = scene_.mapping.to_picture({m.bounds.x, m.bounds.y, m.bounds.w, m.bounds.h});
    }
    for (PictureRect& t : texts_) t = scene_.mapping.to_picture({t.x, t.y, t.w, t.h});
  }

  [[nodiscard]] const Image& pixels() const { return full_; }
  [[nodiscard]] const Scene& scene() const { return scene_; }
  /// Boxes around the ink of each text, delivered pixels.
  [[nodiscard]] const std::vector<PictureRect>& texts() const { return texts_; }

  /// Delivered pixels (after reducing) that text or an icon changed visibly: 255, else 0.
  [[nodiscard]] cv::Mat ink() const {
    Image full = reduced(full_, scene_.width, scene_.height);
    Image bare = reduced(bare_, scene_.width, scene_.height);
    cv::Mat difference;
    cv::absdiff(mat(full), mat(bare), difference);
    cv::Mat channels[4];
    cv::split(difference, channels);
    cv::Mat most = cv::max(cv::max(channels[0], channels[1]), channels[2]);
    cv::threshold(most, most, 40, 255, cv::THRESH_BINARY);
    return most;
  }

 private:
  static cv::Mat mat(Image& image) { return {image.height, image.width, CV_8UC4, image.bgrx.data()}; }
  static cv::Rect box(const PictureRect& r) { return {r.x, r.y, r.w, r.h}; }
  static cv::Scalar bgr(std::uint32_t rgb) {
    return {static_cast<double>(rgb & 0xff), static_cast<double>((rgb >> 8) & 0xff), static_cast<double>(rgb >> 16)};
  }

  Theme theme_;
  Image full_;
  Image bare_;
  Scene scene_;
  std::vector<PictureRect> texts_;
  int first_ = 0;
};

/// A calculator: keys close together, one sign each.
inline Drawing calculator(Theme theme) {
  Drawing d{300, 320, theme};
  for (int row = 0; row < 6; ++row) {
    for (int column = 0; column < 5; ++column) {
      const char sign = static_cast<char>('0' + (row * 5 + column) % 10);
      d.button({16 + column * 52, 40 + row * 44, 46, 38}, std::string{sign});
    }
  }
  return d;
}

/// Two tool bars under a menu bar, icons side by side without a gap.
inline Drawing toolbar(Theme theme) {
  Drawing d{900, 200, theme};
  for (int i = 0; i < 8; ++i) {
    const PictureRect r{4 + i * 52, 4, 48, 22};
    d.text(r.x + 6, r.y + 15, "Menu");
    d.mark(r);
  }
  for (int i = 0; i < 36; ++i) {
    const PictureRect r{4 + i * 24, 32, 24, 24};
    d.icon(r.inflated(-4));
    d.mark(r);
  }
  for (int i = 0; i < 30; ++i) {
    const PictureRect r{4 + i * 26, 60, 26, 26};
    d.icon(r.inflated(-4));
    d.mark(r);
  }
  return d;
}

/// Icons of 12 pixels in a row, nothing between them.
inline Drawing tiny_icons(Theme theme, int first) {
  Drawing d{700, 260, theme};
  d.number_from(first);
  for (int i = 0; i < 40; ++i) {
    const PictureRect r{60 + i * 13, 120, 12, 12};
    d.icon(r);
    d.mark(r);
  }
  return d;
}

/// A list whose rows touch and are full of text, some to the end.
inline Drawing dense_list(Theme theme, int rows) {
  Drawing d{420, 20 + rows * 20, theme};
  d.frame({8, 8, 404, rows * 20 + 2});
  for (int i = 0; i < rows; ++i) {
    const PictureRect r{9, 9 + i * 20, 402, 20};
    d.text(r.x + 6, r.y + 14,
           i % 7 == 3 ? "a row that says much and goes on up to its very end" : "row with some text in it");
    d.mark(r);
  }
  return d;
}

/// A table of small cells, each of its own, about half of them full of text; numbers of three digits.
inline Drawing spreadsheet(Theme theme) {
  Drawing d{1000, 560, theme};
  d.number_from(99);
  for (int row = 0; row < 22; ++row) {
    for (int column = 0; column < 11; ++column) {
      const PictureRect r{20 + column * 86, 20 + row * 23, 87, 24};
      d.frame(r);
      if ((row + column) % 2 == 0) d.text(r.x + 4, r.y + 16, "cell");
      d.mark(r);
    }
  }
  return d;
}

/// Paragraphs with links whose bounds are as tight as their text, inside a document that is a mark itself.
inline Drawing document(Theme theme) {
  Drawing d{800, 500, theme};
  const PictureRect page{10, 10, 780, 480};
  d.frame(page);
  d.mark(page);
  for (int line = 0; line < 20; ++line) {
    const int baseline = 40 + line * 22;
    d.text(20, baseline, "Some words, then a link and again other words that follow it");
    if (line % 2 == 0) d.mark({145, baseline - 11, 46, 15});
  }
  return d;
}

/// A dialog: entries, check boxes, buttons with room around them.
inline Drawing dialog(Theme theme) {
  Drawing d{640, 400, theme};
  for (int i = 0; i < 5; ++i) {
    const int y = 30 + i * 42;
    d.text(30, y + 20, "Name of it:");
    const PictureRect entry{140, y, 260, 30};
    d.frame(entry);
    if (i % 2 == 0) d.text(entry.x + 6, entry.y + 20, "value");
    d.mark(entry);
    const PictureRect check{420, y + 4, 130, 20};
    d.frame({check.x + 2, check.y + 2, 16, 16});
    d.text(check.x + 24, check.y + 15, "check button");
    d.mark(check);
  }
  d.button({380, 340, 100, 34}, "Cancel");
  d.button({500, 340, 100, 34}, "OK");
  return d;
}

}  // namespace deskmark::test
