#include "perception/marks/stack_pages.hpp"

#include <algorithm>

#include "perception/marks/visibility.hpp"

namespace deskmark {
namespace {

class Stacks {
 public:
  explicit Stacks(const Tree& tree) : tree_(tree), hidden_(static_cast<std::size_t>(tree.size()), false) {}

  std::vector<bool> run() {
    bool gtk4 = false;
    for (int i = 0; i < tree_.size(); ++i) {
      gtk4 = gtk4 || tree_.node(i).toolkit == Toolkit::Gtk4;
      if (tree_.role(i) == Role::PageTabList) tab_lists_.push_back(i);
    }
    if (!gtk4) return std::move(hidden_);
    for (const int i : tree_.preorder()) {
      if (tree_.node(i).toolkit == Toolkit::Gtk4 && tree_.role(i) == Role::Panel) choose(i);
    }
    return std::move(hidden_);
  }

 private:
  void choose(int stack) {
    std::vector<int> pages;
    for (int c = tree_.first_child(stack); c >= 0 && pages.size() < 64; c = tree_.next_sibling(c)) {
      if (!sane(tree_.node(c).extents).empty()) pages.push_back(c);
    }
    if (pages.size() < 2 || !all_overlap(pages)) return;
    int shown = page_of_selected_tab(stack, pages);
    if (shown < 0) shown = page_with_focus(pages);
    if (shown < 0) shown = pages.back();
    for (const int p : pages) hidden_[static_cast<std::size_t>(p)] = p != shown;
  }

  /// Boxes and grids never lay their children over one another; overlays do, but are no panels.
  [[nodiscard]] bool all_overlap(const std::vector<int>& pages) const {
    for (std::size_t a = 0; a + 1 < pages.size(); ++a) {
      const DeviceRect one = tree_.node(pages[a]).extents;
      const DeviceRect two = tree_.node(pages[a + 1]).extents;
      if (intersect(one, two).area() * 2 < std::min(one.area(), two.area())) return false;
    }
    return true;
  }

  /// The tab list nearest to the stack that has a tab for each of its pages.
  [[nodiscard]] int page_of_selected_tab(int stack, const std::vector<int>& pages) const {
    const int expected = std::max(tree_.node(stack).child_count, static_cast<int>(pages.size()));
    int list = -1;
    int best = 1 << 20;
    for (const int t : tab_lists_) {
      if (tree_.node(t).child_count != expected || tree_.inside(t, stack)) continue;
      int up = 0;
      for (int a = stack; a >= 0 && !tree_.inside(t, a); a = tree_.parent(a)) ++up;
      if (up < best) {
        best = up;
        list = t;
      }
    }
    if (list < 0) return -1;
    int position = 0;
    for (int tab = tree_.first_child(list); tab >= 0; tab = tree_.next_sibling(tab), ++position) {
      if (!tree_.node(tab).states.has(State::Selected)) continue;
      const int wanted = tree_.node(tab).index_in_parent >= 0 ? tree_.node(tab).index_in_parent : position;
      for (std::size_t p = 0; p < pages.size(); ++p) {
        const int at = tree_.node(pages[p]).index_in_parent;
        if ((at >= 0 ? at : static_cast<int>(p)) == wanted) return pages[p];
      }
    }
    return -1;
  }

  [[nodiscard]] int page_with_focus(const std::vector<int>& pages) const {
    for (const int p : pages) {
      for (int k = tree_.enter(p); k < tree_.leave(p); ++k) {
        if (tree_.node(tree_.preorder()[static_cast<std::size_t>(k)]).states.has(State::Focused)) return p;
      }
    }
    return -1;
  }

  const Tree& tree_;
  std::vector<bool> hidden_;
  std::vector<int> tab_lists_;
};

}  // namespace

std::vector<bool> hidden_pages(const Tree& tree) { return Stacks{tree}.run(); }

}  // namespace deskmark
