// Marks from pixels: what contours and OCR add where the accessible tree does not explain the picture. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perception/model/scene.hpp"
#include "perception/vision/regions.hpp"

namespace deskmark {

/// A region or a line of text that no accessible explains.
struct PixelCandidate {
  PictureRect bounds;  ///< picture pixels (unscaled)
  RegionKind kind = RegionKind::Text;
  Role role = Role::Unknown;         ///< the guess
  std::string role_word;             ///< canonical word of the guess ("push button", "entry", "text")
  std::string label;                 ///< what OCR read in it or beside it; empty: nothing
  std::optional<std::string> value;  ///< of a field: the text in it
  std::vector<std::string> states;   ///< "checked" where an indicator shows it
  Source source = Source::Vision;    ///< Ocr where nothing but a text was seen
  double confidence = 0;             ///< 0..1
  bool mark = false;                 ///< something to act on; false: text, for the outline only
};

/// Candidates in reading order. `text`: OCR lines, their rectangles in picture pixels. `explained`: rectangles of
/// accessibles that account for what is seen; what they cover is dropped. `within`: where candidates may be; empty:
/// all.
[[nodiscard]] std::vector<PixelCandidate> pixel_marks(const PictureParts& parts, const std::vector<TextLine>& text,
                                                      const std::vector<PictureRect>& explained,
                                                      const std::vector<PictureRect>& within);

/// Where the tree leaves the picture unexplained.
struct PixelGaps {
  std::vector<PictureRect> areas;      ///< windows without a tree; canvases and other areas no accessible accounts for
  std::vector<PictureRect> explained;  ///< accessibles that lie in `areas` all the same
  std::vector<int> nameless;           ///< visible controls without a name: indices into Observation::nodes
};
/// Empty without pixels, and where no tree was asked for.
[[nodiscard]] PixelGaps pixel_gaps(const Observation& observation);

/// Where OCR is worth its time, picture pixels: one area per line of text found in the pixels of the gaps and of
/// nameless controls, what lies in widgets first. Empty when the tree explains everything. The engine reads them with a
/// TextSource before perceive and puts the lines, moved to device pixels, into Observation::text.
[[nodiscard]] std::vector<PictureRect> text_areas_needed(const Observation& observation);

/// All of it for an observation. `names[i]`: what the pixels call nameless node i, empty for the others; no entries
/// when nothing is nameless.
struct PixelReading {
  std::vector<PixelCandidate> candidates;
  std::vector<std::string> names;
};
[[nodiscard]] PixelReading read_pixels(const Observation& observation);

}  // namespace deskmark
