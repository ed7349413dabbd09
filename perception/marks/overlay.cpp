#include "perception/marks/overlay.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#include "perception/marks/detail_map.hpp"
#include "perception/marks/draw.hpp"
#include "perception/marks/label_placer.hpp"
#include "perception/marks/palette.hpp"

namespace deskmark {
namespace {

/// Digits tried first. Models shrink pictures to about 1,600 pixels a side, so larger pictures need larger digits.
DigitSize preferred_size(int width, int height) {
  const int side = std::max(width, height);
  return side < 2200 ? DigitSize::Medium : side < 3200 ? DigitSize::Large : DigitSize::Huge;
}

/// Draws the outline of one mark: a line one pixel wide in the mark's colour and, where the colour hardly stands out
/// from what it is drawn on, a paler or darker one around it.
class Outline {
 public:
  Outline(Image& picture, const DetailMap& details, std::uint32_t colour)
      : picture_{picture}, details_{details}, colour_{colour} {}

  void draw(const PictureRect& m) {
    side({m.x, m.y, m.w, 1}, 0, -1);
    side({m.x, m.bottom() - 1, m.w, 1}, 0, 1);
    side({m.x, m.y, 1, m.h}, -1, 0);
    side({m.right() - 1, m.y, 1, m.h}, 1, 0);
  }

 private:
  /// One side, `line` being the outermost pixels of the mark; one pixel further out where that spares text.
  void side(PictureRect line, int out_x, int out_y) {
    const PictureRect whole{0, 0, picture_.width, picture_.height};
    const PictureRect outer = line.translated(out_x, out_y);
    if (whole.contains(outer) && details_.ink(outer) < details_.ink(line)) line = outer;
    line = intersect(line, whole);
    const PictureRect beside = line.translated(out_x, out_y);
    if (whole.contains(beside)) {
      const bool calm = details_.detail(beside) == 0;
      each_pixel(beside, [&](int x, int y) {
        if (calm || details_.detail({x, y, 1, 1}) == 0) halo({x, y});
      });
    }
    const bool free = details_.ink(line) == 0;
    each_pixel(line, [&](int x, int y) {
      // Text under the line stays readable.
      blend(picture_, x, y, colour_, free || details_.ink({x, y, 1, 1}) == 0 ? 255 : 130);
    });
  }

  template <class Visit>
  static void each_pixel(const PictureRect& r, Visit&& visit) {
    for (int y = r.y; y < r.bottom(); ++y) {
      for (int x = r.x; x < r.right(); ++x) visit(x, y);
    }
  }

  void halo(PicturePoint p) {
    const std::uint32_t under = picture_.rgb(p.x, p.y);
    if (under != last_under_) {
      last_under_ = under;
      needed_ = contrast(under, colour_) < 2.5;
      lighten_ = contrast(under, 0xffffff) > contrast(under, 0x000000);
    }
    if (needed_) blend(picture_, p.x, p.y, lighten_ ? 0xffffff : 0x000000, 90);
  }

  Image& picture_;
  const DetailMap& details_;
  std::uint32_t colour_;
  std::uint32_t last_under_ = 0xffffffff;  ///< no colour: the answer below is remembered, pixels repeat
  bool needed_ = false;
  bool lighten_ = false;
};

/// `r` clipped to a width x height picture; r may be anything a recorded scene holds, so no sum of its members is
/// taken.
PictureRect clipped(const PictureRect& r, int width, int height) {
  const auto left = std::max<std::int64_t>(r.x, 0);
  const auto top = std::max<std::int64_t>(r.y, 0);
  const auto right = std::min<std::int64_t>(std::int64_t{r.x} + r.w, width);
  const auto bottom = std::min<std::int64_t>(std::int64_t{r.y} + r.h, height);
  if (right <= left || bottom <= top) return {};
  return {static_cast<int>(left), static_cast<int>(top), static_cast<int>(right - left),
          static_cast<int>(bottom - top)};
}

}  // namespace

Overlay draw_marks(const Image& pixels, const Scene& scene) {
  Overlay overlay;
  if (pixels.empty()) {
    overlay.left_off = static_cast<int>(scene.marks.size());
    for (const Mark& mark : scene.marks) overlay.labels.push_back({mark.index, {}, false});
    return overlay;
  }
  const int width = scene.width > 0 ? std::min(scene.width, pixels.width) : pixels.width;
  const int height = scene.height > 0 ? std::min(scene.height, pixels.height) : pixels.height;
  overlay.picture = reduced(pixels, width, height);
  Image& picture = overlay.picture;

  std::vector<PictureRect> bounds;
  std::vector<LabelRequest> requests;
  for (const Mark& mark : scene.marks) {
    bounds.push_back(clipped(mark.bounds, width, height));
    requests.push_back({mark.index, bounds.back()});
  }
  const DetailMap details{picture, bounds};
  const std::vector<std::uint32_t> colours = mark_colours(picture, bounds);
  const std::vector<LabelPlace> places = place_labels(width, height, details, requests, preferred_size(width, height));

  for (std::size_t m = 0; m < bounds.size(); ++m) {
    if (!bounds[m].empty()) Outline{picture, details, colours[m]}.draw(bounds[m]);
  }
  for (std::size_t m = 0; m < places.size(); ++m) {
    if (places[m].leader) {
      visit_line(places[m].from, places[m].to, [&](int x, int y) { blend(picture, x, y, colours[m], 255); });
      // A dot says at which end the mark is.
      fill_rect(picture, PictureRect{places[m].to.x, places[m].to.y, 1, 1}.inflated(1), colours[m]);
    }
  }
  for (std::size_t m = 0; m < places.size(); ++m) {
    const LabelPlace& place = places[m];
    overlay.labels.push_back({requests[m].number, place.box, place.leader});
    if (place.box.empty()) {
      ++overlay.left_off;
    } else {
      draw_label(picture, place.box.x, place.box.y, requests[m].number, place.size, colours[m]);
    }
  }
  return overlay;
}

}  // namespace deskmark
