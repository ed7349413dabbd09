#include "perception/marks/undrawn.hpp"

namespace deskmark {
namespace {

/// Around the content, as far as the border of any icon button: a button of one colour ends within.
constexpr int kAround = 8;
/// Only what holds an icon; words are told by the tree.
constexpr int kLargest = 96;

/// Every line of pixels is of one colour (title bars have gradients from top to bottom).
bool plain_lines(const Image& image, const PictureRect& r) {
  for (int y = r.y; y < r.bottom(); ++y) {
    const std::uint32_t first = image.rgb(r.x, y);
    // A window grabbed before it was painted is black; that says nothing.
    if (first == 0) return false;
    for (int x = r.x + 1; x < r.right(); ++x) {
      if (image.rgb(x, y) != first) return false;
    }
  }
  return true;
}

}  // namespace

bool is_undrawn(const Tree& tree, int node, const DeviceRect& place) {
  const Accessible& button = tree.node(node);
  if (button.toolkit != Toolkit::Gtk4 || (button.role != Role::PushButton && button.role != Role::ToggleButton)) {
    return false;
  }
  const Observation& seen = tree.seen();
  if (!seen.pixels || seen.pixels->empty() || place.w > kLargest || place.h > kLargest) return false;
  const DeviceRect around = place.inflated(kAround);
  for (const Surface& surface : seen.surfaces) {
    if (surface.window.id == button.surface && !surface.grabbed.contains(place)) return false;
  }
  const PictureRect r{around.x - seen.area.x, around.y - seen.area.y, around.w, around.h};
  return PictureRect{0, 0, seen.pixels->width, seen.pixels->height}.contains(r) && plain_lines(*seen.pixels, r);
}

}  // namespace deskmark
