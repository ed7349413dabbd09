#include "perception/marks/overlap.hpp"

#include <algorithm>
#include <numeric>

#include "perception/marks/toolkit_rules.hpp"

namespace deskmark {
namespace {

bool is_opaque(const Tree& tree, const Control& control) {
  switch (control.part) {
    case Part::Field:
    case Part::Combo:
    case Part::Spin: return true;
    case Part::Button:
      return tree.role(control.node) == Role::PushButton || tree.role(control.node) == Role::ToggleButton;
    default: return false;
  }
}

bool can_be_covered(const Control& control) {
  return control.part != Part::Item && control.part != Part::Cell && control.part != Part::Generic;
}

}  // namespace

void uncover_controls(const Tree& tree, const std::vector<Sight>& sights, Controls& controls) {
  std::vector<int> by_top(controls.all.size());
  std::iota(by_top.begin(), by_top.end(), 0);
  const auto at = [&](int c) -> Control& { return controls.all[static_cast<std::size_t>(c)]; };
  std::stable_sort(by_top.begin(), by_top.end(), [&](int a, int b) { return at(a).rect.y < at(b).rect.y; });

  const auto consider = [&](int low, int high) {  // `high` comes later in the tree: it is drawn over `low`
    Control& under = at(low);
    const Control& over = at(high);
    if (!can_be_covered(under) || !is_opaque(tree, over) || is_web(tree.node(over.node).toolkit)) return;
    if (sights[static_cast<std::size_t>(under.node)].surface != sights[static_cast<std::size_t>(over.node)].surface)
      return;
    if (tree.inside(over.node, under.node) || tree.inside(under.node, over.node)) return;
    const DeviceRect left = uncovered(under.rect, over.rect);
    if (left == under.rect) return;
    if (hardly_any(left, under.rect)) {
      under.live = false;
      under.part = Part::None;
    } else {
      under.rect = left;
    }
  };
  for (std::size_t k = 0; k < by_top.size(); ++k) {
    const int a = by_top[k];
    for (std::size_t n = k + 1; n < by_top.size() && at(by_top[n]).rect.y < at(a).rect.bottom(); ++n) {
      const int b = by_top[n];
      if (at(a).part == Part::None || at(b).part == Part::None || intersect(at(a).rect, at(b).rect).empty()) continue;
      const bool a_first = tree.enter(at(a).node) < tree.enter(at(b).node);
      consider(a_first ? a : b, a_first ? b : a);
    }
  }
}

}  // namespace deskmark
