#include "perception/atspi/web_layers.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace deskmark::atspi {
namespace {

constexpr int kQuestions = 24;         // asked of one page at most
constexpr int kPerGroup = 4;           // about one pair of branches, or one box
constexpr std::size_t kButtons = 6;    // tried to find out when the page has answered
constexpr int kCell = 64;              // device pixels; pages are searched by cells
constexpr std::size_t kCrowd = 400;    // nodes of one cell that are compared
constexpr int kTwoLines = 24;          // device pixels
constexpr int kFar = 12;               // device pixels; a check nearer than that tells nothing new
constexpr int kOverlap = 4;            // device pixels; less is a border
constexpr std::size_t kGroups = 2000;  // pairs of branches kept apart

bool is_document(Role role) { return role == Role::DocumentWeb || role == Role::DocumentFrame; }

bool acts(const std::string& action) {
  static constexpr std::array<std::string_view, 9> known = {"press",   "click",  "jump", "activate", "check",
                                                            "uncheck", "select", "open", "toggle"};
  return std::find(known.begin(), known.end(), action) != known.end();
}

/// Things that are one thing to the user, whatever lies over what within them.
bool is_whole(Role role) {
  switch (role) {
    case Role::Link:
    case Role::PushButton:
    case Role::PushButtonMenu:
    case Role::ToggleButton:
    case Role::CheckBox:
    case Role::RadioButton:
    case Role::Switch:
    case Role::ComboBox:
    case Role::Label:
    case Role::MenuItem:
    case Role::CheckMenuItem:
    case Role::RadioMenuItem:
    case Role::PageTab:
    case Role::Slider:
    case Role::SpinButton:
    case Role::DateEditor:
    case Role::PasswordText:
    case Role::Entry: return true;
    default: return false;
  }
}

bool is_control(const Accessible& node) {
  if (is_document(node.role) || !node.states.has(State::Enabled)) return false;
  if (is_whole(node.role) && node.role != Role::Label) return true;
  if (node.states.has(State::Focusable) || node.states.has(State::Selectable) || node.states.has(State::Editable))
    return true;
  return std::any_of(node.actions.begin(), node.actions.end(), acts);
}

bool clips_by_itself(const Accessible& node) {
  if (is_document(node.role) || node.role == Role::InternalFrame || node.role == Role::ScrollPane ||
      node.role == Role::Viewport) {
    return true;
  }
  return std::any_of(node.actions.begin(), node.actions.end(),
                     [](const std::string& a) { return a.starts_with("scroll-"); });
}

/// The largest rectangle of `rect` that `cover` leaves.
DeviceRect largest_left(const DeviceRect& rect, const DeviceRect& cover) {
  const DeviceRect c = intersect(rect, cover);
  if (c.empty()) return rect;
  DeviceRect best{rect.x, rect.y, 0, 0};
  for (const DeviceRect& part : {DeviceRect{rect.x, rect.y, rect.w, c.y - rect.y},
                                 DeviceRect{rect.x, c.bottom(), rect.w, rect.bottom() - c.bottom()},
                                 DeviceRect{rect.x, rect.y, c.x - rect.x, rect.h},
                                 DeviceRect{c.right(), rect.y, rect.right() - c.right(), rect.h}}) {
    if (part.area() > best.area()) best = part;
  }
  return best;
}

/// Enough of `rect` to matter.
bool substantial(const DeviceRect& common, const DeviceRect& rect) {
  if (common.w < kOverlap || common.h < kOverlap) return false;
  return common.area() * 4 >= rect.area() || common.contains(rect.center());
}

}  // namespace

WebLayers::WebLayers(const std::vector<Accessible>& nodes, int document, const DeviceRect& view, Clips& clips)
    : nodes_(nodes), document_(document), view_(view), clips_(clips), end_(nodes.size()), seen_(nodes.size()) {
  for (std::size_t i = nodes.size(); i-- > 0;) {
    end_[i] = std::max(end_[i], static_cast<int>(i) + 1);
    if (nodes[i].parent >= 0) end_[at(nodes[i].parent)] = std::max(end_[at(nodes[i].parent)], end_[i]);
  }
  place();
  find_cut_off();
  sort_groups();
}

void WebLayers::sort_groups() {
  // What concerns most controls is asked first.
  std::stable_sort(groups_.begin(), groups_.end(),
                   [](const Group& a, const Group& b) { return a.doubts.size() > b.doubts.size(); });
  for (Group& group : groups_) {
    std::stable_sort(group.doubts.begin(), group.doubts.end(),
                     [](const Doubt& a, const Doubt& b) { return a.weight > b.weight; });
  }
}

bool WebLayers::clips(int node) const {
  if (clips_by_itself(nodes_[at(node)])) return true;
  const auto known = clips_.find(nodes_[at(node)].ref);
  return known != clips_.end() && known->second;
}

void WebLayers::place() {
  controls_.clear();
  std::vector<DeviceRect> inner(nodes_.size());
  for (int i = document_; i < end_[at(document_)]; ++i) {
    const Accessible& node = nodes_[at(i)];
    const DeviceRect clip = i == document_ ? view_ : inner[at(node.parent)];
    seen_[at(i)] = intersect(node.extents, clip);
    inner[at(i)] = clips(i) ? seen_[at(i)] : clip;
    if (seen_[at(i)].empty() || !is_control(node)) continue;
    if (seen_[at(i)].area() * 2 < view_.area()) controls_.push_back(i);
  }
}

/// Controls that stick out of a box they are in. (Those that are cut off as a whole soon lose SHOWING.)
void WebLayers::find_cut_off() {
  std::unordered_map<int, std::size_t> group;
  for (const int control : controls_) {
    const DeviceRect& rect = seen_[at(control)];
    for (int box = nodes_[at(control)].parent; box > document_ && !clips(box); box = nodes_[at(box)].parent) {
      const Accessible& node = nodes_[at(box)];
      if (one_control(box)) break;  // the options of a closed list
      if (node.extents.empty() || clips_.count(node.ref) > 0) continue;
      const DeviceRect outside = largest_left(rect, node.extents);
      if (!substantial(outside, rect)) continue;
      const auto [it, fresh] = group.try_emplace(box, groups_.size());
      if (fresh) groups_.push_back({-1, box, {}, 0, false});
      groups_[it->second].doubts.push_back({control, box, outside.center(), 0, false});
      break;
    }
  }
}

/// Controls under the rectangle of something that is not related to them.
void WebLayers::find_covered() {
  std::unordered_map<std::int64_t, std::vector<int>> cells;
  std::vector<int> large;
  const auto key = [](int x, int y) { return static_cast<std::int64_t>(y) * 100'000 + x; };
  for (int i = document_ + 1; i < end_[at(document_)]; ++i) {
    const DeviceRect& r = seen_[at(i)];
    if (r.w < kOverlap || r.h < kOverlap) continue;
    if (r.area() * 8 > view_.area()) {
      large.push_back(i);
      continue;
    }
    for (int y = r.y / kCell; y <= (r.bottom() - 1) / kCell; ++y) {
      for (int x = r.x / kCell; x <= (r.right() - 1) / kCell; ++x) cells[key(x, y)].push_back(i);
    }
  }
  std::vector<int> compared(nodes_.size(), -1);
  for (const int control : controls_) {
    const DeviceRect& r = seen_[at(control)];
    const auto compare = [&](const std::vector<int>& others) {
      const std::size_t count = std::min(others.size(), kCrowd);
      for (std::size_t k = 0; k < count; ++k) {
        if (compared[at(others[k])] == control) continue;
        compared[at(others[k])] = control;
        doubt(control, others[k]);
      }
    };
    compare(large);
    if (r.area() * 8 > view_.area()) continue;
    for (int y = r.y / kCell; y <= (r.bottom() - 1) / kCell; ++y) {
      for (int x = r.x / kCell; x <= (r.right() - 1) / kCell; ++x) {
        if (const auto cell = cells.find(key(x, y)); cell != cells.end()) compare(cell->second);
      }
    }
  }
}

void WebLayers::doubt(int control, int other) {
  // Text over several lines covers less than its rectangle; what it is written on is an object, too. The words of a
  // link are where the link is.
  const Accessible& over = nodes_[at(other)];
  if (over.parent >= 0 && is_whole(nodes_[at(over.parent)].role)) return;
  if (related(control, other) || (over.role == Role::Static && over.extents.h >= kTwoLines)) return;
  const DeviceRect common = intersect(seen_[at(control)], seen_[at(other)]);
  if (!substantial(common, seen_[at(control)])) return;
  const int lca = common_ancestor(control, other);
  if (one_control(lca)) return;
  const std::pair<int, int> key{branch(lca, control), branch(lca, other)};
  const auto [it, fresh] = group_of_.try_emplace(key, groups_.size());
  if (fresh) {
    if (groups_.size() >= kGroups) {
      group_of_.erase(it);
      return;
    }
    groups_.push_back({key.first, key.second, {}, 0, false});
  }
  const bool draws = is_control(nodes_[at(other)]) || end_[at(other)] == other + 1;
  groups_[it->second].doubts.push_back({control, other, common.center(), draws ? 1 : 0, false});
}

int WebLayers::common_ancestor(int a, int b) const {
  int up = a;
  while (up >= 0 && !inside(b, up)) up = nodes_[at(up)].parent;
  return up;
}

/// The child of `common` that `node` is, or is below.
int WebLayers::branch(int common, int node) const {
  int up = node;
  while (up >= 0 && nodes_[at(up)].parent != common) up = nodes_[at(up)].parent;
  return up;
}

bool WebLayers::one_control(int common) const {
  for (int up = common; up > document_; up = nodes_[at(up)].parent) {
    if (is_whole(nodes_[at(up)].role)) return true;
  }
  return false;
}

/// Where the two of a pair can be told apart: in what no cover found so far hides. Nothing: hidden as a whole.
std::optional<DevicePoint> WebLayers::open_point(const Doubt& doubt) const {
  DeviceRect open = intersect(seen_[at(doubt.control)], seen_[at(doubt.other)]);
  for (const Cover& cover : covers_) {
    if (related(cover.node, doubt.control) || related(cover.node, doubt.other)) continue;
    open = largest_left(open, seen_[at(cover.node)]);
  }
  if (open.w < kOverlap || open.h < kOverlap) return std::nullopt;
  return open.center();
}

/// By what was found meanwhile.
bool WebLayers::settled(const Doubt& doubt) const {
  return std::any_of(covers_.begin(), covers_.end(), [&](const Cover& cover) {
    if (!seen_[at(cover.node)].contains(doubt.at)) return false;
    return (inside(doubt.other, cover.node) && !related(cover.node, doubt.control)) ||
           (inside(doubt.control, cover.node) && !related(cover.node, doubt.other));
  });
}

std::vector<DevicePoint> WebLayers::plain_buttons() const {
  std::vector<DevicePoint> middles;
  for (const int control : controls_) {
    const Accessible& node = nodes_[at(control)];
    const bool button = node.role == Role::PushButton && end_[at(control)] == control + 1;
    if (!button || node.name.size() < 2 || !(seen_[at(control)] == node.extents)) continue;
    const DevicePoint middle = node.extents.center();
    bool alone = true;
    for (int other = document_ + 1; alone && other < end_[at(document_)]; ++other) {
      alone = related(control, other) || !seen_[at(other)].contains(middle);
    }
    if (alone) middles.push_back(middle);
    if (middles.size() >= kButtons) break;
  }
  return middles;
}

std::optional<DevicePoint> WebLayers::next() {
  checked_ = -1;
  if (questions_ >= kQuestions) return std::nullopt;
  for (std::size_t c = 0; c < covers_.size(); ++c) {
    if (covers_[c].check < 0) continue;
    checked_ = static_cast<int>(c);
    ++questions_;
    return seen_[at(covers_[c].check)].center();
  }
  if (auto point = next_doubt()) return point;
  if (boxes_done_) return std::nullopt;
  // What boxes cut off covers nothing: that is looked for when it is gone.
  boxes_done_ = true;
  groups_.clear();
  group_ = 0;
  place();
  find_covered();
  sort_groups();
  return next_doubt();
}

std::optional<DevicePoint> WebLayers::next_doubt() {
  for (; group_ < groups_.size(); ++group_) {
    Group& group = groups_[group_];
    if (group.settled || group.asked >= kPerGroup) continue;
    for (doubt_ = 0; doubt_ < group.doubts.size(); ++doubt_) {
      Doubt& doubt = group.doubts[doubt_];
      if (doubt.asked) continue;
      doubt.asked = true;
      if (boxes_done_) {
        const auto open = settled(doubt) ? std::nullopt : open_point(doubt);
        if (!open) continue;
        doubt.at = *open;
        if (known_pattern(group, doubt)) continue;
      }
      ++group.asked;
      ++questions_;
      return doubt.at;
    }
  }
  return std::nullopt;
}

void WebLayers::answer(int hit) {
  if (checked_ >= 0) {
    Cover& cover = covers_[at(checked_)];
    const int control = std::exchange(cover.check, -1);
    if (hit < 0 || !inside(hit, control)) return;
    // Seen through it: the part of it that was hit is smaller.
    int smaller = cover.hit;
    while (smaller != cover.node && nodes_[at(smaller)].parent != cover.node) smaller = nodes_[at(smaller)].parent;
    cover.node = smaller;
    check_later(cover);
    return;
  }
  if (hit < 0 || !inside(hit, document_) || group_ >= groups_.size()) return;
  Group& group = groups_[group_];
  const Doubt doubt = group.doubts[doubt_];
  if (boxes_done_) {
    judge_pair(group, doubt, hit);
  } else {
    judge_box(group, hit);
  }
}

void WebLayers::judge_box(Group& group, int hit) {
  const int box = group.over;
  const bool shown = hit != box && inside(hit, box);
  // Something else is there: perhaps it lies over this one only.
  if (!shown && !inside(box, hit) && group.asked < kPerGroup && group.doubts.size() > 1) return;
  clips_[nodes_[at(box)].ref] = !shown;
  group.settled = true;
}

std::pair<int, int> WebLayers::pair() const {
  if (checked_ >= 0) return {covers_[at(checked_)].check, covers_[at(checked_)].node};
  const Doubt& doubt = groups_[group_].doubts[doubt_];
  return {doubt.control, doubt.other};
}

std::optional<WebLayers::Pattern> WebLayers::pattern(const Doubt& doubt) const {
  const int row = common_ancestor(doubt.control, doubt.other);
  if (row <= document_ || !is_control(nodes_[at(doubt.other)])) return std::nullopt;
  const int apart =
      nodes_[at(branch(row, doubt.control))].index_in_parent - nodes_[at(branch(row, doubt.other))].index_in_parent;
  return Pattern{nodes_[at(row)].parent, nodes_[at(doubt.control)].role, nodes_[at(doubt.other)].role, apart};
}

/// Two controls of a row lie as the same two of another row do.
bool WebLayers::known_pattern(Group& group, const Doubt& doubt) {
  const auto key = pattern(doubt);
  const auto known = key ? patterns_.find(*key) : patterns_.end();
  if (known == patterns_.end()) return false;
  const int over = known->second ? doubt.control : doubt.other;
  const int below = known->second ? doubt.other : doubt.control;
  add_small_cover(over, below);
  ++group.asked;
  return true;
}

void WebLayers::judge_pair(Group& group, const Doubt& doubt, int hit) {
  const int control = doubt.control;
  if (inside(hit, control) || inside(hit, doubt.other)) {
    if (const auto key = pattern(doubt)) patterns_[*key] = inside(hit, control);
  }
  if (inside(hit, control)) {
    // A box that nothing is drawn in loses nothing, nor does a picture with a small button in its corner.
    if (!is_control(nodes_[at(doubt.other)]) ||
        !substantial(intersect(seen_[at(control)], seen_[at(doubt.other)]), seen_[at(doubt.other)])) {
      return;
    }
    add_cover(control, branch(common_ancestor(control, doubt.other), control), doubt.other, doubt.at);
    return;
  }
  if (inside(control, hit)) return;  // neither is there
  const int common = common_ancestor(control, hit);
  if (one_control(common)) return;
  const int top = branch(common, hit);
  add_cover(hit, top, control, doubt.at);
  group.settled = covers_.back().node == top;
}

/// One control over another one. A small button in the corner of a picture takes nothing away from it.
void WebLayers::add_small_cover(int over, int below) {
  if (is_control(nodes_[at(below)]) && substantial(intersect(seen_[at(over)], seen_[at(below)]), seen_[at(below)])) {
    covers_.push_back({over, over, below, seen_[at(over)].center(), -1});
  }
}

/// The largest part around `hit`, within `top`, that is no page of its own.
void WebLayers::add_cover(int hit, int top, int below, DevicePoint point) {
  Cover cover{hit, hit, below, point, -1};
  for (int up = hit; up >= 0; up = nodes_[at(up)].parent) {
    const DeviceRect& r = seen_[at(up)];
    if (r.contains(point) && r.area() * 5 < view_.area() * 3) cover.node = up;
    if (up == top) break;
  }
  check_later(cover);
  covers_.push_back(cover);
}

/// A panel that is guessed around what was hit is checked where it covers another control, far from there.
void WebLayers::check_later(Cover& cover) {
  if (cover.node == cover.hit) return;
  const DeviceRect& panel = seen_[at(cover.node)];
  int farthest = kFar;
  for (const int control : controls_) {
    const DevicePoint c = seen_[at(control)].center();
    if (related(control, cover.node) || !panel.contains(c)) continue;
    const int distance = std::abs(c.x - cover.at.x) + std::abs(c.y - cover.at.y);
    if (distance <= farthest) continue;
    farthest = distance;
    cover.check = control;
  }
}

void WebLayers::apply(std::vector<Accessible>& nodes) const {
  std::map<int, int> layer;
  for (const Cover& cover : covers_) layer.emplace(cover.node, 1);
  const auto layer_of = [&](int node) {
    int highest = 0;
    for (int up = node; up >= 0; up = nodes[at(up)].parent) {
      if (const auto it = layer.find(up); it != layer.end()) highest = std::max(highest, it->second);
    }
    return highest;
  };
  for (std::size_t round = 0; round < covers_.size(); ++round) {
    bool changed = false;
    for (const Cover& cover : covers_) {
      const int wanted = layer_of(cover.below) + 1;
      if (layer[cover.node] >= wanted || wanted > 99) continue;
      layer[cover.node] = wanted;
      changed = true;
    }
    if (!changed) break;
  }
  for (const auto& [node, number] : layer) nodes[at(node)].attributes["layer"] = std::to_string(number);
  for (int i = document_ + 1; i < end_[at(document_)]; ++i) {
    Accessible& node = nodes[at(i)];
    const auto known = clips_.find(node.ref);
    if (known == clips_.end() || !known->second) continue;
    node.attributes["clips"] = "true";
  }
}

}  // namespace deskmark::atspi
