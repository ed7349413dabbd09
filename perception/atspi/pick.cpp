#include "perception/atspi/pick.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "perception/atspi/wire.hpp"

namespace deskmark::atspi {
namespace {

constexpr std::int64_t kSmallest = std::int64_t{40} * 40;  // device pixels: smaller overlaps are borders and badges
constexpr std::size_t kProbes = 6;                         // per doubted subtree

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// A node's own place, else what its children cover (a stack's page has none of its own).
std::vector<DeviceRect> covered(const std::vector<Accessible>& nodes) {
  std::vector<DeviceRect> rects(nodes.size());
  for (std::size_t i = nodes.size(); i-- > 0;) {
    if (!nodes[i].extents.empty()) rects[i] = nodes[i].extents;
    const int parent = nodes[i].parent;
    if (parent >= 0 && nodes[at(parent)].extents.empty()) rects[at(parent)] = unite(rects[at(parent)], rects[i]);
  }
  return rects;
}

bool within(const std::vector<Accessible>& nodes, int node, int ancestor) {
  for (int up = node; up >= 0; up = nodes[at(up)].parent) {
    if (up == ancestor) return true;
  }
  return false;
}

/// Leaves below `top` on its own native window, at most kProbes, spread over the subtree.
std::vector<int> leaves(const std::vector<Accessible>& nodes, const std::vector<bool>& has_children, int top) {
  std::vector<int> all;
  for (std::size_t i = at(top); i < nodes.size(); ++i) {
    // Preorder: the subtree ends at the first node that is not within it.
    if (!within(nodes, static_cast<int>(i), top)) break;
    const DeviceRect& r = nodes[i].extents;
    if (has_children[i] || r.w < 4 || r.h < 4 || nodes[i].surface != nodes[at(top)].surface) continue;
    all.push_back(static_cast<int>(i));
  }
  if (all.size() <= kProbes) return all;
  std::vector<int> some;
  for (std::size_t k = 0; k < kProbes; ++k) some.push_back(all[k * all.size() / kProbes]);
  return some;
}

}  // namespace

std::vector<PickProbe> pick_probes(const std::vector<Accessible>& nodes, int root, double scale) {
  std::vector<PickProbe> probes;
  if (root < 0 || scale <= 0) return probes;
  const std::vector<DeviceRect> rects = covered(nodes);
  std::vector<std::vector<int>> children(nodes.size());
  std::vector<bool> has_children(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].parent < 0) continue;
    children[at(nodes[i].parent)].push_back(static_cast<int>(i));
    has_children[at(nodes[i].parent)] = true;
  }
  std::vector<bool> doubted(nodes.size());
  for (const std::vector<int>& siblings : children) {
    // Lists are long and do not lie over one another; stacks are short.
    if (siblings.size() < 2 || siblings.size() > 64) continue;
    for (std::size_t a = 0; a < siblings.size(); ++a) {
      for (std::size_t b = a + 1; b < siblings.size(); ++b) {
        if (nodes[at(siblings[a])].surface != nodes[at(siblings[b])].surface) continue;
        const DeviceRect& one = rects[at(siblings[a])];
        const DeviceRect& other = rects[at(siblings[b])];
        const std::int64_t common = intersect(one, other).area();
        const std::int64_t smaller = std::min(one.area(), other.area());
        if (common < kSmallest || common * 2 < smaller) continue;
        doubted[at(siblings[a])] = true;
        doubted[at(siblings[b])] = true;
      }
    }
  }
  const DeviceRect& frame = nodes[at(root)].extents;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!doubted[i] || nodes[i].surface != nodes[at(root)].surface) continue;
    for (const int leaf : leaves(nodes, has_children, static_cast<int>(i))) {
      const DevicePoint c = nodes[at(leaf)].extents.center();
      probes.push_back({static_cast<int>(i),
                        static_cast<int>(std::floor((c.x - frame.x) / scale)),
                        static_cast<int>(std::floor((c.y - frame.y) / scale)),
                        {}});
    }
  }
  return probes;
}

void ask_probes(Caller& caller, const ObjectRef& root, std::vector<PickProbe>& probes) {
  constexpr guint32 kWindow = 1;  // ATSPI_COORD_TYPE_WINDOW
  for (PickProbe& probe : probes) {
    caller.call(
        {root.bus, root.path, kComponent, "GetAccessibleAtPoint", g_variant_new("(iiu)", probe.x, probe.y, kWindow)},
        [&probe](GVariant* body) {
          const auto ref = decode_ref(body);
          if (ref && !null_ref(*ref)) probe.hit = *ref;
        });
  }
}

std::vector<bool> hidden_by_picks(const std::vector<Accessible>& nodes, const std::vector<PickProbe>& probes) {
  std::map<ObjectRef, int> index;
  for (std::size_t i = 0; i < nodes.size(); ++i) index[nodes[i].ref] = static_cast<int>(i);
  std::vector<int> hits(nodes.size());
  std::vector<int> misses(nodes.size());
  for (const PickProbe& probe : probes) {
    if (probe.hit.null()) continue;
    const auto found = index.find(probe.hit);
    if (found == index.end()) continue;  // an object that was not worth reading: says nothing
    if (within(nodes, found->second, probe.node)) {
      ++hits[at(probe.node)];
    } else if (!within(nodes, probe.node, found->second)) {
      ++misses[at(probe.node)];
    }
  }
  std::vector<bool> hidden(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) hidden[i] = misses[i] > 0 && hits[i] == 0;
  return hidden;
}

void remove_subtrees(std::vector<Accessible>& nodes, std::vector<int>& roots, const std::vector<bool>& gone) {
  std::vector<int> moved(nodes.size(), -1);
  std::vector<Accessible> kept;
  kept.reserve(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const int parent = nodes[i].parent;
    if (gone[i] || (parent >= 0 && moved[at(parent)] < 0)) continue;
    moved[i] = static_cast<int>(kept.size());
    kept.push_back(std::move(nodes[i]));
    if (parent >= 0) kept.back().parent = moved[at(parent)];
  }
  for (Accessible& node : kept) {
    std::vector<int> labels;
    for (const int label : node.labelled_by) {
      if (label >= 0 && moved[at(label)] >= 0) labels.push_back(moved[at(label)]);
    }
    node.labelled_by = std::move(labels);
  }
  for (int& root : roots) root = root >= 0 ? moved[at(root)] : -1;
  nodes = std::move(kept);
}

}  // namespace deskmark::atspi
