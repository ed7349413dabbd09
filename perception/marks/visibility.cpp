#include "perception/marks/visibility.hpp"

#include <cstdlib>
#include <unordered_map>

#include "perception/marks/scroll_strips.hpp"
#include "perception/marks/stack_pages.hpp"
#include "perception/marks/toolkit_rules.hpp"
#include "perception/marks/undrawn.hpp"

namespace deskmark {
namespace {

/// A part of a window that is drawn over the rest of the same window: popover, dialog, menu.
struct Cover {
  int node;
  int surface;
  DeviceRect rect;
  int layer;
};

/// More would be a page made of list boxes, none of which floats; keeps the work linear.
constexpr std::size_t kMaxCovers = 128;

/// What is left of something that is cut, too thin to aim at.
bool is_sliver(const DeviceRect& part, const DeviceRect& whole) {
  const int thin = std::min(part.w, part.h);
  return (thin < 3 && std::min(whole.w, whole.h) >= 3) || (thin < 6 && part.area() * 5 < whole.area());
}

class Looker {
 public:
  explicit Looker(const Tree& tree) : tree_(tree), sights_(static_cast<std::size_t>(tree.size())) {}

  std::vector<Sight> run() {
    index_surfaces();
    std::vector<DeviceRect> inner(sights_.size());  // what clips the children of each node
    std::vector<DeviceRect> body(sights_.size());   // the same below and right of a table's headers
    covered_by_.assign(sights_.size(), -1);
    hidden_pages_ = hidden_pages(tree_);
    for (const int i : tree_.preorder()) place(i, inner, body);
    for (const int i : tree_.preorder()) uncover(i);
    return std::move(sights_);
  }

 private:
  Sight& at(int i) { return sights_[static_cast<std::size_t>(i)]; }

  void index_surfaces() {
    const auto& surfaces = tree_.seen().surfaces;
    for (std::size_t s = 0; s < surfaces.size(); ++s) {
      if (surfaces[s].root >= 0) by_root_[surfaces[s].root] = static_cast<int>(s);
      by_id_[surfaces[s].window.id] = static_cast<int>(s);
    }
  }

  [[nodiscard]] DeviceRect surface_rect(int s) const {
    if (s < 0) return {};
    return intersect(sane(tree_.seen().surfaces[static_cast<std::size_t>(s)].window.bounds), sane(tree_.seen().area));
  }

  /// The object a native window was matched with, and drawn on that window: the root of an open menu may be the item in
  /// the menu bar that opened it.
  [[nodiscard]] bool is_root(int i) const {
    const auto root = by_root_.find(i);
    return root != by_root_.end() && sights_[static_cast<std::size_t>(i)].surface == root->second;
  }

  int surface_of(int i, const DeviceRect& extents) const {
    const Accessible& node = tree_.node(i);
    if (node.surface != 0) {
      const auto id = by_id_.find(node.surface);
      return id != by_id_.end() ? id->second : -1;
    }
    if (const auto root = by_root_.find(i); root != by_root_.end()) return root->second;
    const int p = tree_.parent(i);
    const int inherited = p < 0 ? -1 : sights_[static_cast<std::size_t>(p)].surface;
    // A reader that could not tell: the items of an open menu are children of the item that opened it, in a window of
    // their own.
    if (inherited < 0 || extents.empty() || !opens_in_own_window(tree_, i)) return inherited;
    const auto& surfaces = tree_.seen().surfaces;
    for (int s = static_cast<int>(surfaces.size()) - 1; s > inherited; --s) {
      const Window& window = surfaces[static_cast<std::size_t>(s)].window;
      if (window.override_redirect && sane(window.bounds).inflated(2).contains(extents)) return s;
    }
    return inherited;
  }

  void place(int i, std::vector<DeviceRect>& inner, std::vector<DeviceRect>& body) {
    const Accessible& node = tree_.node(i);
    const int p = tree_.parent(i);
    Sight& sight = at(i);
    sight.extents = sane(node.extents);
    sight.surface = surface_of(i, sight.extents);
    const bool own_window = is_root(i) || p < 0 || at(p).surface != sight.surface;
    DeviceRect clip;
    if (own_window) {
      sight.shown = sight.surface >= 0 && (is_root(i) || drawn_by_state(tree_, i));
      clip = surface_rect(sight.surface);
    } else {
      sight.shown = at(p).shown && drawn_by_state(tree_, i) && !hidden_pages_[static_cast<std::size_t>(i)];
      clip = is_table_header(node.role) ? inner[static_cast<std::size_t>(p)] : body[static_cast<std::size_t>(p)];
    }
    // SENSITIVE of a GTK 4 child does not know of its greyed parent.
    sight.enabled = enabled_by_state(node) && (node.toolkit != Toolkit::Gtk4 || p < 0 || at(p).enabled);
    if (sight.shown) sight.clipped = intersect(sight.extents, clip);
    auto& in = inner[static_cast<std::size_t>(i)];
    // An empty rectangle clips nothing: containers without a place of their own (page objects, stack pages) are common.
    in =
        clips_children(node) && !sight.extents.empty() && !is_root(i) ? scrolled_part(node, sight.extents, clip) : clip;
    // But a list of Qt has its rows in itself: the list of a combo box that was never opened is 0x0, its rows are
    // anywhere.
    if (is_qt(node.toolkit) && scrolls_under_headers(node) && sight.extents.empty()) in = {};
    body[static_cast<std::size_t>(i)] = clip_below_headers(i, in);
    covered_by_[static_cast<std::size_t>(i)] = p < 0 ? -1 : covered_by_[static_cast<std::size_t>(p)];
    if (!sight.clipped.empty() && !is_root(i) && p >= 0 && covers_.size() < kMaxCovers && floats_above(tree_, i)) {
      covered_by_[static_cast<std::size_t>(i)] = static_cast<int>(covers_.size());
      covers_.push_back({i, sight.surface, sight.clipped, layer_of(node)});
    }
  }

  /// What of a box shows its content: without its border and the scroll bars of a page, which are no objects.
  [[nodiscard]] DeviceRect scrolled_part(const Accessible& node, const DeviceRect& extents,
                                         const DeviceRect& clip) const {
    DeviceRect part = intersect(extents, clip);
    const Observation& seen = tree_.seen();
    if (!is_web(node.toolkit) || part.empty() || !seen.pixels || seen.pixels->empty()) return part;
    const ScrollStrips strips =
        find_scroll_strips(*seen.pixels, {part.x - seen.area.x, part.y - seen.area.y, part.w, part.h});
    const int right = part.right() == extents.right() ? strips.right : 0;
    const int left = part.x == extents.x ? strips.left : 0;
    const int bottom = part.bottom() == extents.bottom() ? strips.bottom : 0;
    const int top = part.y == extents.y ? strips.top : 0;
    return {part.x + left, part.y + top, part.w - left - right, part.h - top - bottom};
  }

  /// Rows scrolled under the header of their table are not visible there although the table's rectangle holds them.
  [[nodiscard]] DeviceRect clip_below_headers(int i, DeviceRect clip) const {
    if (!scrolls_under_headers(tree_.node(i))) return clip;
    for (int c = tree_.first_child(i); c >= 0; c = tree_.next_sibling(c)) {
      const Accessible& child = tree_.node(c);
      if (!is_table_header(child.role)) continue;
      const DeviceRect header = intersect(sane(child.extents), clip);
      if (header.empty()) continue;
      const bool row_header = child.role == Role::TableRowHeader || child.role == Role::RowHeader;
      // Only a header at the edge: one that scrolled with its rows hides nothing.
      if (!row_header && header.y <= clip.y + 2) {
        const int by = header.bottom() - clip.y;
        clip.y += by;
        clip.h -= by;
      } else if (row_header && header.x <= clip.x + 2) {
        const int by = header.right() - clip.x;
        clip.x += by;
        clip.w -= by;
      }
    }
    return clip.empty() ? DeviceRect{clip.x, clip.y, 0, 0} : clip;
  }

  void uncover(int i) {
    Sight& sight = at(i);
    if (sight.clipped.empty()) return;
    DeviceRect free = sight.clipped;
    const auto& surfaces = tree_.seen().surfaces;
    for (std::size_t s = static_cast<std::size_t>(sight.surface) + 1; s < surfaces.size(); ++s) {
      free = uncovered(free, sane(surfaces[s].window.bounds));
    }
    const int own = covered_by_[static_cast<std::size_t>(i)];
    // Covers are in tree order; what floats itself is covered only by what lies in a higher layer or comes after it.
    for (std::size_t k = 0; k < covers_.size(); ++k) {
      const Cover& cover = covers_[k];
      if (own >= 0) {
        const int layer = covers_[static_cast<std::size_t>(own)].layer;
        if (cover.layer < layer || (cover.layer == layer && static_cast<int>(k) <= own)) continue;
      }
      if (cover.surface == sight.surface && !tree_.inside(i, cover.node) && !tree_.inside(cover.node, i)) {
        free = uncovered(free, cover.rect);
      }
    }
    if (hardly_any(free, sight.clipped) || is_sliver(free, sight.extents) || is_undrawn(tree_, i, free)) return;
    sight.visible = free;
  }

  const Tree& tree_;
  std::vector<Sight> sights_;
  std::vector<int> covered_by_;  ///< per node: index in covers_ of the innermost cover it is part of
  std::vector<Cover> covers_;
  std::vector<bool> hidden_pages_;
  std::unordered_map<int, int> by_root_;
  std::unordered_map<std::uint32_t, int> by_id_;
};

}  // namespace

DeviceRect sane(const DeviceRect& r) {
  constexpr int far = 1 << 20;
  const bool ok = std::abs(static_cast<long>(r.x)) < far && std::abs(static_cast<long>(r.y)) < far && r.w > 0 &&
                  r.h > 0 && r.w < far && r.h < far;
  return ok ? r : DeviceRect{};
}

DeviceRect uncovered(const DeviceRect& rect, const DeviceRect& cover) {
  const DeviceRect c = intersect(rect, cover);
  if (c.empty()) return rect;
  const DeviceRect strips[] = {
      {rect.x, rect.y, rect.w, c.y - rect.y},
      {rect.x, c.bottom(), rect.w, rect.bottom() - c.bottom()},
      {rect.x, rect.y, c.x - rect.x, rect.h},
      {c.right(), rect.y, rect.right() - c.right(), rect.h},
  };
  DeviceRect best{rect.x, rect.y, 0, 0};
  for (const DeviceRect& s : strips) {
    if (s.area() > best.area()) best = s;
  }
  return best;
}

bool hardly_any(const DeviceRect& left, const DeviceRect& whole) {
  return left.empty() || left.area() * 4 < whole.area() || is_sliver(left, whole);
}

std::vector<Sight> look(const Tree& tree) { return Looker{tree}.run(); }

}  // namespace deskmark
