// Reads the visible part of the trees below given toplevels: everything in flight at once, a node's children asked for
// as soon as the node is known to be in view. Hidden, clipped and far-away subtrees are never entered; a lying or
// cyclic tree ends at the limits.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "perception/atspi/caller.hpp"
#include "perception/atspi/node_memory.hpp"
#include "perception/atspi/node_reader.hpp"
#include "perception/atspi/toolkit_rules.hpp"
#include "perception/atspi/window_match.hpp"

namespace deskmark::atspi {

struct WalkRequest {
  Toolkit toolkit = Toolkit::Unknown;
  std::vector<Window> windows;  ///< bottom to top
  DeviceRect area;              ///< nothing outside is read
  bool want_text = true;
  bool names_localised = false;
  int node_limit = 20000;
};

struct WalkRoot {
  Toplevel top;
  int window = -1;  ///< index in WalkRequest::windows
  double scale = 1;
};

struct WalkResult {
  std::vector<Accessible> nodes;  ///< preorder
  std::vector<int> roots;         ///< per window, index of its toplevel (or of the menu whose items it shows), -1: none
  bool complete = true;           ///< false: a limit was reached
};

class Walk {
 public:
  Walk(Caller& caller, NodeMemory& memory, WalkRequest request);

  /// What a bulk read told already; such nodes are asked for extents and details only.
  void seed(std::vector<CacheItem> items);
  /// Sends the first calls. Then run the caller until it has none left.
  void start(const std::vector<WalkRoot>& roots);
  /// What has come in; once, after the caller has run.
  /// `remember`: every question was answered, so that what came may be kept for the next look.
  [[nodiscard]] WalkResult finish(bool remember);
  [[nodiscard]] int asked() const { return static_cast<int>(nodes_.size()); }

 private:
  struct Node {
    ObjectRef ref;
    int parent = -1;
    int order = 0;  ///< index among the parent's children
    int depth = 0;
    int window = -1;  ///< index of the native window it is drawn on
    FrameMap map;
    DeviceRect clip;  ///< where its children can be seen
    Role parent_role = Role::Unknown;
    RawRect raw;
    bool has_rect = false;
    bool has_states = false;
    bool popup_layer = false;
    bool many = false;  ///< one of very many children: its place is asked before the rest
    bool asked_layer = false;
    bool asked_extents = false;
    bool asked_rest = false;
    bool renewed = false;  ///< role and interfaces were asked again because the name had changed
    bool visible = false;
    std::optional<std::vector<ObjectRef>> listed;  ///< children, when they were asked for at once
    int waiting = 0;
    StateSet states;
    Role role = Role::Unknown;
    IfaceSet interfaces;
    std::string name;
    int child_count = 0;
    std::vector<std::pair<int, int>> children;  ///< (order, node)
    DeviceRect rect;
    std::shared_ptr<Details> details;
  };
  struct Seeded {
    CacheItem item;
    std::vector<ObjectRef> children;
  };
  struct RefHash {
    std::size_t operator()(const ObjectRef& r) const {
      return std::hash<std::string>()(r.path) * 31 + std::hash<std::string>()(r.bus);
    }
  };

  int discover(int parent, const ObjectRef& ref, int order);
  /// How much is asked of a new node at once: a hidden one costs one call, one that was in view before a single round.
  enum class First : char { State, Place, All };
  [[nodiscard]] First first_for(const Node& n, std::size_t siblings) const;
  void ask(int i, First first);
  void ask_state(int i, const std::function<void()>& done);
  void ask_extents(int i, const std::function<void()>& done);
  void ask_rest(int i, const std::function<void()>& done);
  void ask_kind(int i, const std::function<void()>& done);
  void ask_more(int i);
  [[nodiscard]] bool closed_select(const Node& n) const;
  [[nodiscard]] bool reaches_out(const Node& n) const;
  [[nodiscard]] bool decide(int i);
  void settle_surface(int i);
  void enter(int i);
  void ask_children(int i);
  void ask_wide(int i);
  void ask_table(int i);
  void take_children(int i, const std::vector<ObjectRef>& refs);
  void take_found(int i, const std::vector<std::pair<int, ObjectRef>>& found, bool all);
  [[nodiscard]] RawRect to_raw(const Node& n, const DeviceRect& r) const;
  void emit(int i, int parent, WalkResult& result, std::vector<int>& index_of);
  Node& at(int i) { return *nodes_[static_cast<std::size_t>(i)]; }

  Caller& caller_;
  NodeMemory& memory_;
  WalkRequest request_;
  std::uint32_t coordinates_;
  bool popups_ = false;  ///< popup windows are among the windows
  std::vector<std::unique_ptr<Node>> nodes_;
  std::unordered_map<ObjectRef, int, RefHash> index_;
  std::unordered_map<ObjectRef, Seeded, RefHash> seeded_;
  std::vector<int> root_nodes_;
  std::vector<int> popup_owner_;  ///< per window: node whose children are drawn on it, -1
  bool complete_ = true;
};

}  // namespace deskmark::atspi
