#include "perception/vision/segments.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>

namespace deskmark::vision {
namespace {

/// A horizontal run of one segment.
struct Run {
  int y;
  int x0;
  int x1;  // half-open
};

class Sets {
 public:
  int add() {
    up_.push_back(static_cast<int>(up_.size()));
    return up_.back();
  }
  int find(int i) {
    while (up_[i] != i) {
      up_[i] = up_[up_[i]];
      i = up_[i];
    }
    return i;
  }
  void join(int a, int b) {
    a = find(a);
    b = find(b);
    if (a != b) up_[std::max(a, b)] = std::min(a, b);
  }
  [[nodiscard]] std::size_t size() const { return up_.size(); }

 private:
  std::vector<int> up_;
};

bool close(const std::uint8_t* a, const std::uint8_t* b, int tolerance) {
  return std::abs(a[0] - b[0]) <= tolerance && std::abs(a[1] - b[1]) <= tolerance && std::abs(a[2] - b[2]) <= tolerance;
}

/// Joins runs of row y with those of the row above wherever two pixels that touch are alike.
void join_rows(const Image& image, const std::vector<Run>& runs, std::size_t above, std::size_t above_end,
               std::size_t here, std::size_t here_end, int tolerance, Sets& sets) {
  std::size_t a = above;
  for (std::size_t b = here; b < here_end; ++b) {
    const std::uint8_t* low = image.row(runs[b].y);
    const std::uint8_t* high = image.row(runs[b].y - 1);
    while (a < above_end && runs[a].x1 <= runs[b].x0) ++a;
    for (std::size_t k = a; k < above_end && runs[k].x0 < runs[b].x1; ++k) {
      if (sets.find(static_cast<int>(k)) == sets.find(static_cast<int>(b))) continue;
      const int from = std::max(runs[k].x0, runs[b].x0);
      const int to = std::min(runs[k].x1, runs[b].x1);
      for (int x = from; x < to; ++x) {
        if (close(low + static_cast<std::size_t>(x) * 4, high + static_cast<std::size_t>(x) * 4, tolerance)) {
          sets.join(static_cast<int>(k), static_cast<int>(b));
          break;
        }
      }
    }
  }
}

/// Side of the largest square of one label that ends at each pixel, kept as a maximum per segment.
void measure_thickness(Segmentation& s) {
  std::vector<std::uint8_t> above(static_cast<std::size_t>(s.width), 0);
  std::vector<std::uint8_t> here(static_cast<std::size_t>(s.width), 0);
  for (int y = 0; y < s.height; ++y) {
    const std::int32_t* row = s.label.data() + static_cast<std::size_t>(y) * s.width;
    const std::int32_t* up = y > 0 ? row - s.width : nullptr;
    for (int x = 0; x < s.width; ++x) {
      int side = 1;
      if (up != nullptr && x > 0 && row[x - 1] == row[x] && up[x] == row[x] && up[x - 1] == row[x]) {
        side = std::min({here[x - 1], above[x], above[x - 1]}) + 1;
      }
      here[x] = static_cast<std::uint8_t>(std::min(side, 255));
      Segment& segment = s.segments[static_cast<std::size_t>(row[x])];
      segment.thickness = std::max(segment.thickness, static_cast<int>(here[x]));
      if (here[x] < kFillThickness) continue;
      const int x0 = x - kFillThickness + 1;
      const int y0 = y - kFillThickness + 1;
      PictureRect& core = segment.core;
      if (core.w > 0 && x0 >= core.x && x < core.right() && y < core.bottom()) continue;
      core = unite(core, PictureRect{x0, y0, kFillThickness, kFillThickness});
    }
    std::swap(above, here);
  }
}

/// Connected ink (8 neighbours), by runs of pixels that belong to no fill.
void label_ink(Segmentation& s) {
  s.ink_label.assign(s.label.size(), -1);
  std::vector<Run> runs;
  Sets sets;
  std::size_t above = 0;
  std::size_t above_end = 0;
  for (int y = 0; y < s.height; ++y) {
    const std::size_t here = runs.size();
    const std::int32_t* row = s.label.data() + static_cast<std::size_t>(y) * s.width;
    for (int x = 0; x < s.width;) {
      if (s.segments[static_cast<std::size_t>(row[x])].fill) {
        ++x;
        continue;
      }
      int end = x + 1;
      while (end < s.width && !s.segments[static_cast<std::size_t>(row[end])].fill) ++end;
      runs.push_back({y, x, end});
      sets.add();
      x = end;
    }
    std::size_t a = above;
    for (std::size_t b = here; b < runs.size(); ++b) {
      while (a < above_end && runs[a].x1 < runs[b].x0) ++a;
      for (std::size_t k = a; k < above_end && runs[k].x0 <= runs[b].x1; ++k) {
        sets.join(static_cast<int>(k), static_cast<int>(b));
      }
    }
    above = here;
    above_end = runs.size();
  }
  std::vector<int> index(runs.size(), -1);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto root = static_cast<std::size_t>(sets.find(static_cast<int>(i)));
    if (index[root] < 0) {
      index[root] = static_cast<int>(s.inks.size());
      s.inks.push_back({});
    }
    Ink& ink = s.inks[static_cast<std::size_t>(index[root])];
    const Run& run = runs[i];
    ink.bounds = unite(ink.bounds, PictureRect{run.x0, run.y, run.x1 - run.x0, 1});
    ink.area += run.x1 - run.x0;
    std::fill_n(s.ink_label.begin() + static_cast<std::ptrdiff_t>(run.y) * s.width + run.x0, run.x1 - run.x0,
                index[root]);
  }
}

/// The fill most often met just outside an ink's bounding box.
int surrounding(const Segmentation& s, const PictureRect& r) {
  std::array<int, 12> seen{};
  std::size_t count = 0;
  const auto look = [&](int x, int y) {
    if (x < 0 || y < 0 || x >= s.width || y >= s.height) return;
    const int label = s.at(x, y);
    if (s.segments[static_cast<std::size_t>(label)].fill) seen[count++] = label;
  };
  for (const int part : {1, 3, 5}) {
    const int x = r.x + r.w * part / 6;
    const int y = r.y + r.h * part / 6;
    look(x, r.y - 1);
    look(x, r.bottom());
    look(r.x - 1, y);
    look(r.right(), y);
  }
  return most_common({seen.data(), count});
}

/// Whether a small ink touches more than one fill.
bool between_fills(const Segmentation& s, int index) {
  const PictureRect r =
      intersect(s.inks[static_cast<std::size_t>(index)].bounds.inflated(1), PictureRect{0, 0, s.width, s.height});
  int first = -1;
  for (int y = r.y; y < r.bottom(); ++y) {
    for (int x = r.x; x < r.right(); ++x) {
      if (s.ink_at(x, y) >= 0) continue;
      const int label = s.at(x, y);
      if (first < 0) first = label;
      if (label == first) continue;
      // Only what touches the ink itself, not what its bounding box happens to meet.
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          const int px = x + dx;
          const int py = y + dy;
          if (px >= 0 && py >= 0 && px < s.width && py < s.height && s.ink_at(px, py) == index) return true;
        }
      }
    }
  }
  return false;
}

}  // namespace

int most_common(std::span<const int> values) {
  int best = -1;
  std::ptrdiff_t most = 0;
  for (const int value : values) {
    const auto n = std::count(values.begin(), values.end(), value);
    if (n > most) {
      most = n;
      best = value;
    }
  }
  return best;
}

int noise_tolerance(const Image& image) {
  // Rendered interfaces are flat, shaded one way, or sharp. JPEG and resampling ring: faint ups and downs around edges.
  std::int64_t ringing = 0;
  std::int64_t sharp = 1;
  for (int y = 0; y < image.height; y += 3) {
    const std::uint8_t* row = image.row(y);
    for (int x = 1; x + 1 < image.width; ++x) {
      const std::uint8_t* p = row + static_cast<std::size_t>(x) * 4;
      const int before = p[1] - p[-3];
      const int after = p[5] - p[1];
      if (std::abs(before) > 12)
        ++sharp;
      else if (before * after < 0 && std::abs(after) <= 12 && std::abs(before) + std::abs(after) > 2)
        ++ringing;
    }
  }
  if (ringing * 4 < sharp) return 2;
  return ringing * 2 < sharp ? 5 : 8;
}

Segmentation segment(const Image& image, int tolerance) {
  Segmentation s;
  s.width = image.width;
  s.height = image.height;
  if (image.empty()) return s;
  std::vector<Run> runs;
  runs.reserve(static_cast<std::size_t>(image.height) * 64);
  Sets sets;
  std::size_t above = 0;
  std::size_t above_end = 0;
  for (int y = 0; y < image.height; ++y) {
    const std::size_t here = runs.size();
    const std::uint8_t* row = image.row(y);
    int start = 0;
    for (int x = 1; x <= image.width; ++x) {
      const std::uint8_t* p = row + static_cast<std::size_t>(x) * 4;
      if (x < image.width && close(p - 4, p, tolerance)) continue;
      runs.push_back({y, start, x});
      sets.add();
      start = x;
    }
    if (y > 0) join_rows(image, runs, above, above_end, here, runs.size(), tolerance, sets);
    above = here;
    above_end = runs.size();
  }

  s.label.resize(static_cast<std::size_t>(image.width) * image.height);
  std::vector<int> index(runs.size(), -1);
  std::vector<std::array<std::int64_t, 3>> sums;
  std::vector<std::array<int, 3>> last_row;  // y, first x, end x of the row being gathered per segment
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto root = static_cast<std::size_t>(sets.find(static_cast<int>(i)));
    if (index[root] < 0) {
      index[root] = static_cast<int>(s.segments.size());
      s.segments.push_back({});
      sums.push_back({});
      last_row.push_back({-1, 0, 0});
    }
    const auto id = static_cast<std::size_t>(index[root]);
    const Run& run = runs[i];
    Segment& seg = s.segments[id];
    seg.bounds = unite(seg.bounds, PictureRect{run.x0, run.y, run.x1 - run.x0, 1});
    seg.area += run.x1 - run.x0;
    auto& [y, first, end] = last_row[id];
    if (y != run.y) {
      seg.row_fill += run.x1 - run.x0;
      y = run.y;
      first = run.x0;
    } else {
      seg.row_fill += run.x1 - end;  // the gap and the run
    }
    end = run.x1;
    // Three samples of a run are enough for its mean colour: it is smooth by construction.
    const std::uint8_t* row = image.row(run.y);
    for (const int x : {run.x0, (run.x0 + run.x1) / 2, run.x1 - 1}) {
      for (std::size_t c = 0; c < 3; ++c) {
        sums[id][c] += std::int64_t{row[static_cast<std::size_t>(x) * 4 + c]} * (run.x1 - run.x0);
      }
    }
    std::fill_n(s.label.begin() + static_cast<std::ptrdiff_t>(run.y) * s.width + run.x0, run.x1 - run.x0,
                static_cast<std::int32_t>(id));
  }
  measure_thickness(s);
  for (std::size_t i = 0; i < s.segments.size(); ++i) {
    Segment& seg = s.segments[i];
    const std::int64_t n = std::int64_t{seg.area} * 3;
    seg.rgb = static_cast<std::uint32_t>((sums[i][2] / n) << 16 | (sums[i][1] / n) << 8 | sums[i][0] / n);
    seg.fill = seg.thickness >= kFillThickness;
  }
  label_ink(s);
  for (std::size_t i = 0; i < s.inks.size(); ++i) {
    Ink& ink = s.inks[i];
    ink.on = surrounding(s, ink.bounds);
    ink.edge = ink.area <= 40 && ink.bounds.w <= 24 && ink.bounds.h <= 24 && between_fills(s, static_cast<int>(i));
  }
  return s;
}

}  // namespace deskmark::vision
