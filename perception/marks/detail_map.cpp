#include "perception/marks/detail_map.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "perception/marks/ink_boxes.hpp"

#include <opencv2/core.hpp>
#include <opencv2/core/hal/intrin.hpp>

namespace deskmark {
namespace {

/// Neighbouring pixels that differ by more than this in one channel are an edge: above the gradients of buttons and the
/// steps of soft shadows, below the faintest disabled text.
constexpr int kEdge = 14;

enum Bits : std::uint8_t {
  kAcross = 1,  ///< differs from the pixel to its right
  kDown = 2,    ///< differs from the pixel below
};

using Bytes = std::unique_ptr<std::uint8_t[]>;  // left uninitialised where all of it gets written

/// One byte per pixel, Bits.
struct Edges {
  int width;
  int height;
  Bytes bits;

  [[nodiscard]] std::uint8_t* row(int y) const {
    return bits.get() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
  }
};

bool differs(const std::uint8_t* a, const std::uint8_t* b) {
  return std::abs(a[0] - b[0]) > kEdge || std::abs(a[1] - b[1]) > kEdge || std::abs(a[2] - b[2]) > kEdge;
}

/// 0xff for each of the 16 BGRX pixels at `a` and `b` that differ.
cv::v_uint8x16 differ16(const std::uint8_t* a, const std::uint8_t* b) {
  const auto four = [&](int at) {
    const cv::v_uint8x16 far = cv::v_absdiff(cv::v_load(a + at), cv::v_load(b + at)) > cv::v_setall_u8(kEdge);
    const cv::v_uint32x4 bgr = cv::v_reinterpret_as_u32(far) & cv::v_setall_u32(0x00ffffff);
    return bgr != cv::v_setzero_u32();
  };
  // Packing saturates: all ones stay all ones.
  return cv::v_pack(cv::v_pack(four(0), four(16)), cv::v_pack(four(32), four(48)));
}

Edges find_edges(const Image& picture) {
  const int width = picture.width;
  const auto size = static_cast<std::size_t>(width) * static_cast<std::size_t>(picture.height);
  Edges edges{width, picture.height, std::make_unique_for_overwrite<std::uint8_t[]>(size)};
  for (int y = 0; y < picture.height; ++y) {
    const std::uint8_t* here = picture.row(y);
    const std::uint8_t* below = y + 1 == picture.height ? here : picture.row(y + 1);
    std::uint8_t* out = edges.row(y);
    int x = 0;
    for (; x + 16 < width; x += 16, here += 64, below += 64) {
      cv::v_store(out + x, (differ16(here, here + 4) & cv::v_setall_u8(kAcross)) |
                               (differ16(here, below) & cv::v_setall_u8(kDown)));
    }
    for (; x < width; ++x, here += 4, below += 4) {
      const bool across = x + 1 < width && differs(here, here + 4);
      out[x] = static_cast<std::uint8_t>((across ? kAcross : 0) | (differs(here, below) ? kDown : 0));
    }
  }
  return edges;
}

/// How far from its bounds, in pixels, a widget's frame may be drawn, and the largest corner radius looked through.
constexpr int kFrameOut = 2;
constexpr int kFrameIn = 3;
constexpr int kCorner = 6;

struct Sides {
  bool top, left, bottom, right;
};

/// Does a straight line run along this side? `at(along, depth)` gives the Bits of a pixel, `line` the bit of an edge
/// that crosses the side.
template <class At>
bool has_line(int length, std::uint8_t line, At&& at) {
  const int corner = std::min(kCorner, length / 4);
  int crossed = 0;
  int broken = 0;
  for (int along = corner; along < length - corner; ++along) {
    bool crosses = false;
    bool breaks = false;
    for (int depth = -kFrameOut; depth < kFrameIn; ++depth) {
      const std::uint8_t bits = at(along, depth);
      crosses |= (bits & line) != 0;
      breaks |= (bits & ~line) != 0;
    }
    crossed += crosses ? 1 : 0;
    broken += breaks ? 1 : 0;
  }
  const int count = length - 2 * corner;
  return count > 0 && crossed * 100 >= count * 85 && broken * 100 <= count * 12;
}

class Frames {
 public:
  Frames(const Edges& edges, std::vector<std::uint8_t>& mask) : edges_{edges}, mask_{mask} {}

  /// Takes the frame of `mark` out of the mask: along a drawn side the edges that cross it, in a corner everything.
  void clear(const PictureRect& mark) {
    const Sides lined = find(mark);
    if (lined.top) forget(mark.x, mark.y - kFrameOut, mark.w, kFrameOut + kFrameIn, kAcross);
    if (lined.bottom) forget(mark.x, mark.bottom() - kFrameIn, mark.w, kFrameOut + kFrameIn, kAcross);
    if (lined.left) forget(mark.x - kFrameOut, mark.y, kFrameOut + kFrameIn, mark.h, kDown);
    if (lined.right) forget(mark.right() - kFrameIn, mark.y, kFrameOut + kFrameIn, mark.h, kDown);
    const int w = std::min(kCorner, mark.w / 4);
    const int h = std::min(kCorner, mark.h / 4);
    if (lined.top && lined.left) forget(mark.x, mark.y, w, h, 0);
    if (lined.top && lined.right) forget(mark.right() - w, mark.y, w, h, 0);
    if (lined.bottom && lined.left) forget(mark.x, mark.bottom() - h, w, h, 0);
    if (lined.bottom && lined.right) forget(mark.right() - w, mark.bottom() - h, w, h, 0);
  }

 private:
  [[nodiscard]] std::uint8_t bits(int x, int y) const {
    return x < 0 || y < 0 || x >= edges_.width || y >= edges_.height ? std::uint8_t{0} : edges_.row(y)[x];
  }

  [[nodiscard]] Sides find(const PictureRect& m) const {
    return {
        has_line(m.w, kDown, [&](int along, int depth) { return bits(m.x + along, m.y + depth); }),
        has_line(m.h, kAcross, [&](int along, int depth) { return bits(m.x + depth, m.y + along); }),
        has_line(m.w, kDown, [&](int along, int depth) { return bits(m.x + along, m.bottom() - 1 - depth); }),
        has_line(m.h, kAcross, [&](int along, int depth) { return bits(m.right() - 1 - depth, m.y + along); }),
    };
  }

  /// Leaves only the bits `keep` of the mask in the rectangle.
  void forget(int x, int y, int w, int h, std::uint8_t keep) {
    const PictureRect r = intersect(PictureRect{x, y, w, h}, PictureRect{0, 0, edges_.width, edges_.height});
    for (int line = r.y; line < r.bottom(); ++line) {
      std::uint8_t* row = mask_.data() + static_cast<std::size_t>(line) * static_cast<std::size_t>(edges_.width);
      for (int column = r.x; column < r.right(); ++column) row[column] &= keep;
    }
  }

  const Edges& edges_;
  std::vector<std::uint8_t>& mask_;
};

}  // namespace

DetailMap::DetailMap(const Image& picture, std::span<const PictureRect> marks)
    : width_{picture.width}, height_{picture.height} {
  const Edges edges = find_edges(picture);
  const std::size_t area = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
  // First the Bits that count as ink at each pixel, then the ink itself.
  ink_.resize(area);
  for (const PictureRect& mark : marks) {
    // One pixel more: in a reduced picture bounds are rounded and ink is smeared.
    if (!mark.empty())
      each_row(mark.inflated(1), [](std::uint8_t* row, std::size_t n) { std::memset(row, kAcross | kDown, n); });
  }
  Frames frames{edges, ink_};
  for (const PictureRect& mark : marks) frames.clear(mark);
  classify(edges.bits.get(), ink_.data(), area);
  for (const PictureRect& box : ink_boxes(ink_, kInk | kDetail, width_, height_)) {
    each_row(box, [](std::uint8_t* row, std::size_t n) {
      for (std::size_t i = 0; i < n; ++i) row[i] |= kBox;
    });
  }
  sum_up();
}

/// From the edges at each pixel and the mask of those that count as ink to kInk and kDetail. Eight pixels at a time:
/// neighbours in the word cannot disturb each other, as no byte is above 3.
void DetailMap::classify(const std::uint8_t* edges, std::uint8_t* plane, std::size_t count) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  const auto either_bit = [](std::uint64_t v) { return (v | (v >> 1)) & kOnes; };
  for (std::size_t i = 0; i < count; i += 8) {
    const std::size_t n = std::min<std::size_t>(8, count - i);
    std::uint64_t all = 0;
    std::uint64_t kept = 0;
    std::memcpy(&all, edges + i, n);
    std::memcpy(&kept, plane + i, n);
    const std::uint64_t out = either_bit(all & kept) * kInk | either_bit(all) * kDetail;
    std::memcpy(plane + i, &out, n);
  }
}

void DetailMap::sum_up() {
  constexpr std::uint32_t kDetailOne = 1;
  constexpr std::uint32_t kContentOne = 1U << 16;
  std::array<std::uint32_t, 8> worth{};
  for (std::size_t v = 0; v < worth.size(); ++v) {
    worth[v] = ((v & kDetail) != 0 ? kDetailOne : 0) + ((v & (kInk | kBox)) != 0 ? kContentOne : 0);
  }
  const std::size_t stride = static_cast<std::size_t>(width_) + 1;
  sums_ = std::make_unique_for_overwrite<std::uint32_t[]>(stride * (static_cast<std::size_t>(height_) + 1));
  std::fill_n(sums_.get(), stride, 0U);
  for (int y = 0; y < height_; ++y) {
    const std::uint8_t* ink = ink_.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
    const std::uint32_t* above = sums_.get() + static_cast<std::size_t>(y) * stride;
    std::uint32_t* out = sums_.get() + static_cast<std::size_t>(y + 1) * stride;
    std::uint32_t run = 0;
    out[0] = 0;
    for (int x = 0; x < width_; ++x) {
      run += worth[ink[x]];
      out[x + 1] = above[x + 1] + run;
    }
  }
}

template <class Visit>
void DetailMap::each_row(const PictureRect& area, Visit&& visit) {
  const PictureRect r = intersect(area, PictureRect{0, 0, width_, height_});
  for (int y = r.y; y < r.bottom(); ++y) {
    visit(ink_.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + r.x,
          static_cast<std::size_t>(r.w));
  }
}

int DetailMap::ink(const PictureRect& area) const {
  const PictureRect r = intersect(area, PictureRect{0, 0, width_, height_});
  int count = 0;
  for (int y = r.y; y < r.bottom(); ++y) {
    const std::uint8_t* row = ink_.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
    for (int x = r.x; x < r.right(); ++x) count += row[x] & kInk;
  }
  return count;
}

std::uint32_t DetailMap::sum(const PictureRect& area) const {
  const PictureRect r = intersect(area, PictureRect{0, 0, width_, height_});
  if (r.empty()) return 0;
  const std::size_t stride = static_cast<std::size_t>(width_) + 1;
  const auto at = [&](int x, int y) {
    return sums_[static_cast<std::size_t>(y) * stride + static_cast<std::size_t>(x)];
  };
  return at(r.right(), r.bottom()) - at(r.x, r.bottom()) - at(r.right(), r.y) + at(r.x, r.y);
}

}  // namespace deskmark
