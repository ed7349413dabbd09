// Text from pixels with Tesseract: a TextSource. Engines are kept per worker thread and started on first use (about 0.2
// s); what was read is remembered by content, so that pixels which did not change cost nothing.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "perception/sources.hpp"

namespace deskmark {

struct OcrOptions {
  std::string languages =
      "eng";             ///< Tesseract names joined by '+': "eng+deu"; a missing one is left out with a warning
  std::string tessdata;  ///< folder of the .traineddata files, empty: $TESSDATA_PREFIX, else where Debian puts them
  int workers = 0;       ///< threads that read, 0: one per core, at most 4
  std::size_t cached_lines = 4000;  ///< lines remembered, least recently used dropped first
};

/// Never throws. Without any usable language every read answers with no lines and the warning `ocr_unavailable`.
/// Warnings of a read: `ocr_unavailable`, `ocr_language_missing` (names the Debian package), `ocr_budget` (how many
/// lines the deadline left unread; reading the same pixels again goes on with them).
[[nodiscard]] std::unique_ptr<TextSource> make_tesseract_source(const OcrOptions& options);

}  // namespace deskmark
