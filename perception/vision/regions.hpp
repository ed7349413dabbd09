// What pixels alone tell about an interface: widget-like regions and lines of text. Pure; one thread; tens of
// milliseconds for a 1080p frame. Rectangles are pixels of the given picture.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "perception/model/image.hpp"

namespace deskmark {

enum class RegionKind : std::uint8_t {
  Container,  ///< holds other regions: frames, panels, lists, tool bars
  Button,     ///< a closed box with a short text or an icon, or an icon among others in a bar
  Field,      ///< a box text is typed into
  TextArea,   ///< a large box with several lines of text or none
  Terminal,   ///< a window of lines in a fixed-width font
  ComboBox,   ///< a box with an arrow at its end
  CheckBox,
  RadioButton,
  Switch,  ///< bounds hold the indicator and the text beside it
  Tab,
  MenuItem,
  ListRow,
  Link,
  Slider,
  ScrollBar,
  ProgressBar,
  Icon,     ///< a picture of icon size on its own
  Picture,  ///< photograph or drawing
  Text,     ///< a line of text that looks like nothing to act on
};
[[nodiscard]] std::string_view region_kind_name(RegionKind kind);
/// Kinds a person would click or type into.
[[nodiscard]] bool interactable(RegionKind kind);

/// A line of text-like ink: what to hand to OCR.
struct TextRegion {
  PictureRect bounds;  ///< tight around the ink
  int glyphs = 0;      ///< separate pieces of ink; joined letters count once
  bool light_on_dark = false;
  bool underlined = false;
  std::uint32_t ink = 0;    ///< strongest colour of the ink
  std::uint32_t paper = 0;  ///< colour behind it
};

struct Region {
  PictureRect bounds;
  RegionKind kind = RegionKind::Container;
  double confidence = 0;  ///< 0..1 that this is one widget of this kind
  int parent = -1;        ///< index of the smallest region that holds it (always smaller than the own index), -1: none
  std::vector<int> text;  ///< indices of the text regions that belong to it: inside it, or beside a check box
  PictureRect indicator;  ///< check box, radio button, switch, slider: the box, disc or knob; else empty
  bool checked = false;   ///< check box, radio button: the indicator holds a mark or is filled
};

struct RegionOptions {
  double scale = 0;  ///< picture pixels per logical pixel (HiDPI 2), 0: judged from the text in the picture
};

/// Regions in preorder (containers before what they hold, siblings in reading order) and the text lines they refer to.
struct PictureParts {
  std::vector<Region> regions;
  std::vector<TextRegion> text;
  double scale = 1;
};

[[nodiscard]] PictureParts find_parts(const Image& picture, const RegionOptions& options = {});
/// The parts of some areas of a picture, each looked at on its own, in picture pixels. Remembered for the last few
/// questions by the picture's identity, so that one capture pays once. Thread-safe.
[[nodiscard]] std::shared_ptr<const PictureParts> parts_of(const SharedImage& picture,
                                                           const std::vector<PictureRect>& areas);
/// The regions alone.
[[nodiscard]] std::vector<Region> find_regions(const Image& picture, const RegionOptions& options = {});
/// The text lines alone, in reading order: cheaper than find_parts.
[[nodiscard]] std::vector<TextRegion> find_text_regions(const Image& picture);

}  // namespace deskmark
