#include "perception/atspi/page_layers.hpp"

#include <cmath>
#include <unordered_map>
#include <utility>

#include "perception/atspi/hit_test.hpp"
#include "perception/atspi/walk_rules.hpp"
#include "perception/atspi/wrapped_links.hpp"

namespace deskmark::atspi {
namespace {

using namespace std::chrono_literals;

constexpr auto kBudget = 1200ms;  // for one page
constexpr auto kFresh = 5s;       // an answer is taken for true so long, while nothing moves
constexpr std::size_t kRemembered = 20'000;
constexpr int kSmallest = 64;  // device pixels; smaller pages are parts of the browser's own interface
constexpr int kAncestors = 4;  // of an object that was not read, until one that was

bool is_page(const std::vector<Accessible>& nodes, std::size_t i) {
  const Accessible& node = nodes[i];
  if (node.role != Role::DocumentWeb || !web(node.toolkit)) return false;
  if (node.extents.w < kSmallest || node.extents.h < kSmallest) return false;
  for (int up = node.parent; up >= 0; up = nodes[static_cast<std::size_t>(up)].parent) {
    if (nodes[static_cast<std::size_t>(up)].role == Role::DocumentWeb) return false;  // an inner frame
  }
  return true;
}

/// The page's place as the browser counts.
RawRect place_of(Pipeline& pipeline, const ObjectRef& document, const Deadline& deadline) {
  RawRect place;
  pipeline.call({document.bus, document.path, kComponent, "GetExtents", g_variant_new("(u)", 0U)},
                [&place](GVariant* body) { place = decode_rect(body).value_or(RawRect{}); });
  pipeline.run(deadline);
  return place;
}

/// A page among the nodes, and how its coordinates become device pixels.
class Page {
 public:
  Page(Pipeline& pipeline, const Accessible& node, const Deadline& deadline)
      : at_(node.extents), raw_(place_of(pipeline, node.ref, deadline)) {}

  [[nodiscard]] bool known() const { return raw_.w > 0 && raw_.h > 0; }
  [[nodiscard]] int raw_x(int x) const { return raw_.x + static_cast<int>(std::floor((x - at_.x + 0.5) / across())); }
  [[nodiscard]] int raw_y(int y) const { return raw_.y + static_cast<int>(std::floor((y - at_.y + 0.5) / down())); }
  [[nodiscard]] DeviceRect device(const RawRect& r) const {
    const int x = at_.x + static_cast<int>(std::lround((r.x - raw_.x) * across()));
    const int y = at_.y + static_cast<int>(std::lround((r.y - raw_.y) * down()));
    return {x, y, static_cast<int>(std::lround(r.w * across())), static_cast<int>(std::lround(r.h * down()))};
  }

 private:
  [[nodiscard]] double across() const { return static_cast<double>(at_.w) / raw_.w; }
  [[nodiscard]] double down() const { return static_cast<double>(at_.h) / raw_.h; }

  DeviceRect at_;
  RawRect raw_;
};

/// Links that go over several lines, and the words in them, move to their longest line.
void place_wrapped(Pipeline& pipeline, const Page& page, const std::vector<int>& links, const Deadline& deadline,
                   std::vector<Accessible>& nodes) {
  std::vector<std::vector<RawRect>> lines;
  ask_lines(pipeline, nodes, links, lines);
  if (!pipeline.run(deadline)) return;
  for (std::size_t k = 0; k < links.size(); ++k) {
    if (lines[k].size() < 2) continue;
    DeviceRect longest;
    for (const RawRect& line : lines[k]) {
      if (const DeviceRect r = page.device(line); r.area() > longest.area()) longest = r;
    }
    const auto link = static_cast<std::size_t>(links[k]);
    // A line of the text is part of the link, else they speak of different things.
    if (longest.empty() || !nodes[link].extents.inflated(2).contains(longest)) continue;
    nodes[link].extents = longest;
    for (std::size_t i = link + 1; i < nodes.size() && nodes[i].parent == links[k]; ++i) {
      if (nodes[i].role == Role::Static) nodes[i].extents = longest;
    }
  }
}

/// The two of a pair, how they lie to one another, and the point within them.
std::string key_of(const Accessible& one, const Accessible& other, const DevicePoint& at) {
  std::string key = one.ref.bus + one.ref.path + ' ' + other.ref.path;
  const DeviceRect& a = one.extents;
  const DeviceRect& b = other.extents;
  for (const int number : {a.w, a.h, b.x - a.x, b.y - a.y, b.w, b.h, at.x - a.x, at.y - a.y})
    key += ' ' + std::to_string(number);
  return key;
}

/// Asks for one doubt after the other.
class Asking {
 public:
  Asking(Bus& bus, Pipeline& pipeline, const Page& page, const Deadline& deadline, int document,
         const std::vector<Accessible>& nodes, LayerMemory& memory)
      : page_(page),
        deadline_(deadline),
        nodes_(nodes),
        document_(at(document)),
        memory_(memory),
        test_(bus, pipeline, document_.ref, document_.toolkit == Toolkit::Chromium, deadline),
        last_(document_.extents) {}

  void run(WebLayers& layers) {
    auto point = layers.next();
    if (!point || !page_.known()) return;
    for (std::size_t k = 0; k < nodes_.size(); ++k) index_[nodes_[k].ref.path] = static_cast<int>(k);
    for (; point && !deadline_.passed(); point = layers.next()) {
      const auto [control, other] = layers.pair();
      const std::string key = key_of(at(control), at(other), *point);
      const auto now = Bus::Clock::now();
      if (const auto known = memory_.answers.find(key); known != memory_.answers.end() && now < known->second.until) {
        layers.answer(node(known->second.path));
        continue;
      }
      const int hit = ask(layers, *point);
      if (deadline_.passed()) return;
      if (hit >= 0) memory_.answers[key] = {at(hit).ref.path, now + kFresh};
      layers.answer(hit);
    }
  }

 private:
  [[nodiscard]] const Accessible& at(int i) const { return nodes_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] int node(const std::string& path) const {
    const auto it = index_.find(path);
    return it != index_.end() ? it->second : -1;
  }

  [[nodiscard]] bool inside(int node, int ancestor) const {
    while (node > ancestor) node = at(node).parent;
    return node == ancestor;
  }

  /// The innermost known node at a point.
  int ask(const WebLayers& layers, const DevicePoint& point) {
    if (!std::exchange(calibrated_, true)) {
      for (const DevicePoint& button : layers.plain_buttons()) {
        if (test_.calibrated()) break;
        test_.calibrate(page_.raw_x(button.x), page_.raw_y(button.y));
      }
    }
    bool sure = false;
    const int hit = ask_point(point, sure);
    const auto [control, other] = layers.pair();
    if (sure || hit < 0 || inside(hit, control)) return hit;
    // Chromium forgets to move the words of what stays in place while the page scrolls, and cannot tell then that they
    // are at the point: the control is asked for at its edge, too.
    const DeviceRect common = intersect(at(control).extents, at(other).extents);
    for (const DevicePoint& point_at_edge :
         {DevicePoint{common.center().x, common.y + 1}, DevicePoint{common.x + 1, common.center().y}}) {
      const int edge = ask_point(point_at_edge, sure);
      if (sure && edge >= 0 && inside(edge, control)) return edge;
    }
    return hit;
  }

  int ask_point(const DevicePoint& point, bool& sure) {
    const HitTest::Hit found = test_.at(page_.raw_x(point.x), page_.raw_y(point.y), last_.contains(point));
    sure = found.sure;
    ObjectRef hit = found.ref;
    int known = -1;
    for (int up = 0; up < kAncestors && known < 0 && !null_ref(hit); ++up) {
      known = node(hit.path);
      if (known < 0) hit = test_.parent(hit);
    }
    const DeviceRect place = known >= 0 ? at(known).extents : DeviceRect{};
    last_ = place.empty() ? document_.extents : place.inflated(1);
    return known;
  }

  const Page& page_;
  const Deadline& deadline_;
  const std::vector<Accessible>& nodes_;
  const Accessible& document_;
  LayerMemory& memory_;
  std::unordered_map<std::string, int> index_;  // by path: all of them are of one program
  HitTest test_;
  DeviceRect last_;  // the object that was found last is within it
  bool calibrated_ = false;
};

}  // namespace

void settle_layers(Bus& bus, Pipeline& pipeline, const DeviceRect& area, LayerMemory& memory, const Deadline& deadline,
                   WalkResult& result) {
  if (memory.clips.size() + memory.answers.size() > kRemembered) memory.clear();
  for (std::size_t i = 0; i < result.nodes.size(); ++i) {
    if (!is_page(result.nodes, i)) continue;
    const int document = static_cast<int>(i);
    const DeviceRect view = intersect(result.nodes[i].extents, area);
    if (view.empty()) continue;
    const Deadline until = deadline.at_most(kBudget);
    const Page page(pipeline, result.nodes[i], until);
    if (const std::vector<int> links = wrapped_links(result.nodes, document); !links.empty() && page.known())
      place_wrapped(pipeline, page, links, until, result.nodes);
    WebLayers layers(result.nodes, document, view, memory.clips);
    Asking(bus, pipeline, page, until, document, result.nodes, memory).run(layers);
    layers.apply(result.nodes);
  }
}

}  // namespace deskmark::atspi
