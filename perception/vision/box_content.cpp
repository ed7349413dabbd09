#include "perception/vision/widgets.hpp"

#include <algorithm>
#include <cstdlib>

namespace deskmark::vision {

int text_beside(const Arrangement& a, const PictureRect& r, int on) {
  int best = -1;
  int nearest = a.px(14) + 1;
  for (int i = 0; i < static_cast<int>(a.ink.lines.size()); ++i) {
    const Line& line = a.ink.lines[static_cast<std::size_t>(i)];
    if (line.on != on || a.line_used[static_cast<std::size_t>(i)]) continue;
    const int gap = line.bounds.x - r.right();
    if (gap < 1 || gap >= nearest) continue;
    if (std::abs(mid_y(line.bounds) - mid_y(r)) > std::max(a.px(5), r.h / 2)) continue;
    if (line.bounds.h > 3 * r.h) continue;
    nearest = gap;
    best = i;
  }
  return best;
}

int colour_distance(std::uint32_t a, std::uint32_t b) {
  int d = 0;
  for (const int shift : {0, 8, 16}) {
    d = std::max(d, std::abs(static_cast<int>((a >> shift) & 0xff) - static_cast<int>((b >> shift) & 0xff)));
  }
  return d;
}

Content content(const Arrangement& a, int index) {
  Content c;
  const Box& top = a.box(index);
  std::vector<int> todo{index};
  while (!todo.empty()) {
    const Box& b = a.box(todo.back());
    todo.pop_back();
    for (const int i : b.lines) {
      if (a.line_used[static_cast<std::size_t>(i)] || !top.outer.contains(a.line(i))) continue;
      c.lines.push_back(i);
      c.bounds = unite(c.bounds, a.line(i));
    }
    for (const int i : b.icons) {
      if (a.icon_used[static_cast<std::size_t>(i)] || !top.outer.contains(a.icon(i))) continue;
      c.icons.push_back(i);
      c.bounds = unite(c.bounds, a.icon(i));
    }
    for (const int k : b.boxes) {
      const Box& child = a.box(k);
      // Selected text in a field is a box of its own colour near the field's start.
      const bool selection = b.boxes.size() == 1 && !child.bordered && child.boxes.empty() && child.lines.size() == 1 &&
                             b.lines.empty() && top.bordered && top.outer.h <= a.px(48) &&
                             child.outer.x - top.outer.x <= a.px(14) && child.outer.h + a.px(6) <= top.outer.h &&
                             child.icons.empty();
      const bool small = child.outer.w <= a.px(24) && child.outer.h <= a.px(24);
      const bool part = small || selection || child.outer.area() * 10 >= top.outer.area() * 7;
      if (!part)
        ++c.boxes;
      else
        todo.push_back(k);
      c.bounds = unite(c.bounds, child.outer);
    }
  }
  return c;
}

void take(Arrangement& a, int index, Draft draft) {
  // One widget: what lies inside is explained by it.
  std::vector<int> todo{index};
  while (!todo.empty()) {
    const int at = todo.back();
    todo.pop_back();
    a.box_leaf[static_cast<std::size_t>(at)] = true;
    a.box_kind[static_cast<std::size_t>(at)] = draft.kind;
    const Box& b = a.box(at);
    for (const int i : b.lines) {
      if (!a.line_used[static_cast<std::size_t>(i)]) draft.text.push_back(i);
      a.line_used[static_cast<std::size_t>(i)] = true;
    }
    for (const int i : b.icons) a.icon_used[static_cast<std::size_t>(i)] = true;
    for (const int k : b.boxes) {
      if (!a.box_leaf[static_cast<std::size_t>(k)]) todo.push_back(k);
    }
  }
  std::sort(draft.text.begin(), draft.text.end());
  draft.text.erase(std::unique(draft.text.begin(), draft.text.end()), draft.text.end());
  a.drafts.push_back(std::move(draft));
}

void cover(Arrangement& a, const PictureRect& r) {
  for (std::size_t i = 0; i < a.shapes.boxes.size(); ++i) {
    if (r.contains(a.shapes.boxes[i].inner)) a.box_leaf[i] = true;
  }
  for (std::size_t i = 0; i < a.ink.lines.size(); ++i) {
    if (r.contains(a.ink.lines[i].bounds)) a.line_used[i] = true;
  }
  for (std::size_t i = 0; i < a.shapes.icons.size(); ++i) {
    if (r.contains(a.shapes.icons[i].bounds)) a.icon_used[i] = true;
  }
}

}  // namespace deskmark::vision
