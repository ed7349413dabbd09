#include <doctest/doctest.h>

#include <climits>
#include <deque>
#include <map>

#include "perception/atspi/walk.hpp"

namespace deskmark::atspi {
namespace {

constexpr std::uint64_t bit(State s) { return std::uint64_t{1} << static_cast<unsigned>(s); }
constexpr std::uint64_t kShown =
    bit(State::Showing) | bit(State::Visible) | bit(State::Enabled) | bit(State::Sensitive);

struct FakeNode {
  Role role = Role::Panel;
  std::string name;
  RawRect rect;
  std::uint64_t states = kShown;
  std::vector<std::string> interfaces = {"org.a11y.atspi.Component"};
  std::vector<std::string> children;         // paths
  int claimed = -1;                          // child count it claims, -1: the truth
  std::function<std::string(int)> child_at;  // for claims that cannot be listed
  std::string text;
};

/// A program answered from a table. Children of huge containers are made up on demand.
class FakeApp : public Caller {
 public:
  std::map<std::string, FakeNode> nodes;
  std::function<bool(const std::string& path, FakeNode& into)> invent;
  int calls = 0;
  std::map<std::string, int> by_method;

  void call(Call c, OnReply reply) override {
    if (c.arguments != nullptr) g_variant_ref_sink(c.arguments);
    queue_.push_back({std::move(c), std::move(reply)});
  }
  void run() {
    while (!queue_.empty()) {
      auto [c, reply] = std::move(queue_.front());
      queue_.pop_front();
      ++calls;
      ++by_method[c.method];
      GVariant* body = answer(c);
      if (body != nullptr) g_variant_ref_sink(body);
      reply(body);
      if (body != nullptr) g_variant_unref(body);
      if (c.arguments != nullptr) g_variant_unref(c.arguments);
    }
  }

 private:
  GVariant* ref(const std::string& path) { return g_variant_new("(so)", ":1.9", path.c_str()); }
  GVariant* answer(const Call& c) {
    FakeNode made;
    const FakeNode* n = nullptr;
    if (const auto it = nodes.find(c.path); it != nodes.end())
      n = &it->second;
    else if (invent && invent(c.path, made))
      n = &made;
    if (n == nullptr) return nullptr;
    const std::string method = c.method;
    if (method == "GetState") {
      GVariantBuilder b;
      g_variant_builder_init(&b, G_VARIANT_TYPE("au"));
      g_variant_builder_add(&b, "u", static_cast<guint32>(n->states));
      g_variant_builder_add(&b, "u", static_cast<guint32>(n->states >> 32));
      return g_variant_new("(au)", &b);
    }
    if (method == "GetExtents") return g_variant_new("((iiii))", n->rect.x, n->rect.y, n->rect.w, n->rect.h);
    if (method == "GetRole") return g_variant_new("(u)", static_cast<guint32>(n->role));
    if (method == "GetInterfaces") {
      GVariantBuilder b;
      g_variant_builder_init(&b, G_VARIANT_TYPE("as"));
      for (const std::string& i : n->interfaces) g_variant_builder_add(&b, "s", i.c_str());
      return g_variant_new("(as)", &b);
    }
    if (method == "GetChildren") {
      GVariantBuilder b;
      g_variant_builder_init(&b, G_VARIANT_TYPE("a(so)"));
      for (const std::string& k : n->children) g_variant_builder_add_value(&b, ref(k));
      return g_variant_new("(a(so))", &b);
    }
    if (method == "GetChildAtIndex") {
      gint32 index = 0;
      g_variant_get(c.arguments, "(i)", &index);
      if (n->child_at) return g_variant_new("(@(so))", ref(n->child_at(index)));
      return nullptr;
    }
    if (method == "GetText") return g_variant_new("(s)", n->text.c_str());
    if (method == "Get") {
      const char* interface = nullptr;
      const char* property = nullptr;
      g_variant_get(c.arguments, "(&s&s)", &interface, &property);
      const std::string p = property;
      if (p == "Name") return g_variant_new("(v)", g_variant_new_string(n->name.c_str()));
      if (p == "ChildCount") {
        const int count = n->claimed != -1 ? n->claimed : static_cast<int>(n->children.size());
        return g_variant_new("(v)", g_variant_new_int32(count));
      }
      if (p == "CharacterCount") return g_variant_new("(v)", g_variant_new_int32(static_cast<gint32>(n->text.size())));
    }
    return nullptr;
  }
  std::deque<std::pair<Call, OnReply>> queue_;
};

struct Fixture {
  FakeApp app;
  NodeMemory memory;
  WalkRequest request;
  WalkRoot root;

  Fixture() {
    Window w;
    w.id = 77;
    w.bounds = w.surface = {0, 0, 800, 600};
    request.toolkit = Toolkit::Qt6;
    request.windows = {w};
    request.area = w.bounds;
    root.top.ref = {":1.9", "/top"};
    root.top.toolkit = Toolkit::Qt6;
    root.top.role = Role::Frame;
    root.top.extents = {0, 0, 800, 600};
    root.top.states = StateSet(kShown);
    root.top.child_count = 1;
    root.window = 0;
  }
  WalkResult walk() {
    Walk walk(app, memory, request);
    walk.start({root});
    app.run();
    return walk.finish(true);
  }
};

}  // namespace

TEST_CASE("the visible tree comes in preorder, hidden and clipped subtrees are not entered") {
  Fixture f;
  f.app.nodes["/top"].children = {"/a"};
  f.app.nodes["/a"] = {Role::ScrollPane, "", {0, 0, 400, 300}, kShown, {}, {"/in", "/out", "/hidden"}};
  f.app.nodes["/in"] = {Role::PushButton, "In", {10, 10, 50, 20}};
  f.app.nodes["/out"] = {Role::Panel, "Out", {10, 900, 50, 20}, kShown, {}, {"/deep"}};
  f.app.nodes["/hidden"] = {Role::Panel, "Hidden", {10, 40, 50, 20}, 0, {}, {"/deep"}};
  f.app.nodes["/deep"] = {Role::PushButton, "Deep", {10, 40, 50, 20}};
  const WalkResult r = f.walk();
  REQUIRE(r.nodes.size() == 3);
  CHECK(r.nodes[0].role == Role::Frame);
  CHECK(r.nodes[1].parent == 0);
  CHECK(r.nodes[2].name == "In");
  CHECK(r.nodes[2].surface == 77);
  CHECK(r.roots == std::vector<int>{0});
  CHECK(r.complete);
}

TEST_CASE("a cyclic tree ends") {
  Fixture f;
  f.app.nodes["/top"].children = {"/a"};
  f.app.nodes["/a"] = {Role::Panel, "", {0, 0, 400, 300}, kShown, {}, {"/b", "/a", "/top"}};
  f.app.nodes["/b"] = {Role::Panel, "", {0, 0, 400, 300}, kShown, {}, {"/a", "/b"}};
  CHECK(f.walk().nodes.size() == 3);
}

TEST_CASE("a tree without a bottom ends at the limits") {
  Fixture f;
  f.app.nodes["/top"].children = {"/x/0"};
  f.app.invent = [](const std::string& path, FakeNode& n) {
    n = {Role::Panel, "", {0, 0, 400, 300}, kShown, {}, {path + "0", path + "1"}};
    return path.size() < 4000;
  };
  f.request.node_limit = 3000;
  const WalkResult r = f.walk();
  CHECK(r.nodes.size() <= 3000);
  CHECK_FALSE(r.complete);
}

TEST_CASE("of a list with two thousand million children the visible ones are read") {
  Fixture f;
  f.app.nodes["/top"].children = {"/list"};
  FakeNode list{Role::List, "", {0, 0, 400, 300}};
  list.claimed = INT_MAX;
  list.child_at = [](int i) { return "/row/" + std::to_string(i); };
  f.app.nodes["/list"] = list;
  const long scrolled = 1'000'000;  // rows above the view
  f.app.invent = [&](const std::string& path, FakeNode& n) {
    if (path.rfind("/row/", 0) != 0) return false;
    const long i = std::stol(path.substr(5));
    const long y = (i - scrolled) * 20;
    n = {Role::ListItem,
         "Row " + std::to_string(i),
         {0, static_cast<int>(std::clamp<long>(y, -900'000, 900'000)), 400, 20}};
    return true;
  };
  const WalkResult r = f.walk();
  std::vector<std::string> rows;
  for (const Accessible& n : r.nodes) {
    if (n.role == Role::ListItem) rows.push_back(n.name);
  }
  REQUIRE(rows.size() == 15);
  CHECK(rows.front() == "Row 1000000");
  CHECK(rows.back() == "Row 1000014");
  CHECK(f.app.by_method["GetChildren"] == 1);
  CHECK(f.app.calls < 4000);
}

TEST_CASE("children in columns are found though their order is not from top to bottom") {
  Fixture f;
  f.request.toolkit = f.root.top.toolkit = Toolkit::Chromium;
  f.app.nodes["/top"].children = {"/page"};
  FakeNode page{Role::Section, "", {0, 0, 800, 600}};
  page.claimed = 3000;
  page.child_at = [](int i) { return "/link/" + std::to_string(i); };
  f.app.nodes["/page"] = page;
  f.app.invent = [](const std::string& path, FakeNode& n) {
    if (path.rfind("/link/", 0) != 0) return false;
    const int i = std::stoi(path.substr(6));
    n = {Role::Link, path, {(i / 1000) * 250, (i % 1000) * 20 - 8000, 240, 18}};
    if (n.rect.y + n.rect.h <= 0 || n.rect.y >= 600) n.states &= ~bit(State::Showing);
    return true;
  };
  int links = 0;
  for (const Accessible& n : f.walk().nodes) links += n.role == Role::Link ? 1 : 0;
  CHECK(links == 90);
}

TEST_CASE("the text of a password field is not asked for") {
  Fixture f;
  const std::vector<std::string> text = {"org.a11y.atspi.Component", "org.a11y.atspi.Text",
                                         "org.a11y.atspi.EditableText"};
  f.app.nodes["/top"].children = {"/secret", "/open"};
  f.app.nodes["/secret"] = {Role::PasswordText, "", {0, 0, 100, 20}, kShown, text, {}, -1, {}, "hunter2"};
  f.app.nodes["/open"] = {Role::Entry, "", {0, 30, 100, 20}, kShown, text, {}, -1, {}, "hello"};
  const WalkResult r = f.walk();
  REQUIRE(r.nodes.size() == 3);
  CHECK(r.nodes[1].text.empty());
  CHECK(r.nodes[1].text_length == 0);
  CHECK(r.nodes[2].text == "hello");
  CHECK(f.app.by_method["GetText"] == 1);
}

TEST_CASE("a second look does not ask again what stays") {
  Fixture f;
  f.app.nodes["/top"].children = {"/a"};
  f.app.nodes["/a"] = {Role::PushButton, "Go", {0, 0, 100, 20}};
  CHECK(f.walk().nodes.size() == 2);
  const int first = f.app.by_method["GetRole"];
  CHECK(f.walk().nodes[1].role == Role::PushButton);
  CHECK(f.app.by_method["GetRole"] == first);
  f.app.nodes["/a"].name = "Stop";
  f.app.nodes["/a"].role = Role::ToggleButton;
  CHECK(f.walk().nodes[1].role == Role::ToggleButton);
}

TEST_CASE("a GTK 3 menu below the menu bar is drawn on its own window") {
  Fixture f;
  f.request.toolkit = f.root.top.toolkit = Toolkit::Gtk3;
  Window menu;
  menu.id = 78;
  menu.bounds = menu.surface = {0, 25, 200, 100};
  menu.type = WindowType::DropdownMenu;
  menu.override_redirect = true;
  f.request.windows.push_back(menu);
  f.app.nodes["/top"].children = {"/file"};
  f.app.nodes["/file"] = {Role::Menu, "File", {0, 0, 40, 25}, kShown, {}, {"/open"}};
  f.app.nodes["/open"] = {Role::MenuItem, "Open", {0, 29, 200, 25}};
  const WalkResult r = f.walk();
  REQUIRE(r.nodes.size() == 3);
  CHECK(r.nodes[1].surface == 77);
  CHECK(r.nodes[2].surface == 78);
  CHECK(r.roots == std::vector<int>{0, 1});
}

}  // namespace deskmark::atspi
