#include <doctest/doctest.h>

#include "perception/atspi/web_layers.hpp"

namespace deskmark::atspi {
namespace {

struct PageOfNodes {
  std::vector<Accessible> nodes;
  int add(int parent, Role role, DeviceRect r, const std::string& name = {}) {
    Accessible a;
    a.ref = {":1", "/" + std::to_string(nodes.size())};
    a.parent = parent;
    a.index_in_parent = static_cast<int>(nodes.size());
    a.role = role;
    a.extents = r;
    a.name = name;
    a.toolkit = Toolkit::Chromium;
    a.states.set(State::Enabled);
    nodes.push_back(a);
    return static_cast<int>(nodes.size()) - 1;
  }
};

/// Answers every question with the last of `order` that holds the point; the number of questions.
int settle(WebLayers& layers, const PageOfNodes& page, const std::vector<int>& order) {
  int asked = 0;
  for (auto point = layers.next(); point; point = layers.next()) {
    ++asked;
    int hit = 0;
    for (const int node : order) {
      if (page.nodes[static_cast<std::size_t>(node)].extents.contains(*point)) hit = node;
    }
    layers.answer(hit);
  }
  return asked;
}

const DeviceRect kView{0, 0, 800, 600};

}  // namespace

TEST_CASE("a header that stays lies over the content that comes after it in the tree") {
  PageOfNodes page;
  const int document = page.add(-1, Role::DocumentWeb, kView);
  const int header = page.add(document, Role::Landmark, {0, 0, 800, 50});
  const int home = page.add(header, Role::PushButton, {10, 10, 60, 30}, "Home");
  const int main = page.add(document, Role::Landmark, {0, -300, 800, 2000});
  std::vector<int> order{document, main};
  for (int i = 0; i < 30; ++i) order.push_back(page.add(main, Role::PushButton, {20, -300 + i * 40, 700, 30}, "Row"));
  order.push_back(header);
  order.push_back(home);
  WebLayers::Clips clips;
  WebLayers layers(page.nodes, document, kView, clips);
  CHECK(settle(layers, page, order) <= 4);
  layers.apply(page.nodes);
  CHECK(page.nodes[static_cast<std::size_t>(header)].attributes["layer"] == "1");
  CHECK(page.nodes[static_cast<std::size_t>(main)].attributes.count("layer") == 0);
}

TEST_CASE("what holds a page but does not cover it is no panel") {
  PageOfNodes page;
  const int document = page.add(-1, Role::DocumentWeb, kView);
  const int main = page.add(document, Role::Section, {0, 0, 800, 600});
  std::vector<int> order{document, main};
  const int near = page.add(main, Role::Link, {20, 100, 100, 20}, "Near");
  const int far = page.add(main, Role::Link, {20, 190, 100, 20}, "Far");
  // Its box reaches over both links, what is drawn of it over one only.
  const int box = page.add(document, Role::Section, {0, 90, 300, 200});
  const int menu = page.add(box, Role::Section, {0, 90, 300, 40});
  order.insert(order.end(), {box, near, far, menu});
  WebLayers::Clips clips;
  WebLayers layers(page.nodes, document, kView, clips);
  settle(layers, page, order);
  layers.apply(page.nodes);
  CHECK(page.nodes[static_cast<std::size_t>(box)].attributes.count("layer") == 0);
  CHECK(page.nodes[static_cast<std::size_t>(menu)].attributes.count("layer") == 1);
}

TEST_CASE("a box that cuts what sticks out of it is told from one that does not") {
  for (const bool cuts : {true, false}) {
    PageOfNodes page;
    const int document = page.add(-1, Role::DocumentWeb, kView);
    const int box = page.add(document, Role::Section, {100, 100, 200, 40});
    const int half = page.add(box, Role::PushButton, {110, 120, 100, 40}, "Half");
    WebLayers::Clips clips;
    WebLayers layers(page.nodes, document, kView, clips);
    CHECK(settle(layers, page, cuts ? std::vector<int>{document} : std::vector<int>{document, half}) == 1);
    layers.apply(page.nodes);
    CHECK((page.nodes[static_cast<std::size_t>(box)].attributes["clips"] == "true") == cuts);
    // Known from now on.
    WebLayers again(page.nodes, document, kView, clips);
    CHECK_FALSE(again.next());
  }
}

TEST_CASE("a page without anything in doubt is asked nothing") {
  PageOfNodes page;
  const int document = page.add(-1, Role::DocumentWeb, kView);
  const int list = page.add(document, Role::List, {0, 0, 800, 600});
  for (int i = 0; i < 20; ++i) {
    const int item = page.add(list, Role::ListItem, {0, i * 30, 800, 30});
    const int link = page.add(item, Role::Link, {10, i * 30, 200, 30}, "Link");
    page.add(link, Role::Static, {10, i * 30, 200, 30}, "Link");
  }
  WebLayers::Clips clips;
  WebLayers layers(page.nodes, document, kView, clips);
  CHECK_FALSE(layers.next());
}

TEST_CASE("nonsense as an answer changes nothing") {
  PageOfNodes page;
  const int document = page.add(-1, Role::DocumentWeb, kView);
  const int one = page.add(document, Role::PushButton, {10, 10, 100, 30}, "One");
  page.add(document, Role::PushButton, {10, 10, 100, 30}, "Other");
  WebLayers::Clips clips;
  WebLayers layers(page.nodes, document, kView, clips);
  for (int k = 0; layers.next() && k < 100; ++k) layers.answer(k % 2 == 0 ? -1 : 99'999);
  layers.apply(page.nodes);
  CHECK(page.nodes[static_cast<std::size_t>(one)].attributes.empty());
}

}  // namespace deskmark::atspi
