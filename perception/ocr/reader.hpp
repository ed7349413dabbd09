// One Tesseract engine: owned and used by one thread.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "perception/model/observation.hpp"
#include "perception/ocr/prepare.hpp"

namespace deskmark::ocr {

class Reader {
 public:
  /// Loads the languages (about 0.2 s). Null when Tesseract refuses them.
  static std::unique_ptr<Reader> open(const std::string& tessdata, const std::string& languages);
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  /// One line; rectangles in pixels of the picture it was prepared from. Empty text: nothing legible.
  /// False when `budget` ran out.
  bool read(const Prepared& line, std::chrono::milliseconds budget, TextLine& out);

 private:
  struct Impl;
  explicit Reader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Keeps Tesseract's OpenMP regions on the calling thread: two or more threads make a line 3 to 12 times slower. Has to
/// be called on every thread that reads.
void one_thread_per_reader();

}  // namespace deskmark::ocr
