// Shapes to widgets: what a box, an icon or a line of text is, judged by its size, what it holds and what stands beside
// it.
#pragma once

#include <vector>

#include "perception/vision/boxes.hpp"
#include "perception/vision/regions.hpp"

namespace deskmark::vision {

/// A widget being put together.
struct Draft {
  PictureRect bounds;
  RegionKind kind = RegionKind::Container;
  double confidence = 0.5;
  std::vector<int> text;  ///< line indices
  PictureRect indicator;
  bool checked = false;
};

struct Arrangement {
  const Segmentation& s;
  const InkGroups& ink;
  const Shapes& shapes;
  double scale = 1;
  std::vector<Draft> drafts;
  std::vector<bool> line_used;
  std::vector<bool> icon_used;
  std::vector<RegionKind> box_kind;  ///< per box; Container until known
  std::vector<bool> box_leaf;        ///< the box became one widget: what it holds is part of it

  [[nodiscard]] int px(double logical) const { return static_cast<int>(logical * scale + 0.5); }
  [[nodiscard]] const PictureRect& line(int i) const { return ink.lines[static_cast<std::size_t>(i)].bounds; }
  [[nodiscard]] const PictureRect& icon(int i) const { return shapes.icons[static_cast<std::size_t>(i)].bounds; }
  [[nodiscard]] const Box& box(int i) const { return shapes.boxes[static_cast<std::size_t>(i)]; }
};

/// What a check box or radio button covers: its indicator and the text beside it.
[[nodiscard]] PictureRect with_caption(const Arrangement& a, const PictureRect& indicator, const PictureRect& caption);

/// Boxes that are one widget each (buttons, fields, check boxes…).
void arrange_boxes(Arrangement& a);
/// What stands on its own on a surface: menu bars, tool bars, lists, tabs, links, texts.
void arrange_surfaces(Arrangement& a);

}  // namespace deskmark::vision
