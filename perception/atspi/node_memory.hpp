// What does not change about an object as long as its name does not: remembered between looks, so that a second look
// asks only for what moves. Text, value, states and extents are never remembered.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "perception/model/accessible.hpp"

namespace deskmark::atspi {

struct Remembered {
  std::string name;  ///< the object's own name when the rest was read
  Role role = Role::Unknown;
  IfaceSet interfaces;
  int child_count = 0;    ///< as last read
  bool detailed = false;  ///< what follows was read
  std::string description;
  std::string accessible_id;
  std::vector<std::string> actions;
  std::map<std::string, std::string> attributes;
  std::vector<ObjectRef> labelled_by;
};

class NodeMemory {
 public:
  [[nodiscard]] const Remembered* find(const ObjectRef& ref) const {
    const auto it = nodes_.find(ref);
    return it != nodes_.end() ? &it->second : nullptr;
  }
  void keep(const ObjectRef& ref, Remembered node) {
    if (nodes_.size() >= kLimit) nodes_.clear();
    nodes_[ref] = std::move(node);
  }
  void clear() { nodes_.clear(); }

 private:
  static constexpr std::size_t kLimit = 50'000;
  std::map<ObjectRef, Remembered> nodes_;
};

}  // namespace deskmark::atspi
