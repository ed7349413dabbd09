#include "perception/x11/clients.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "perception/x11/property.hpp"

namespace deskmark::x11 {
namespace {

constexpr std::size_t kPipelined = 256;  // windows asked about at once: bounds what lies unsent or unread
constexpr int kFrameLevels = 4;          // how deep a window manager nests a client

struct TopFacts {
  TopWindow top;
  bool alive = false;
  bool has_state = false;  ///< WM_STATE other than Withdrawn
  std::vector<xcb_window_t> children;
};

bool state_present(const xcb_get_property_reply_t* reply) {
  const auto words = property_words(reply);
  return !words.empty() && words.front() != 0;
}

class Search {
 public:
  Search(Connection& connection, const RootState& root, const Deadline& deadline)
      : connection_(connection), root_(root), deadline_(deadline), listed_(root.listed.begin(), root.listed.end()) {}

  ClientSearch run() {
    read_tops();
    take_obvious();
    climb_from_listed();
    descend_into_unexplained();
    take_unmanaged();
    return result();
  }

 private:
  void read_tops() {
    xcb_connection_t* const c = connection_.xcb();
    facts_.resize(root_.tops.size());
    struct Asked {
      unsigned int attributes, geometry, tree, state;
    };
    std::vector<Asked> asked;
    for (std::size_t from = 0; from < facts_.size(); from += kPipelined) {
      const std::size_t to = std::min(from + kPipelined, facts_.size());
      asked.clear();
      for (std::size_t i = from; i < to; ++i) {
        const xcb_window_t id = root_.tops[i];
        asked.push_back({xcb_get_window_attributes(c, id).sequence, xcb_get_geometry(c, id).sequence,
                         xcb_query_tree(c, id).sequence,
                         ask_property(connection_, id, connection_.atoms().wm_state, 1)});
      }
      for (std::size_t i = from; i < to; ++i) {
        const Asked& a = asked[i - from];
        read_top(facts_[i], root_.tops[i],
                 connection_.take<xcb_get_window_attributes_reply_t>(a.attributes, deadline_).get(),
                 connection_.take<xcb_get_geometry_reply_t>(a.geometry, deadline_).get());
        const auto tree = connection_.take<xcb_query_tree_reply_t>(a.tree, deadline_);
        if (tree) {
          const xcb_window_t* children = xcb_query_tree_children(tree.get());
          facts_[i].children.assign(children, children + xcb_query_tree_children_length(tree.get()));
        }
        facts_[i].has_state = state_present(connection_.take<xcb_get_property_reply_t>(a.state, deadline_).get());
        index_[root_.tops[i]] = i;
      }
    }
    found_.resize(facts_.size());
  }

  static void read_top(TopFacts& facts, xcb_window_t id, const xcb_get_window_attributes_reply_t* attributes,
                       const xcb_get_geometry_reply_t* geometry) {
    if (attributes == nullptr || geometry == nullptr) return;
    const int border = geometry->border_width;
    facts.alive = true;
    facts.top.id = id;
    facts.top.outer = {geometry->x, geometry->y, geometry->width + 2 * border, geometry->height + 2 * border};
    facts.top.border = border;
    facts.top.depth = geometry->depth;
    facts.top.visual = attributes->visual;
    facts.top.viewable = attributes->map_state == XCB_MAP_STATE_VIEWABLE;
    facts.top.drawable = attributes->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT;
    facts.top.override_redirect = attributes->override_redirect != 0;
  }

  void add(std::size_t top, xcb_window_t client) {
    if (explained_.insert(client).second) found_[top].push_back(client);
  }

  void take_obvious() {
    for (std::size_t i = 0; i < facts_.size(); ++i) {
      const TopFacts& facts = facts_[i];
      if (!facts.alive) continue;
      if (facts.has_state || listed_.contains(facts.top.id)) {
        add(i, facts.top.id);
        continue;
      }
      for (const xcb_window_t child : facts.children) {
        if (listed_.contains(child)) add(i, child);
      }
    }
  }

  /// Clients that sit deeper than one level below the root.
  void climb_from_listed() {
    struct Climb {
      xcb_window_t client, at;
    };
    std::vector<Climb> climbs;
    for (const xcb_window_t id : root_.listed) {
      if (!explained_.contains(id)) climbs.push_back({id, id});
    }
    for (int level = 0; level < kFrameLevels && !climbs.empty(); ++level) {
      std::vector<unsigned int> asked;
      for (const Climb& climb : climbs) asked.push_back(xcb_query_tree(connection_.xcb(), climb.at).sequence);
      std::vector<Climb> further;
      for (std::size_t i = 0; i < climbs.size(); ++i) {
        const auto reply = connection_.take<xcb_query_tree_reply_t>(asked[i], deadline_);
        if (!reply || reply->parent == 0) continue;
        if (const auto top = index_.find(reply->parent); top != index_.end()) {
          add(top->second, climbs[i].client);
        } else {
          further.push_back({climbs[i].client, reply->parent});
        }
      }
      climbs = std::move(further);
    }
  }

  /// Frames of a window manager that keeps no list: their client is marked with WM_STATE.
  void descend_into_unexplained() {
    struct Branch {
      std::size_t top;
      xcb_window_t at;
    };
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < facts_.size(); ++i) {
      const TopFacts& facts = facts_[i];
      if (facts.alive && found_[i].empty() && facts.top.drawable && !facts.children.empty()) candidates.push_back(i);
    }
    std::vector<unsigned int> named;
    for (const std::size_t i : candidates)
      named.push_back(ask_property(connection_, facts_[i].top.id, XCB_ATOM_WM_CLASS, 1));
    std::vector<Branch> branches;
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      const auto reply = connection_.take<xcb_get_property_reply_t>(named[k], deadline_);
      if (!property_bytes(reply.get()).empty()) continue;  // a program's own window, not a frame
      for (const xcb_window_t child : facts_[candidates[k]].children) branches.push_back({candidates[k], child});
    }
    for (int level = 1; level < kFrameLevels && !branches.empty(); ++level) branches = descend(branches);
  }

  template <class Branch>
  std::vector<Branch> descend(const std::vector<Branch>& branches) {
    std::vector<Branch> deeper;
    for (std::size_t from = 0; from < branches.size(); from += kPipelined) {
      const std::size_t to = std::min(from + kPipelined, branches.size());
      std::vector<std::pair<unsigned int, unsigned int>> asked;
      for (std::size_t i = from; i < to; ++i) {
        asked.emplace_back(ask_property(connection_, branches[i].at, connection_.atoms().wm_state, 1),
                           xcb_query_tree(connection_.xcb(), branches[i].at).sequence);
      }
      for (std::size_t i = from; i < to; ++i) {
        const auto [state_asked, tree_asked] = asked[i - from];
        const auto state = connection_.take<xcb_get_property_reply_t>(state_asked, deadline_);
        const auto tree = connection_.take<xcb_query_tree_reply_t>(tree_asked, deadline_);
        if (state_present(state.get())) {
          add(branches[i].top, branches[i].at);
        } else if (tree) {
          const xcb_window_t* children = xcb_query_tree_children(tree.get());
          for (int k = 0; k < xcb_query_tree_children_length(tree.get()); ++k) {
            deeper.push_back({branches[i].top, children[k]});
          }
        }
      }
    }
    return deeper;
  }

  void take_unmanaged() {
    for (std::size_t i = 0; i < facts_.size(); ++i) {
      const TopWindow& top = facts_[i].top;
      if (!facts_[i].alive || !found_[i].empty() || !top.viewable) continue;
      // Selection owners and the like are parked outside or are a pixel large.
      if (intersect(top.outer, root_.screen).empty()) continue;
      add(i, top.id);
      unmanaged_.insert(top.id);
    }
  }

  ClientSearch result() {
    ClientSearch out;
    for (std::size_t i = 0; i < facts_.size(); ++i) {
      const TopWindow& top = facts_[i].top;
      if (!facts_[i].alive) continue;
      out.tops.push_back(top);
      if (!top.drawable || top.outer.w <= 1 || top.outer.h <= 1) continue;
      for (const xcb_window_t id : found_[i]) {
        out.clients.push_back({id, top, static_cast<int>(i), !unmanaged_.contains(id)});
      }
    }
    return out;
  }

  Connection& connection_;
  const RootState& root_;
  const Deadline& deadline_;
  std::unordered_set<xcb_window_t> listed_;
  std::vector<TopFacts> facts_;                   // parallel to root_.tops
  std::vector<std::vector<xcb_window_t>> found_;  // clients of each top
  std::unordered_map<xcb_window_t, std::size_t> index_;
  std::unordered_set<xcb_window_t> explained_;
  std::unordered_set<xcb_window_t> unmanaged_;
};

}  // namespace

ClientSearch find_clients(Connection& connection, const RootState& root, const Deadline& deadline) {
  return Search{connection, root, deadline}.run();
}

}  // namespace deskmark::x11
