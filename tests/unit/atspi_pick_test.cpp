#include "perception/atspi/pick.hpp"

#include <doctest/doctest.h>

namespace deskmark::atspi {
namespace {

/// frame > stack > two pages without a place of their own, each with a panel and two buttons over the same area.
std::vector<Accessible> stack_of_two() {
  std::vector<Accessible> nodes;
  const auto add = [&](int parent, const std::string& path, DeviceRect r) {
    Accessible a;
    a.ref = {":1", path};
    a.parent = parent;
    a.extents = r;
    a.surface = 7;
    nodes.push_back(a);
    return static_cast<int>(nodes.size()) - 1;
  };
  const int frame = add(-1, "/frame", {100, 50, 400, 300});
  const int stack = add(frame, "/stack", {100, 50, 400, 300});
  for (const char* page : {"/one", "/two"}) {
    const std::string name = page;
    const int top = add(stack, name, {});
    const int panel = add(top, name + "/panel", {100, 50, 400, 300});
    add(panel, name + "/a", {120, 70, 80, 30});
    add(panel, name + "/b", {220, 170, 80, 30});
  }
  return nodes;
}

}  // namespace

TEST_CASE("of pages that lie over one another the one that is picked stays") {
  std::vector<Accessible> nodes = stack_of_two();
  std::vector<PickProbe> probes = pick_probes(nodes, 0, 2.0);
  REQUIRE(probes.size() == 4);
  CHECK(probes[0].x == (120 + 40 - 100) / 2);
  CHECK(probes[0].y == (70 + 15 - 50) / 2);
  for (PickProbe& probe : probes) probe.hit = {":1", "/two/panel"};
  std::vector<int> roots{0};
  remove_subtrees(nodes, roots, hidden_by_picks(nodes, probes));
  REQUIRE(nodes.size() == 6);
  CHECK(nodes[2].ref.path == "/two");
  CHECK(nodes[3].parent == 2);
  CHECK(roots[0] == 0);
}

TEST_CASE("no answer, an unknown object or a common ancestor proves nothing") {
  std::vector<Accessible> nodes = stack_of_two();
  std::vector<PickProbe> probes = pick_probes(nodes, 0, 1.0);
  probes[0].hit = {":1", "/stack"};
  probes[1].hit = {":1", "/elsewhere"};
  for (const bool hidden : hidden_by_picks(nodes, probes)) CHECK_FALSE(hidden);
}

TEST_CASE("widgets beside one another are not doubted") {
  std::vector<Accessible> nodes = stack_of_two();
  nodes.resize(6);
  CHECK(pick_probes(nodes, 0, 1.0).empty());
  CHECK(pick_probes(nodes, -1, 1.0).empty());
}

}  // namespace deskmark::atspi
