#include "perception/marks/tree.hpp"

namespace deskmark {

Tree::Tree(const Observation& seen) : seen_(&seen) {
  const std::size_t count = seen.nodes.size();
  parent_.resize(count);
  first_child_.assign(count, -1);
  next_sibling_.assign(count, -1);
  enter_.assign(count, 0);
  leave_.assign(count, 0);
  preorder_.reserve(count);
  // Backwards, so that pushing in front leaves siblings in tree order.
  for (int i = static_cast<int>(count) - 1; i >= 0; --i) {
    const int claimed = node(i).parent;
    const int p = claimed >= 0 && claimed < i ? claimed : -1;
    parent_[static_cast<std::size_t>(i)] = p;
    int& head = p < 0 ? first_root_ : first_child_[static_cast<std::size_t>(p)];
    next_sibling_[static_cast<std::size_t>(i)] = head;
    head = i;
  }
  // Iterative: a recorded chain may be deeper than any stack.
  int i = first_root_;
  while (i >= 0) {
    enter_[static_cast<std::size_t>(i)] = static_cast<int>(preorder_.size());
    preorder_.push_back(i);
    if (first_child(i) >= 0) {
      i = first_child(i);
      continue;
    }
    while (i >= 0) {
      leave_[static_cast<std::size_t>(i)] = static_cast<int>(preorder_.size());
      if (next_sibling(i) >= 0) {
        i = next_sibling(i);
        break;
      }
      i = parent(i);
    }
  }
}

}  // namespace deskmark
