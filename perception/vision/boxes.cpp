#include "perception/vision/boxes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <span>

namespace deskmark::vision {
namespace {

constexpr std::size_t kMostBoxes = 1500;
constexpr std::size_t kMostPieces = 3000;

/// How far a border reaches outward from a side, judged at several places: the median, at most `limit` pixels.
int border(const Segmentation& s, const PictureRect& r, int dx, int dy, int limit, bool& met_fill) {
  std::array<int, 5> reach{};
  int closed = 0;
  for (int i = 0; i < 5; ++i) {
    int x = dx == 0 ? r.x + r.w * (i + 1) / 6 : (dx < 0 ? r.x - 1 : r.right());
    int y = dy == 0 ? r.y + r.h * (i + 1) / 6 : (dy < 0 ? r.y - 1 : r.bottom());
    int n = 0;
    while (n <= limit && x >= 0 && y >= 0 && x < s.width && y < s.height &&
           !s.segments[static_cast<std::size_t>(s.at(x, y))].fill) {
      ++n;
      x += dx;
      y += dy;
    }
    reach[static_cast<std::size_t>(i)] = n;
    if (n <= limit) ++closed;
  }
  std::sort(reach.begin(), reach.end());
  met_fill = closed >= 3;
  return std::min(reach[2], limit);
}

/// Part of each side (left, top, right, bottom) along which the fill reaches within two pixels of its bounding box.
std::array<double, 4> side_cover(const Segmentation& s, int label, const PictureRect& r) {
  std::array<int, 4> n{};
  for (int y = r.y; y < r.bottom(); ++y) {
    n[0] += s.at(r.x, y) == label || s.at(r.x + 1, y) == label || s.at(r.x + 2, y) == label;
    n[2] += s.at(r.right() - 1, y) == label || s.at(r.right() - 2, y) == label || s.at(r.right() - 3, y) == label;
  }
  for (int x = r.x; x < r.right(); ++x) {
    n[1] += s.at(x, r.y) == label || s.at(x, r.y + 1) == label || s.at(x, r.y + 2) == label;
    n[3] += s.at(x, r.bottom() - 1) == label || s.at(x, r.bottom() - 2) == label || s.at(x, r.bottom() - 3) == label;
  }
  return {n[0] / static_cast<double>(r.h), n[1] / static_cast<double>(r.w), n[2] / static_cast<double>(r.h),
          n[3] / static_cast<double>(r.w)};
}

int label_outside(const Segmentation& s, const PictureRect& r) {
  std::array<int, 8> seen{};
  std::size_t n = 0;
  const auto ask = [&](int x, int y) {
    if (x < 0 || y < 0 || x >= s.width || y >= s.height) return;
    const int l = s.at(x, y);
    if (s.segments[static_cast<std::size_t>(l)].fill) seen[n++] = l;
  };
  for (const int part : {1, 2}) {
    ask(r.x + r.w * part / 3, r.y - 2);
    ask(r.x + r.w * part / 3, r.bottom() + 1);
    ask(r.x - 2, r.y + r.h * part / 3);
    ask(r.right() + 1, r.y + r.h * part / 3);
  }
  return most_common({seen.data(), n});
}

bool rectangular(const Segmentation& s, int label, const PictureRect& r, double filled) {
  if (filled < 0.86) return false;
  const auto cover = side_cover(s, label, r);
  return std::min(cover[1], cover[3]) >= 0.6 && std::min(cover[0], cover[2]) >= 0.4;
}

/// Part of a rectangle that is the segment or ink on it.
double filled(const Segmentation& s, int label, const PictureRect& r) {
  std::int64_t n = 0;
  for (int y = r.y; y < r.bottom(); ++y) {
    for (int x = r.x; x < r.right(); ++x) {
      const int l = s.at(x, y);
      n += l == label || !s.segments[static_cast<std::size_t>(l)].fill;
    }
  }
  return static_cast<double>(n) / static_cast<double>(std::max<std::int64_t>(1, r.area()));
}

struct Found {
  std::vector<Box> boxes;
  std::vector<PictureRect> irregular;  // small fills with no box's outline: parts of icons
};

/// Glossy widgets change their tone half way down: two fills on top of one another with letters across the seam.
void join_two_tone(const Segmentation& s, std::vector<Box>& boxes, const InkGroups& ink) {
  const auto limit = static_cast<int>(26 * ink.scale);
  std::vector<bool> gone(boxes.size(), false);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const PictureRect a = boxes[i].inner;
    if (a.h > limit || a.h < 6 || gone[i]) continue;
    for (std::size_t k = 0; k < boxes.size(); ++k) {
      const PictureRect b = boxes[k].inner;
      if (k == i || gone[k] || b.h > limit || std::abs(b.y - a.bottom()) > 3 || std::abs(b.x - a.x) > 2 ||
          std::abs(b.right() - a.right()) > 2)
        continue;
      if (a.h > 2 * b.h || b.h > 2 * a.h) continue;
      const int seam = a.bottom();
      const bool crossed = std::any_of(ink.lines.begin(), ink.lines.end(), [&](const Line& line) {
        return line.bounds.y + 1 < seam && line.bounds.bottom() - 2 > seam && line.bounds.x >= a.x &&
               line.bounds.right() <= a.right();
      });
      if (!crossed) continue;
      gone[k] = true;
      boxes[i].also = boxes[k].fill;
      boxes[i].inner = unite(a, b);
      boxes[i].outer = intersect(unite(boxes[i].outer, boxes[k].outer), PictureRect{0, 0, s.width, s.height});
      break;
    }
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (!gone[i]) boxes[kept++] = boxes[i];
  }
  boxes.resize(kept);
}

/// A small fill and the thin outline around it.
PictureRect with_outline(const Segmentation& s, const PictureRect& r) {
  if (r.x == 0) return r;
  const int ink = s.ink_at(r.x - 1, r.y + r.h / 2);
  if (ink < 0) return r;
  const PictureRect& o = s.inks[static_cast<std::size_t>(ink)].bounds;
  return o.contains(r) && o.w <= r.w + 8 && o.h <= r.h + 8 ? o : r;
}

Found outline_boxes(const Segmentation& s, const InkGroups& ink) {
  Found out;
  const int limit = ink.scale > 1.5 ? 5 : 3;
  const int icon = static_cast<int>(96 * ink.scale);
  std::vector<bool> in_text(s.inks.size(), false);
  for (const Line& line : ink.lines) {
    for (const int i : line.inks) in_text[static_cast<std::size_t>(i)] = true;
  }
  for (int i = 0; i < static_cast<int>(s.segments.size()); ++i) {
    const Segment& seg = s.segments[static_cast<std::size_t>(i)];
    if (!seg.fill || seg.area < 40) continue;
    if (std::any_of(ink.pictures.begin(), ink.pictures.end(),
                    [&](const PictureRect& p) { return p.contains(seg.bounds) && seg.area * 2 < p.area(); }))
      continue;
    PictureRect r = seg.bounds;
    // The hole of a large letter is no box.
    if (r.x > 0 && r.w < 40 && r.h < 60) {
      const int left = s.ink_at(r.x - 1, r.y + r.h / 2);
      if (left >= 0 && in_text[static_cast<std::size_t>(left)]) continue;
    }
    const double rect = seg.rectangularity();
    const bool square = std::abs(r.w - r.h) <= std::max(2, r.h / 8);
    const bool round = square && rect > 0.70 && rect < 0.875 && r.w <= 80;
    if (!round && !rectangular(s, i, r, rect)) {
      // A pressed button may share its colour with the outline of the group: judge it without the thin lines.
      const PictureRect& core = seg.core;
      if (core.area() * 4 < r.area() * 3 && core.area() < 200'000 && core.w >= 12 && core.h >= 12 &&
          rectangular(s, i, core, filled(s, i, core))) {
        r = core;
      } else {
        if (r.w <= icon && r.h <= icon) out.irregular.push_back(with_outline(s, r));
        continue;
      }
    }
    Box box;
    box.fill = i;
    box.inner = r;
    box.round = round;
    std::array<bool, 4> closed{};
    const int l = border(s, r, -1, 0, limit, closed[0]);
    const int t = border(s, r, 0, -1, limit, closed[1]);
    const int rr = border(s, r, 1, 0, limit, closed[2]);
    const int b = border(s, r, 0, 1, limit, closed[3]);
    box.bordered = (l > 0) + (t > 0) + (rr > 0) + (b > 0) >= 3;
    box.outer =
        intersect(PictureRect{r.x - l, r.y - t, r.w + l + rr, r.h + t + b}, PictureRect{0, 0, s.width, s.height});
    box.on = label_outside(s, box.outer);
    if (square && !box.round && rect < 0.93 && r.w <= 26 * ink.scale) {
      // A small disc fills its bounding box almost as well as a square, but leaves the corners free.
      int free = 0;
      const PictureRect& o = box.outer;
      for (const auto& [x, y] :
           {std::pair{o.x, o.y}, {o.right() - 1, o.y}, {o.x, o.bottom() - 1}, {o.right() - 1, o.bottom() - 1}}) {
        const int corner = s.at(x, y);
        free += corner != i && s.segments[static_cast<std::size_t>(corner)].fill;
      }
      box.round = free >= 3;
    }
    out.boxes.push_back(box);
  }
  // More than any interface shows: a texture. The largest are kept, so that time stays bounded.
  if (out.boxes.size() > kMostBoxes) {
    std::nth_element(out.boxes.begin(), out.boxes.begin() + kMostBoxes, out.boxes.end(),
                     [](const Box& a, const Box& b) { return a.inner.area() > b.inner.area(); });
    out.boxes.resize(kMostBoxes);
  }
  if (out.irregular.size() > kMostPieces) out.irregular.clear();
  join_two_tone(s, out.boxes, ink);
  std::sort(out.boxes.begin(), out.boxes.end(), [](const Box& a, const Box& b) {
    if (a.outer.area() != b.outer.area()) return a.outer.area() > b.outer.area();
    return std::pair{a.outer.y, a.outer.x} < std::pair{b.outer.y, b.outer.x};
  });
  return out;
}

/// A speck where a rounded corner of a box blends into its surroundings, or the rest of a box's outline.
bool belongs_to_box(const Segmentation& s, const PictureRect& piece, const std::vector<Box>& boxes, double scale) {
  const int speck = static_cast<int>(7 * scale);
  for (const Box& box : boxes) {
    if (box.dead) continue;
    const PictureRect& o = box.outer;
    if (piece.contains(box.inner) && box.inner.area() * 100 > piece.area() * 35) return true;
    const PictureRect near = o.inflated(2);
    if (!near.contains(piece)) continue;
    // A pill's ends blend over half its height.
    const bool sliver =
        piece.h <= o.h / 2 && piece.w <= o.h / 2 && o.h <= 60 * scale && std::min(piece.w, piece.h) <= speck;
    if ((piece.w > speck || piece.h > speck) && !sliver) continue;
    const bool side = piece.x <= o.x + 2 || piece.right() >= o.right() - 2;
    const bool end = piece.y <= o.y + 2 || piece.bottom() >= o.bottom() - 2;
    if (side && end) return true;
  }
  if (piece.w > speck || piece.h > speck) return false;
  // The same at the corners of rounded fills that are no boxes (tabs, pills that hold something).
  const auto corner = [&](int x, int y) {
    if (x < 0 || y < 0 || x >= s.width || y >= s.height) return false;
    const Segment& seg = s.segments[static_cast<std::size_t>(s.at(x, y))];
    if (!seg.fill || seg.bounds.w < 20 || seg.bounds.h < 14) return false;
    const PictureRect& b = seg.bounds;
    const bool side = piece.x <= b.x + 2 || piece.right() >= b.right() - 2;
    const bool end = piece.y <= b.y + 2 || piece.bottom() >= b.bottom() - 2;
    return side && end && b.inflated(2).contains(piece);
  };
  return corner(piece.x - 1, piece.bottom()) || corner(piece.right(), piece.bottom()) ||
         corner(piece.x - 1, piece.y - 1) || corner(piece.right(), piece.y - 1);
}

/// Joins pieces nearer to each other than neighbouring icons are.
std::vector<PictureRect> cluster(std::vector<PictureRect> pieces, int near) {
  std::sort(pieces.begin(), pieces.end(), [](const PictureRect& a, const PictureRect& b) {
    return std::pair{a.x, a.y} < std::pair{b.x, b.y};
  });
  std::vector<std::size_t> group(pieces.size());
  for (std::size_t i = 0; i < group.size(); ++i) group[i] = i;
  const auto root = [&](std::size_t i) {
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
  };
  for (std::size_t a = 0; a < pieces.size(); ++a) {
    const PictureRect wide = pieces[a].inflated(near);
    for (std::size_t b = a + 1; b < pieces.size() && pieces[b].x < wide.right(); ++b) {
      if (intersect(wide, pieces[b]).empty()) continue;
      const std::size_t ra = root(a);
      const std::size_t rb = root(b);
      group[std::max(ra, rb)] = std::min(ra, rb);
    }
  }
  std::vector<PictureRect> whole(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) whole[root(i)] = unite(whole[root(i)], pieces[i]);
  std::erase_if(whole, [](const PictureRect& r) { return r.empty(); });
  return whole;
}

}  // namespace

Shapes find_shapes(const Segmentation& s, const InkGroups& ink) {
  Found found = outline_boxes(s, ink);
  std::vector<Box>& boxes = found.boxes;
  const double scale = ink.scale;

  std::vector<PictureRect> pieces;
  const std::size_t few = std::min<std::size_t>(ink.pieces.size(), kMostPieces);
  for (const PictureRect& p : std::span{ink.pieces}.first(few)) {
    if (!belongs_to_box(s, p, boxes, scale)) pieces.push_back(p);
  }
  for (const PictureRect& p : found.irregular) {
    if (!belongs_to_box(s, p, boxes, scale)) pieces.push_back(p);
  }
  // A small plain box in a colour of its own is a drawn symbol (stop, record), not something to fill in.
  for (Box& box : boxes) {
    if (box.outer.w > 22 * scale || box.outer.h > 22 * scale || box.on < 0) continue;
    const auto held = [&](const PictureRect& r) { return box.inner.contains(r); };
    if (std::any_of(ink.lines.begin(), ink.lines.end(), [&](const Line& l) { return held(l.bounds); })) continue;
    if (std::any_of(pieces.begin(), pieces.end(), held)) continue;
    const std::uint32_t mine = s.segments[static_cast<std::size_t>(box.fill)].rgb;
    const std::uint32_t behind = s.segments[static_cast<std::size_t>(box.on)].rgb;
    int most = 0;
    for (const int shift : {0, 8, 16}) {
      most = std::max(most,
                      std::abs(static_cast<int>((mine >> shift) & 0xff) - static_cast<int>((behind >> shift) & 0xff)));
    }
    if (most < 90) continue;
    box.dead = true;
    pieces.push_back(box.outer);
  }
  std::vector<PictureRect> whole;
  for (const PictureRect& r : cluster(pieces, static_cast<int>(std::lround(3 * scale)))) {
    const auto icons = icons_of_row(r, pieces);
    whole.insert(whole.end(), icons.begin(), icons.end());
  }
  // A small box that continues an icon is a part of it (the front of a drawn folder).
  const int icon = static_cast<int>(96 * scale);
  bool grew = false;
  for (Box& box : boxes) {
    if (box.outer.w > icon || box.outer.h > icon) continue;
    for (PictureRect& w : whole) {
      if (w.w < 8 || w.h < 3 || intersect(w.inflated(1), box.outer).empty()) continue;
      if (box.inner.contains(w)) continue;
      const PictureRect both = unite(w, box.outer);
      if (both.w > icon || both.h > icon || std::abs(both.w - std::max(w.w, box.outer.w)) > 4) continue;
      w = both;
      box.dead = true;
      grew = true;
      break;
    }
  }
  if (grew) whole = cluster(whole, 1);

  Shapes out;
  std::erase_if(boxes, [](const Box& b) { return b.dead; });
  for (const PictureRect& r : whole) {
    if (std::max(r.w, r.h) < static_cast<int>(4 * scale)) continue;
    std::array<int, 4> seen{};
    std::size_t n = 0;
    const auto ask = [&](int x, int y) {
      if (x < 0 || y < 0 || x >= s.width || y >= s.height) return;
      if (s.segments[static_cast<std::size_t>(s.at(x, y))].fill) seen[n++] = s.at(x, y);
    };
    ask(r.x - 1, r.y + r.h / 2);
    ask(r.right(), r.y + r.h / 2);
    ask(r.x + r.w / 2, r.y - 1);
    ask(r.x + r.w / 2, r.bottom());
    out.icons.push_back({r, most_common({seen.data(), n})});
  }

  std::vector<int> box_of(s.segments.size(), -1);
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
    box_of[static_cast<std::size_t>(boxes[static_cast<std::size_t>(i)].fill)] = i;
    if (boxes[static_cast<std::size_t>(i)].also >= 0)
      box_of[static_cast<std::size_t>(boxes[static_cast<std::size_t>(i)].also)] = i;
  }
  // A fill that is no box itself (selected text) counts as the smallest box around it.
  for (std::size_t f = 0; f < s.segments.size(); ++f) {
    if (box_of[f] >= 0 || !s.segments[f].fill) continue;
    const PictureRect& r = s.segments[f].bounds;
    for (int q = static_cast<int>(boxes.size()) - 1; q >= 0 && box_of[f] < 0; --q) {
      const Box& box = boxes[static_cast<std::size_t>(q)];
      if (box.inner.contains(r) && s.segments[static_cast<std::size_t>(box.fill)].bounds.area() > r.area())
        box_of[f] = q;
    }
  }
  const auto holder = [&](int on) { return on >= 0 ? box_of[static_cast<std::size_t>(on)] : -1; };
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
    Box& box = boxes[static_cast<std::size_t>(i)];
    const int p = holder(box.on);
    if (p >= 0 && p < i && boxes[static_cast<std::size_t>(p)].outer.contains(box.inner)) box.parent = p;
    for (int q = i - 1; q >= 0 && box.parent < 0; --q) {
      const Box& other = boxes[static_cast<std::size_t>(q)];
      if (other.inner.contains(box.inner) && other.inner.area() > box.inner.area()) box.parent = q;
    }
    if (box.parent >= 0) boxes[static_cast<std::size_t>(box.parent)].boxes.push_back(i);
  }
  for (int i = 0; i < static_cast<int>(ink.lines.size()); ++i) {
    const int b = holder(ink.lines[static_cast<std::size_t>(i)].on);
    if (b >= 0) boxes[static_cast<std::size_t>(b)].lines.push_back(i);
  }
  for (int i = 0; i < static_cast<int>(out.icons.size()); ++i) {
    const int b = holder(out.icons[static_cast<std::size_t>(i)].on);
    if (b >= 0) boxes[static_cast<std::size_t>(b)].icons.push_back(i);
  }
  out.boxes = std::move(boxes);
  return out;
}

}  // namespace deskmark::vision
