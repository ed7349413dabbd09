// The accessible nodes of an Observation as a tree to walk. Built without trust: a recording may hold any parent index.
#pragma once

#include <vector>

#include "perception/model/observation.hpp"

namespace deskmark {

class Tree {
 public:
  explicit Tree(const Observation& seen);

  [[nodiscard]] const Observation& seen() const { return *seen_; }
  [[nodiscard]] int size() const { return static_cast<int>(parent_.size()); }
  [[nodiscard]] const Accessible& node(int i) const { return seen_->nodes[static_cast<std::size_t>(i)]; }
  [[nodiscard]] Role role(int i) const { return node(i).role; }
  [[nodiscard]] int parent(int i) const { return parent_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] int first_child(int i) const { return first_child_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] int next_sibling(int i) const { return next_sibling_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] int first_root() const { return first_root_; }
  /// Node indices, parents before children, siblings in tree order.
  [[nodiscard]] const std::vector<int>& preorder() const { return preorder_; }
  /// Position of `i` in preorder(), and one past that of its last descendant.
  [[nodiscard]] int enter(int i) const { return enter_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] int leave(int i) const { return leave_[static_cast<std::size_t>(i)]; }
  /// `i` is `ancestor` or lies below it.
  [[nodiscard]] bool inside(int i, int ancestor) const {
    return enter(ancestor) <= enter(i) && enter(i) < leave(ancestor);
  }

 private:
  const Observation* seen_;
  std::vector<int> parent_, first_child_, next_sibling_, preorder_, enter_, leave_;
  int first_root_ = -1;
};

}  // namespace deskmark
