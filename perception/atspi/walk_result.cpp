// What a walk found, as nodes in preorder.
#include <algorithm>
#include <utility>

#include "perception/atspi/walk.hpp"

namespace deskmark::atspi {
namespace {

/// Names of GTK 4 controls that repeat the label within them.
void undouble_names(std::vector<Accessible>& nodes) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].role != Role::Label || nodes[i].name.empty()) continue;
    int up = nodes[i].parent;
    for (int steps = 0; up >= 0 && steps < 4; ++steps) {
      Accessible& above = nodes[static_cast<std::size_t>(up)];
      above.name = undouble_name(above.name, nodes[i].name);
      up = above.parent;
    }
  }
}

}  // namespace

void Walk::emit(int i, int parent, WalkResult& result, std::vector<int>& index_of) {
  Node& n = at(i);
  if (!n.visible || index_of[static_cast<std::size_t>(i)] >= 0) return;
  const int out = static_cast<int>(result.nodes.size());
  index_of[static_cast<std::size_t>(i)] = out;
  Accessible a;
  a.ref = n.ref;
  a.parent = parent;
  a.index_in_parent = n.order;
  a.child_count = n.child_count;
  a.role = n.role;
  a.states = n.states;
  a.interfaces = n.interfaces;
  a.toolkit = request_.toolkit;
  if (n.window >= 0) a.surface = request_.windows[static_cast<std::size_t>(n.window)].id;
  a.name = clean_name(request_.toolkit, n.role, n.name);
  a.extents = n.rect;
  if (n.details) {
    Details& d = *n.details;
    a.description = d.fixed.description;
    a.accessible_id = d.fixed.accessible_id;
    a.actions = d.fixed.actions;
    a.attributes = d.fixed.attributes;
    if (d.secret) a.attributes["secret"] = "true";
    a.value = d.value;
    a.text = std::move(d.text);
    a.text_length = d.text_length;
    a.caret = d.caret;
  }
  result.nodes.push_back(std::move(a));
  std::stable_sort(n.children.begin(), n.children.end());
  for (const auto& [order, child] : n.children) emit(child, out, result, index_of);
}

WalkResult Walk::finish(bool remember) {
  WalkResult result;
  result.complete = complete_;
  std::vector<int> index_of(nodes_.size(), -1);
  for (const int root : root_nodes_) emit(root, -1, result, index_of);
  if (request_.toolkit == Toolkit::Gtk4) undouble_names(result.nodes);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const int out = index_of[i];
    if (out < 0 || !nodes_[i]->details) continue;
    for (const ObjectRef& ref : nodes_[i]->details->fixed.labelled_by) {
      const auto it = index_.find(ref);
      if (it == index_.end()) continue;
      const int label = index_of[static_cast<std::size_t>(it->second)];
      if (label >= 0 && label != out) result.nodes[static_cast<std::size_t>(out)].labelled_by.push_back(label);
    }
    if (!remember) continue;
    Remembered keep = std::move(nodes_[i]->details->fixed);
    keep.detailed = true;
    keep.child_count = nodes_[i]->child_count;
    memory_.keep(nodes_[i]->ref, std::move(keep));
  }
  for (const int owner : popup_owner_)
    result.roots.push_back(owner >= 0 ? index_of[static_cast<std::size_t>(owner)] : -1);
  return result;
}

}  // namespace deskmark::atspi
