// Marks from pixels: what contours and OCR add where the accessible tree does not explain the picture. Pure.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "perception/model/scene.hpp"
#include "perception/vision/regions.hpp"

namespace deskmark {

/// How much of a picture has to be read from its pixels.
enum class PixelNeed : std::uint8_t {
  None,   ///< no pixels, or none wanted
  Holes,  ///< a tree was read: only areas it does not explain, and controls without a name
  Full,   ///< no tree
};
[[nodiscard]] PixelNeed pixel_need(const Observation& observation);

/// Where OCR is worth its time, picture pixels: one area per line of text found in the pixels, most useful first (inside
/// widgets, then the rest). Empty when the tree explains everything. The engine reads them with a TextSource before perceive and
/// puts the lines, moved to device pixels, into Observation::text.
[[nodiscard]] std::vector<PictureRect> text_areas_needed(const Observation& observation);

/// A region or a line of text that no accessible explains.
struct PixelCandidate {
  PictureRect bounds;               ///< picture pixels (unscaled)
  RegionKind kind = RegionKind::Text;
  Role role = Role::Unknown;        ///< the guess
  std::string role_word;            ///< canonical word of the guess ("push button", "entry", "text")
  std::string label;                ///< what OCR read in it or beside it; empty: nothing
  std::vector<std::string> states;  ///< "checked" where an indicator shows it
  Source source = Source::Vision;   ///< Ocr for a line of text that lies in no region
  double confidence = 0;            ///< 0..1
  bool mark = false;                ///< something to act on; false: text or picture, for the outline only
};

/// Candidates in reading order. `text`: OCR lines in picture pixels. `explained`: rectangles of accessibles that account for
/// what is seen; regions they cover are dropped.
[[nodiscard]] std::vector<PixelCandidate> pixel_marks(const Image& picture, const PictureParts& parts,
                                                      const std::vector<TextLine>& text,
                                                      const std::vector<PictureRect>& explained);

/// The same for an observation: parts are found, explained rectangles taken from its nodes, text from its OCR reading.
/// `names[i]`: for accessible i without a name, what the pixels say it is (OCR text inside it), else empty.
struct PixelReading {
  std::vector<PixelCandidate> candidates;
  std::vector<std::string> names;
};
[[nodiscard]] PixelReading read_pixels(const Observation& observation);

/// The parts of a picture; remembered for the last pictures asked for (by identity), so that one capture pays once.
[[nodiscard]] std::shared_ptr<const PictureParts> parts_of(const SharedImage& picture);

}  // namespace deskmark
