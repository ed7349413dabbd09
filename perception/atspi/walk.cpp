#include "perception/atspi/walk.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "perception/atspi/walk_rules.hpp"

namespace deskmark::atspi {
namespace {

constexpr int kMany = 40;  // so many are asked for their place first, the rest only of those in view
constexpr int kHeaderRows = 2;
constexpr int kMaxDepth = 600;
constexpr double kArrow = 24;  // logical pixels a popover's window may exceed it by: arrow, gap, padding

}  // namespace

Walk::Walk(Caller& caller, NodeMemory& memory, WalkRequest request)
    : caller_(caller),
      memory_(memory),
      request_(std::move(request)),
      coordinates_(static_cast<std::uint32_t>(coordinates_of(request_.toolkit))),
      popup_owner_(request_.windows.size(), -1) {
  popups_ = std::any_of(request_.windows.begin(), request_.windows.end(), is_popup);
}

void Walk::seed(std::vector<CacheItem> items) {
  std::unordered_map<ObjectRef, std::vector<std::pair<int, ObjectRef>>, RefHash> below;
  for (CacheItem& item : items) {
    // GTK 4 lists the pages of a stack, which have no place, where its children are the pages' widgets: such a parent
    // is asked.
    const int order = item.interfaces.has(Iface::Component) ? item.index_in_parent : -1;
    below[item.parent].emplace_back(order, item.ref);
    const ObjectRef ref = item.ref;
    seeded_[ref].item = std::move(item);
  }
  for (auto& [parent, children] : below) {
    const auto it = seeded_.find(parent);
    // A list that is not whole (transient or unrealised children are left out) is asked for instead.
    if (it == seeded_.end() || static_cast<int>(children.size()) != it->second.item.child_count) continue;
    std::stable_sort(children.begin(), children.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    if (children.front().first < 0) continue;
    for (auto& [order, ref] : children) it->second.children.push_back(std::move(ref));
  }
}

void Walk::start(const std::vector<WalkRoot>& roots) {
  for (const WalkRoot& root : roots) {
    const int i = discover(-1, root.top.ref, 0);
    if (i < 0) continue;
    Node& n = at(i);
    const Window& window = request_.windows[static_cast<std::size_t>(root.window)];
    n.window = root.window;
    n.map = frame_map(request_.toolkit, root.top.extents, window, root.scale);
    n.clip = intersect(surface_of(window), request_.area);
    n.parent_role = Role::Application;
    n.raw = root.top.extents;
    n.has_rect = usable(n.raw);
    n.states = root.top.states;
    n.has_states = true;
    n.role = root.top.role;
    n.name = root.top.name;
    n.child_count = root.top.child_count;
    n.visible = true;
    n.rect = n.has_rect ? n.map.map(n.raw) : surface_of(window);
    n.interfaces.set(Iface::Component);
    n.states = normalise_states(request_.toolkit, n.states, true, true);
    root_nodes_.push_back(i);
    popup_owner_[static_cast<std::size_t>(root.window)] = i;
    ask_children(i);
  }
}

int Walk::discover(int parent, const ObjectRef& ref, int order) {
  if (null_ref(ref)) return -1;
  const auto it = index_.find(ref);
  if (it != index_.end()) {
    // Seen from another parent (menus hang both below what opened them and below their window) or a cycle: no new node.
    if (parent >= 0 && it->second != parent) at(parent).children.emplace_back(order, it->second);
    return -1;
  }
  if (static_cast<int>(nodes_.size()) >= request_.node_limit) {
    complete_ = false;
    return -1;
  }
  const int i = static_cast<int>(nodes_.size());
  auto node = std::make_unique<Node>();
  node->ref = ref;
  node->parent = parent;
  node->order = order;
  if (parent >= 0) {
    Node& p = at(parent);
    if (p.depth >= kMaxDepth) {
      complete_ = false;
      return -1;
    }
    node->depth = p.depth + 1;
    node->window = p.window;
    node->map = p.map;
    node->clip = p.clip;
    node->parent_role = p.role;
    p.children.emplace_back(order, i);
  }
  index_.emplace(ref, i);
  nodes_.push_back(std::move(node));
  return i;
}

Walk::First Walk::first_for(const Node& n, std::size_t siblings) const {
  if (seeded_.find(n.ref) != seeded_.end() || memory_.find(n.ref) != nullptr) return First::All;
  // GTK 4 answers once per frame: rounds are dear there, calls are not.
  if (request_.toolkit == Toolkit::Gtk4) return siblings > kMany ? First::Place : First::All;
  return First::State;
}

void Walk::ask(int i, First first) {
  Node& n = at(i);
  n.waiting = 1;
  const auto done = [this, i] {
    if (--at(i).waiting == 0) ask_more(i);
  };
  ask_state(i, done);
  if (first != First::State) ask_extents(i, done);
  if (first == First::All) ask_rest(i, done);
  done();
}

void Walk::ask_state(int i, const std::function<void()>& done) {
  Node& n = at(i);
  if (const auto seeded = seeded_.find(n.ref); seeded != seeded_.end()) {
    n.states = seeded->second.item.states;
    n.has_states = true;
    return;
  }
  ++n.waiting;
  caller_.call({n.ref.bus, n.ref.path, kAccessible, "GetState", nullptr}, [this, i, done](GVariant* body) {
    if (const auto states = decode_states(body)) {
      at(i).states = *states;
      at(i).has_states = true;
    }
    done();
  });
}

void Walk::ask_extents(int i, const std::function<void()>& done) {
  Node& n = at(i);
  n.asked_extents = true;
  ++n.waiting;
  caller_.call({n.ref.bus, n.ref.path, kComponent, "GetExtents", g_variant_new("(u)", coordinates_)},
               [this, i, done](GVariant* body) {
                 if (const auto rect = decode_rect(body)) {
                   at(i).raw = *rect;
                   at(i).has_rect = true;
                 }
                 done();
               });
}

/// Role, interfaces, name, children: from the bulk read, from memory, or asked.
void Walk::ask_rest(int i, const std::function<void()>& done) {
  Node& n = at(i);
  n.asked_rest = true;
  const auto seeded = seeded_.find(n.ref);
  if (seeded != seeded_.end()) {
    const CacheItem& item = seeded->second.item;
    n.role = item.role;
    n.interfaces = item.interfaces;
    n.name = item.name;
    n.child_count = item.child_count;
  }
  const Remembered* known = memory_.find(n.ref);
  if (seeded == seeded_.end() || seeded->second.item.child_count < 0) {
    if (known != nullptr && known->child_count > 0 && known->child_count <= kMany) {
      ++n.waiting;  // the list says how many there are, too
      caller_.call({n.ref.bus, n.ref.path, kAccessible, "GetChildren", nullptr}, [this, i, done](GVariant* body) {
        at(i).listed = decode_refs(body);
        at(i).child_count = at(i).listed ? static_cast<int>(at(i).listed->size()) : 0;
        done();
      });
    } else if (known == nullptr || known->child_count != 0 || !always_leaf(known->role)) {
      ++n.waiting;
      caller_.call(get_property(n.ref, kAccessible, "ChildCount"), [this, i, done](GVariant* body) {
        at(i).child_count = decode_int_property(body).value_or(0);
        done();
      });
    }
  }
  if (seeded != seeded_.end()) return;
  if (known != nullptr && known->name.empty() && layout(known->role)) {
    n.role = known->role;  // a nameless container stays one
    n.interfaces = known->interfaces;
    return;
  }
  ++n.waiting;
  caller_.call(get_property(n.ref, kAccessible, "Name"), [this, i, done](GVariant* body) {
    at(i).name = decode_text_property(body).value_or("");
    done();
  });
  if (known != nullptr && !texts(known->role) && !known->interfaces.has(Iface::EditableText)) {
    n.role = known->role;
    n.interfaces = known->interfaces;
    return;
  }
  ask_kind(i, done);
}

void Walk::ask_kind(int i, const std::function<void()>& done) {
  Node& n = at(i);
  n.waiting += 2;
  caller_.call({n.ref.bus, n.ref.path, kAccessible, "GetRole", nullptr}, [this, i, done](GVariant* body) {
    at(i).role = decode_role(body).value_or(Role::Unknown);
    done();
  });
  caller_.call({n.ref.bus, n.ref.path, kAccessible, "GetInterfaces", nullptr}, [this, i, done](GVariant* body) {
    at(i).interfaces = decode_interfaces(body).value_or(IfaceSet());
    done();
  });
}

/// What was asked has come: ask what is still missing of a node that may be in view, or go on with it.
void Walk::ask_more(int i) {
  Node& n = at(i);
  if (!n.has_states) return;  // gone, or not an accessible
  if (loses_showing(request_.toolkit, n.parent_role, n.states)) {
    n.states.set(State::Showing);
    n.raw = to_raw(n, n.clip);  // it fills what can be seen of its scroll pane
    n.has_rect = n.asked_extents = true;
  }
  // Chromium takes SHOWING from what is out of view.
  if (reaches_out(n) && n.states.has(State::Visible)) n.states.set(State::Showing);
  const bool size = n.has_rect && usable(n.raw) && n.raw.w > 0 && n.raw.h > 0;
  const StateSet states = normalise_states(request_.toolkit, n.states, size || !n.asked_extents, true);
  if ((!states.has(State::Showing) && !closed_select(n)) || states.has(State::Defunct)) return;
  if (size && !n.asked_rest && !popups_ && !reaches_out(n) && intersect(n.map.map(n.raw), n.clip).empty()) return;
  const auto done = [this, i] {
    if (--at(i).waiting == 0) ask_more(i);
  };
  n.waiting = 1;
  if (!n.asked_extents) {
    ask_extents(i, done);
    if (!n.many) ask_rest(i, done);
  } else if (!n.asked_rest) {
    ask_rest(i, done);
  } else if (const Remembered* memory = memory_.find(n.ref);
             memory != nullptr && memory->name != n.name && !n.renewed && seeded_.find(n.ref) == seeded_.end()) {
    n.renewed = true;  // another name: perhaps another thing altogether
    ask_kind(i, done);
  } else if (request_.toolkit == Toolkit::Gtk4 && !n.asked_layer && n.child_count != 0 && may_be_popover(n.role)) {
    n.asked_layer = true;
    ++n.waiting;
    caller_.call({n.ref.bus, n.ref.path, kComponent, "GetLayer", nullptr}, [this, i, done](GVariant* body) {
      at(i).popup_layer = own_surface(at(i).role, at(i).name, decode_uint(body).value_or(0));
      done();
    });
  } else {
    if (decide(i)) enter(i);
    return;
  }
  done();
}

/// The options of a select in a page hang below a menu that is hidden while it is closed; the chosen one is shown, and
/// is its value.
bool Walk::closed_select(const Node& n) const {
  return web(request_.toolkit) && n.parent_role == Role::ComboBox && !n.states.has(State::Showing);
}

/// May be out of view while something in it is not: style sheets keep the headers of a table in place while its rows
/// scroll, and what lies over a page is often in an empty part of it at its top.
bool Walk::reaches_out(const Node& n) const {
  if (!web(request_.toolkit) || n.parent < 0) return false;
  if (n.parent_role == Role::Table || n.parent_role == Role::TreeTable) return n.order < kHeaderRows;
  return n.parent_role == Role::DocumentWeb && !n.many;
}

bool Walk::decide(int i) {
  Node& n = at(i);
  const bool size = n.has_rect && usable(n.raw) && n.raw.w > 0 && n.raw.h > 0;
  n.states = normalise_states(request_.toolkit, n.states, size, true);
  if (closed_select(n)) return n.child_count != 0;
  if (!n.states.has(State::Showing) || n.states.has(State::Defunct)) return false;
  if (!size) return n.child_count != 0;
  const int before = n.window;
  settle_surface(i);
  if (n.window < 0) return false;
  n.rect = n.map.map(n.raw);
  if (n.rect.empty()) return n.child_count != 0;
  if (reaches_out(n) && n.child_count != 0) return true;
  return !intersect(n.rect, n.clip).empty() || n.window != before;
}

/// Moves the node to the popup window it is drawn on, if it is.
void Walk::settle_surface(int i) {
  Node& n = at(i);
  int window = -1;
  if (request_.toolkit == Toolkit::Gtk4) {
    if (!n.popup_layer) return;
    const RawRect parent = n.parent >= 0 ? at(n.parent).raw : RawRect{};
    double best = 2 * kArrow * n.map.scale;
    for (std::size_t w = 0; w < request_.windows.size(); ++w) {
      if (!is_popup(request_.windows[w]) || popup_owner_[w] >= 0) continue;
      const DeviceRect s = surface_of(request_.windows[w]);
      const double off = std::abs(s.w - n.raw.w * n.map.scale) + std::abs(s.h - n.raw.h * n.map.scale);
      if (off > best) continue;
      best = off;
      window = static_cast<int>(w);
    }
    if (window >= 0) n.map = popover_map(parent, request_.windows[static_cast<std::size_t>(window)], n.map.scale);
    if (window < 0) {
      n.window = -1;  // open, but its window was not asked for: it is not where its extents say
      return;
    }
  } else {
    if (request_.toolkit == Toolkit::Chromium && n.role == Role::DocumentWeb && n.parent >= 0) {
      n.map = page_map(n.map, at(n.parent).raw, n.raw);
    }
    if (!popups_) return;
    window = popup_under(request_.windows, n.map.map(n.raw), n.role, n.parent_role);
    if (window < 0 || window == n.window) return;
    n.map = popup_map(request_.toolkit, request_.windows[static_cast<std::size_t>(window)], n.map.scale);
  }
  n.window = window;
  const DeviceRect s = surface_of(request_.windows[static_cast<std::size_t>(window)]);
  n.clip = intersect(s, request_.area);
  int& owner = popup_owner_[static_cast<std::size_t>(window)];
  const bool whole = request_.toolkit == Toolkit::Gtk4 || n.map.map(n.raw).area() * 2 >= s.area();
  if (owner < 0) owner = whole ? i : n.parent;
}

void Walk::enter(int i) {
  Node& n = at(i);
  n.visible = true;
  DetailsRequest r;
  r.ref = n.ref;
  r.toolkit = request_.toolkit;
  r.role = n.role;
  r.states = n.states;
  r.interfaces = n.interfaces;
  r.name = n.name;
  r.child_count = n.child_count;
  r.want_text = request_.want_text;
  r.names_localised = request_.names_localised;
  r.visible = to_raw(n, intersect(n.rect, n.clip));
  const Remembered* known = memory_.find(n.ref);
  if (known != nullptr && (known->name != n.name || known->role != n.role)) known = nullptr;
  n.details = std::make_shared<Details>();
  read_details(caller_, r, known, n.details);
  if (clips(request_.toolkit, n.role, n.parent_role) && !n.rect.empty()) n.clip = intersect(n.clip, n.rect);
  ask_children(i);
}

RawRect Walk::to_raw(const Node& n, const DeviceRect& r) const {
  if (r.empty() || n.map.scale <= 0) return {};
  const auto back = [&](int v, int origin, double base) {
    return static_cast<int>(std::lround((v - origin) / n.map.scale + base));
  };
  const int x = back(r.x, n.map.origin_x, n.map.base_x);
  const int y = back(r.y, n.map.origin_y, n.map.base_y);
  return {x, y, back(r.right(), n.map.origin_x, n.map.base_x) - x, back(r.bottom(), n.map.origin_y, n.map.base_y) - y};
}

}  // namespace deskmark::atspi
