#include "perception/vision/text_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <utility>

#include "perception/vision/text_cuts.hpp"

namespace deskmark::vision {
namespace {

enum class InkClass : std::uint8_t { Glyph, Small, Thin, Frame, Large, Edge, Slider };

int overlap(int a0, int a1, int b0, int b1) { return std::min(a1, b1) - std::max(a0, b0); }

/// An O or D is hollow too, but stands close to its neighbours, as a check box does not.
bool among_letters(const Segmentation& s, int index, const std::vector<std::int64_t>& enclosed) {
  const PictureRect& r = s.inks[static_cast<std::size_t>(index)].bounds;
  if (r.w > r.h + 2) return false;
  const int reach = std::max(2, r.h / 4);
  for (const int side : {-1, 1}) {
    for (int n = 1; n <= reach; ++n) {
      const int x = side < 0 ? r.x - n : r.right() - 1 + n;
      if (x < 0 || x >= s.width) break;
      for (int y = r.y + r.h / 4; y < r.bottom(); ++y) {
        const int other = s.ink_at(x, y);
        if (other < 0 || other == index) continue;
        const PictureRect& o = s.inks[static_cast<std::size_t>(other)].bounds;
        if (enclosed[static_cast<std::size_t>(other)] * 100 > o.area() * 43) continue;  // another box
        if (o.h * 2 >= r.h && o.h <= r.h * 2 && o.w <= 3 * r.h && std::abs(o.bottom() - r.bottom()) <= r.h / 2)
          return true;
      }
    }
  }
  return false;
}

/// Inks that enclose a fill most of their size: outlines of boxes. Index by ink.
std::vector<bool> outlines(const Segmentation& s) {
  std::vector<std::int64_t> enclosed(s.inks.size(), 0);
  for (const Segment& seg : s.segments) {
    if (!seg.fill) continue;
    const int y = seg.bounds.y + seg.bounds.h / 2;
    const int x = seg.bounds.x + seg.bounds.w / 2;
    const PictureRect& b = seg.bounds;
    std::array<int, 4> around{-1, -1, -1, -1};
    const auto ask = [&](std::size_t side, int px, int py) {
      if (px < 0 || py < 0 || px >= s.width || py >= s.height) return;
      const int ink = s.ink_at(px, py);
      if (ink < 0 || std::find(around.begin(), around.end(), ink) != around.end()) return;
      around[side] = ink;
      if (s.inks[static_cast<std::size_t>(ink)].bounds.contains(b))
        enclosed[static_cast<std::size_t>(ink)] += seg.row_fill;
    };
    ask(0, b.x - 1, y);
    ask(1, b.right(), y);
    ask(2, x, b.y - 1);
    ask(3, x, b.bottom());
  }
  std::vector<bool> frame(s.inks.size(), false);
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const PictureRect& r = s.inks[i].bounds;
    frame[i] = enclosed[i] * 100 > r.area() * 43 &&
               !(r.w <= 30 && r.h <= 40 && among_letters(s, static_cast<int>(i), enclosed));
  }
  return frame;
}

InkClass classify(const Ink& ink, bool frame, double scale, int usual) {
  const int limit = static_cast<int>(56 * scale);
  const PictureRect& r = ink.bounds;
  if (frame) return InkClass::Frame;
  if (ink.edge) return InkClass::Edge;
  const int small = std::min(r.w, r.h);
  const int large = std::max(r.w, r.h);
  const int hair = static_cast<int>(3 * scale);
  // An upright hairline as high as a letter is a letter (l, I, |).
  const int letter = static_cast<int>(r.h > r.w ? usual * 1.7 : 14 * scale);
  if (small <= hair && large >= letter && large >= 5 * small) return InkClass::Thin;
  if (r.h > limit) return InkClass::Large;
  if (r.h <= 3 || r.w * r.h <= 9) return InkClass::Small;
  if (r.w > 40 * r.h) return InkClass::Large;
  // A glyph is neither a hollow outline nor a hairline grid.
  if (r.w > 48 && ink.area * 100LL < r.area() * 12) return InkClass::Large;
  return InkClass::Glyph;
}

/// Letters of interfaces are 5 to 11 pixels high at scale 1, twice that at scale 2.
int usual_height(const Segmentation& s) {
  std::vector<int> heights;
  for (const Ink& ink : s.inks) {
    const PictureRect& r = ink.bounds;
    if (ink.on >= 0 && r.h >= 5 && r.h <= 40 && r.w >= 3 && r.w <= 6 * r.h && ink.area * 4LL >= r.area())
      heights.push_back(r.h);
  }
  if (heights.size() < 8) return 10;
  // The taller letters, without the icons that some windows have more of than of letters.
  const int middle = percentile(heights, 0.5);
  std::erase_if(heights, [&](int h) { return h * 10 > middle * 16; });
  return percentile(heights, 0.75);
}

/// A long ink that is thin nearly all along but for one knob.
bool groove(const Segmentation& s, int index, double scale, Groove& out) {
  const PictureRect& r = s.inks[static_cast<std::size_t>(index)].bounds;
  const bool across = r.w >= r.h;
  const int length = across ? r.w : r.h;
  const int breadth = across ? r.h : r.w;
  if (length < 50 * scale || length > 700 * scale || breadth < 9 * scale || breadth > 34 * scale ||
      length < 3 * breadth)
    return false;
  int thin = 0;
  int first = -1;
  int last = -1;
  int wide = 0;
  std::vector<int> middles;
  for (int along = 0; along < length; ++along) {
    int low = -1;
    int high = -1;
    for (int off = 0; off < breadth; ++off) {
      const int x = across ? r.x + along : r.x + off;
      const int y = across ? r.y + off : r.y + along;
      if (s.ink_at(x, y) != index) continue;
      if (low < 0) low = off;
      high = off;
    }
    if (low < 0) continue;
    const int extent = high - low + 1;
    if (extent <= 8 * scale) {
      ++thin;
      middles.push_back(low + high);
    } else if (extent >= 10 * scale) {
      if (first < 0) first = along;
      last = along;
      ++wide;
    }
  }
  const int knob = last - first + 1;
  if (first < 0 || knob < 6 * scale || knob > 40 * scale || wide * 10 < knob * 8 || thin * 10 < length * 6)
    return false;
  out.bounds = r;
  out.knob = across ? PictureRect{r.x + first, r.y, knob, r.h} : PictureRect{r.x, r.y + first, r.w, knob};
  return true;
}

struct Builder {
  const Segmentation& s;
  std::vector<InkClass> kind;
  std::vector<int> line_of;  // per ink
  std::vector<Line> lines;
  int usual = 10;  // height of a letter

  [[nodiscard]] const PictureRect& box(int ink) const { return s.inks[static_cast<std::size_t>(ink)].bounds; }

  /// Widest space within a line of text. Icons stand further apart than letters do for their size.
  [[nodiscard]] int allowed_gap(int a, int b) const {
    const int tall = std::max(a, b);
    // A space of a fixed-width font is as wide as a letter.
    return tall > usual * 17 / 10 ? tall / 3 : std::max(5, std::min(tall, 2 * std::min(a, b)) * 17 / 20);
  }

  void add(int line, int ink) {
    Line& l = lines[static_cast<std::size_t>(line)];
    l.bounds = unite(l.bounds, box(ink));
    l.height = std::max(l.height, box(ink).h);
    l.inks.push_back(ink);
    line_of[static_cast<std::size_t>(ink)] = line;
  }

  /// Left to right: a glyph joins the nearest line it follows closely on the same fill.
  void grow() {
    std::vector<int> order;
    for (int i = 0; i < static_cast<int>(s.inks.size()); ++i) {
      if (kind[static_cast<std::size_t>(i)] == InkClass::Glyph && s.inks[static_cast<std::size_t>(i)].on >= 0) {
        order.push_back(i);
      }
    }
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      return std::pair{box(a).x, box(a).y} < std::pair{box(b).x, box(b).y};
    });
    std::vector<int> open;
    for (const int ink : order) {
      const PictureRect& r = box(ink);
      std::erase_if(open, [&](int l) { return lines[static_cast<std::size_t>(l)].bounds.right() + 80 < r.x; });
      int best = -1;
      int nearest = 1 << 30;
      for (const int l : open) {
        const Line& line = lines[static_cast<std::size_t>(l)];
        if (line.on != s.inks[static_cast<std::size_t>(ink)].on) continue;
        const int common = overlap(line.bounds.y, line.bounds.bottom(), r.y, r.bottom());
        if (common * 2 < std::min(line.bounds.h, r.h)) continue;
        const int tall = std::max(line.height, r.h);
        const int low = std::min(line.height, r.h);
        if (tall > 3 * low && tall > 16) continue;
        if (tall * 5 > low * 11 && tall > 20) continue;
        const int gap = r.x - line.bounds.right();
        if (gap > allowed_gap(tall, low) || gap >= nearest) continue;
        nearest = gap;
        best = l;
      }
      if (best < 0) {
        best = static_cast<int>(lines.size());
        lines.push_back({{}, s.inks[static_cast<std::size_t>(ink)].on, 0, false, {}});
        open.push_back(best);
      }
      add(best, ink);
    }
  }

  /// Dots, commas, hyphens and accents join the line they touch or almost touch.
  void absorb_small() {
    std::vector<std::vector<int>> by_row(static_cast<std::size_t>(s.height / 16 + 2));
    for (int l = 0; l < static_cast<int>(lines.size()); ++l) {
      const PictureRect& b = lines[static_cast<std::size_t>(l)].bounds;
      for (int row = std::max(0, (b.y - 6) / 16); row <= (b.bottom() + 6) / 16; ++row) {
        if (row < static_cast<int>(by_row.size())) by_row[static_cast<std::size_t>(row)].push_back(l);
      }
    }
    for (int i = 0; i < static_cast<int>(s.inks.size()); ++i) {
      if (kind[static_cast<std::size_t>(i)] != InkClass::Small) continue;
      const PictureRect& r = box(i);
      for (const int l : by_row[static_cast<std::size_t>(r.y / 16)]) {
        Line& line = lines[static_cast<std::size_t>(l)];
        if (line.on != s.inks[static_cast<std::size_t>(i)].on && s.inks[static_cast<std::size_t>(i)].on >= 0) continue;
        if (r.w > line.height * 2) continue;
        const int up = std::max(2, line.height * 2 / 5);
        const int side = std::max(3, line.height * 2 / 3);
        if (r.y >= line.bounds.y - up && r.bottom() <= line.bounds.bottom() + up && r.x >= line.bounds.x - side &&
            r.right() <= line.bounds.right() + side) {
          add(l, i);
          break;
        }
      }
    }
  }

  /// A colon or hyphen between two pieces of a line stands further off than letters do: it joins them when it is near
  /// to both.
  void bridge() {
    // Lines by the stripes of 16 rows they touch: a texture has thousands of lines and specks.
    std::vector<std::vector<int>> by_row(static_cast<std::size_t>(s.height / 16 + 2));
    for (int l = 0; l < static_cast<int>(lines.size()); ++l) {
      const PictureRect& b = lines[static_cast<std::size_t>(l)].bounds;
      for (int row = b.y / 16; row <= b.bottom() / 16; ++row) by_row[static_cast<std::size_t>(row)].push_back(l);
    }
    for (int i = 0; i < static_cast<int>(s.inks.size()); ++i) {
      if (kind[static_cast<std::size_t>(i)] != InkClass::Small || line_of[static_cast<std::size_t>(i)] >= 0) continue;
      const PictureRect& r = box(i);
      const int on = s.inks[static_cast<std::size_t>(i)].on;
      if (on < 0) continue;
      int left = -1;
      bool right = false;
      const std::vector<int>& near = by_row[static_cast<std::size_t>(r.y / 16)];
      if (near.size() > 400) continue;
      for (const int l : near) {
        const Line& line = lines[static_cast<std::size_t>(l)];
        if (line.on != on || r.y < line.bounds.y || r.bottom() > line.bounds.bottom() || r.w > line.height) continue;
        const int reach = allowed_gap(line.height, line.height);
        const int after = r.x - line.bounds.right();
        const int before = line.bounds.x - r.right();
        if (after >= -1 && after <= reach) left = l;
        right = right || (before >= 0 && before <= reach);
      }
      if (left >= 0 && right) add(left, i);
    }
  }

  /// Lines that lie in one another's way are one line (an apostrophe between two words split it, for instance).
  void merge() {
    std::vector<int> order(lines.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      return lines[static_cast<std::size_t>(a)].bounds.y < lines[static_cast<std::size_t>(b)].bounds.y;
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
      Line& a = lines[static_cast<std::size_t>(order[i])];
      if (a.inks.empty()) continue;
      for (std::size_t j = i + 1; j < order.size(); ++j) {
        Line& b = lines[static_cast<std::size_t>(order[j])];
        if (b.bounds.y >= a.bounds.bottom()) break;
        if (b.inks.empty() || b.on != a.on) continue;
        const int common = overlap(a.bounds.y, a.bounds.bottom(), b.bounds.y, b.bounds.bottom());
        const int low = std::min(a.bounds.h, b.bounds.h);
        if (common * 10 < low * 6 || std::max(a.height, b.height) > 2 * std::min(a.height, b.height)) continue;
        const int gap = -overlap(a.bounds.x, a.bounds.right(), b.bounds.x, b.bounds.right());
        if (gap > allowed_gap(a.height, b.height)) continue;
        a.bounds = unite(a.bounds, b.bounds);
        a.height = std::max(a.height, b.height);
        a.inks.insert(a.inks.end(), b.inks.begin(), b.inks.end());
        b.inks.clear();
        j = i;  // the line grew: look again at what follows
      }
    }
    std::erase_if(lines, [](const Line& l) { return l.inks.empty(); });
  }
};

}  // namespace

InkGroups group_ink(const Segmentation& s, double scale) {
  InkGroups out;
  const std::vector<bool> frame = outlines(s);
  const int usual = usual_height(s);
  if (scale <= 0) scale = usual >= 15 ? 2 : 1;
  out.scale = scale;
  const std::vector<PictureRect> photos = photographs(s, static_cast<int>(96 * scale));
  out.pictures = photos;
  Builder build{s, {}, std::vector<int>(s.inks.size(), -1), {}, usual};
  build.kind.reserve(s.inks.size());
  for (std::size_t i = 0; i < s.inks.size(); ++i) {
    const bool in_photo =
        std::any_of(photos.begin(), photos.end(), [&](const PictureRect& p) { return p.contains(s.inks[i].bounds); });
    if (in_photo) {
      build.kind.push_back(InkClass::Edge);
      continue;
    }
    build.kind.push_back(classify(s.inks[i], frame[i], scale, usual));
    Groove slider;
    if (groove(s, static_cast<int>(i), scale, slider)) {
      build.kind.back() = InkClass::Slider;
      out.sliders.push_back(slider);
    }
    if (build.kind.back() == InkClass::Frame) out.frames.push_back(static_cast<int>(i));
    if (build.kind.back() == InkClass::Thin) out.separators.push_back(static_cast<int>(i));
  }
  build.grow();
  build.absorb_small();
  build.bridge();
  build.merge();
  std::vector<std::vector<int>> loose;
  for (Line& line : build.lines) {
    if (!row_of_signs(s, line)) continue;
    for (const int i : line.inks) loose.push_back({i});
    line.inks.clear();
  }
  std::erase_if(build.lines, [](const Line& l) { return l.inks.empty(); });
  cut_wide_gaps(s, build.lines);
  cut_icons(s, build.lines, loose);

  // One compact piece of ink, or one much taller than text is, is a symbol rather than a line of text.
  std::vector<int> heights;
  for (const Line& line : build.lines) {
    if (line.bounds.w > 3 * line.bounds.h) heights.push_back(line.height);
  }
  const int typical = heights.empty() ? static_cast<int>(10 * scale) : percentile(heights, 0.5);
  out.letter = typical;
  for (Line& line : build.lines) {
    const PictureRect& r = line.bounds;
    const bool compact = r.w * 10 <= r.h * 16 && line.inks.size() <= 3;
    if (line.inks.size() == 1 && r.w <= 3 * scale && r.h >= 5 * r.w && r.h >= 12 * scale) {
      line.inks.clear();  // a caret or a divider
      continue;
    }
    const bool low = r.h * 100 < typical * 65 && r.w <= 24 * scale && r.h >= 3;
    const bool solid = line.inks.size() == 1 && r.h > typical * 5 / 4 && r.w * 10 >= r.h * 6;
    if ((low && line.inks.size() <= 3) || (compact && (solid || r.h > typical * 3 / 2))) {
      loose.push_back(line.inks);
      line.inks.clear();
      continue;
    }
    std::vector<int> h;
    for (const int i : line.inks) {
      if (s.inks[static_cast<std::size_t>(i)].bounds.h > 3) h.push_back(s.inks[static_cast<std::size_t>(i)].bounds.h);
    }
    line.height = h.empty() ? r.h : percentile(h, 0.8);
  }
  std::erase_if(build.lines, [](const Line& l) { return l.inks.empty(); });

  for (Line& line : build.lines) {
    if (line.inks.size() >= 3) reach_outline(s, line);  // a symbol loses no letter
  }

  // Underlines: a thin ink right below a line and about as wide.
  for (const int i : out.separators) {
    const PictureRect& u = s.inks[static_cast<std::size_t>(i)].bounds;
    if (u.h > 3) continue;
    for (Line& line : build.lines) {
      const int below = u.y - line.bounds.bottom();
      if (below < -line.height / 2 || below > line.height / 2) continue;
      if (overlap(u.x, u.right(), line.bounds.x, line.bounds.right()) * 10 < line.bounds.w * 7) continue;
      if (u.w > line.bounds.w + line.height) continue;
      line.underlined = true;
    }
  }

  for (const auto& group : loose) out.pieces.push_back(bounds_of(s, group));
  std::vector<bool> used(s.inks.size(), false);
  for (const Line& line : build.lines) {
    for (const int i : line.inks) used[static_cast<std::size_t>(i)] = true;
  }
  for (const auto& group : loose) {
    for (const int i : group) used[static_cast<std::size_t>(i)] = true;
  }
  for (std::size_t i = 0; i < s.inks.size(); ++i) {
    if (used[i] || build.kind[i] == InkClass::Frame || build.kind[i] == InkClass::Edge ||
        build.kind[i] == InkClass::Slider)
      continue;
    const PictureRect& r = s.inks[i].bounds;
    if (build.kind[i] == InkClass::Thin && std::max(r.w, r.h) > 24 * out.scale) continue;
    if (r.w > 128 * out.scale || r.h > 128 * out.scale) {
      if (s.inks[i].area * 100LL > r.area() * 40) out.pictures.push_back(r);
      continue;
    }
    out.pieces.push_back(r);
  }
  std::stable_sort(build.lines.begin(), build.lines.end(), [](const Line& a, const Line& b) {
    return std::pair{a.bounds.y + a.bounds.h / 2, a.bounds.x} < std::pair{b.bounds.y + b.bounds.h / 2, b.bounds.x};
  });
  constexpr std::size_t kMostLines = 3000;  // a screen full of the smallest text holds a few hundred
  if (build.lines.size() > kMostLines) build.lines.resize(kMostLines);
  out.lines = std::move(build.lines);
  return out;
}

TextRegion describe(const Image& image, const Segmentation& s, const Line& line) {
  TextRegion t;
  t.bounds = line.bounds;
  t.glyphs = static_cast<int>(line.inks.size());
  t.underlined = line.underlined;
  const Segment& paper = s.segments[static_cast<std::size_t>(line.on)];
  // The paper's colour where the line is: a gradient's mean may be far from it.
  const int px = std::clamp(line.bounds.x - 1, 0, image.width - 1);
  const int py = std::clamp(line.bounds.y + line.bounds.h / 2, 0, image.height - 1);
  t.paper = s.at(px, py) == line.on ? image.rgb(px, py) : paper.rgb;
  const auto channel = [](std::uint32_t rgb, int shift) { return static_cast<int>((rgb >> shift) & 0xff); };
  int strongest = -1;
  for (int y = line.bounds.y; y < line.bounds.bottom(); ++y) {
    for (int x = line.bounds.x; x < line.bounds.right(); ++x) {
      if (s.ink_at(x, y) < 0) continue;
      const std::uint32_t c = image.rgb(x, y);
      const int d = std::abs(channel(c, 16) - channel(t.paper, 16)) + std::abs(channel(c, 8) - channel(t.paper, 8)) +
                    std::abs(channel(c, 0) - channel(t.paper, 0));
      if (d > strongest) {
        strongest = d;
        t.ink = c;
      }
    }
  }
  const auto luma = [&](std::uint32_t c) { return channel(c, 16) * 3 + channel(c, 8) * 6 + channel(c, 0); };
  t.light_on_dark = luma(t.ink) > luma(t.paper);
  return t;
}

}  // namespace deskmark::vision
