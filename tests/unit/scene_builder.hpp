// Small Observations for tests of the core: one window, nodes added parent by parent.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "perception/perceive.hpp"

namespace deskmark::testing {

inline StateSet states(std::initializer_list<State> list) {
  StateSet s;
  for (const State one : list) s.set(one);
  return s;
}

/// A window of 800x600 at (100, 50), toolkit GTK 3 unless told otherwise, with one toplevel frame (node 0).
class SceneBuilder {
 public:
  explicit SceneBuilder(Toolkit toolkit = Toolkit::Gtk3) : toolkit_(toolkit) {
    seen.area = {100, 50, 800, 600};
    seen.screen = {0, 0, 1920, 1080};
    seen.toolkit = toolkit;
    seen.tree = TreeStatus::Read;
    seen.target.id = 1;
    seen.target.title = "Test window";
    seen.target.bounds = seen.target.surface = seen.area;
    Surface surface;
    surface.window = seen.target;
    surface.grabbed = seen.area;
    seen.surfaces.push_back(surface);
    seen.surfaces[0].root = add(-1, Role::Frame, "Test window", {0, 0, 800, 600});
  }

  /// Adds a shown, enabled node; `box` is relative to the window's top-left. Returns its index.
  int add(int parent, Role role, const std::string& name, DeviceRect box, std::initializer_list<State> more = {},
          std::initializer_list<std::string> actions = {}) {
    Accessible node;
    node.parent = parent;
    node.role = role;
    node.name = name;
    node.toolkit = toolkit_;
    node.extents = box.empty() ? box : box.translated(100, 50);
    node.ref = {":1.1", "/" + std::to_string(seen.nodes.size())};
    if (toolkit_ == Toolkit::Gtk4) {
      node.states = states({State::Sensitive, State::Visible});
    } else {
      node.states = states({State::Enabled, State::Sensitive, State::Showing, State::Visible});
    }
    for (const State s : more) node.states.set(s);
    for (const std::string& a : actions) node.actions.push_back(a);
    seen.nodes.push_back(std::move(node));
    return static_cast<int>(seen.nodes.size()) - 1;
  }
  int button(int parent, const std::string& name, DeviceRect box) {
    return add(parent, Role::PushButton, name, box, {State::Focusable}, {"click"});
  }
  int label(int parent, const std::string& name, DeviceRect box) { return add(parent, Role::Label, name, box); }
  int entry(int parent, const std::string& name, const std::string& text, DeviceRect box) {
    const int i =
        add(parent, Role::Text, name, box, {State::Editable, State::Focusable, State::SingleLine}, {"activate"});
    node(i).text = text;
    return i;
  }

  /// Another native window above the first, in the picture; its toplevel node is returned.
  int surface(WindowType type, DeviceRect box, Role role, const std::string& name,
              std::initializer_list<State> more = {}) {
    Surface surface;
    surface.window.id = static_cast<std::uint32_t>(seen.surfaces.size() + 1);
    surface.window.owner = 1;
    surface.window.type = type;
    surface.window.bounds = surface.window.surface = box.translated(100, 50);
    surface.window.override_redirect = type != WindowType::Dialog;
    surface.root = add(-1, role, name, box, more);
    seen.surfaces.push_back(surface);
    return surface.root;
  }

  Accessible& node(int i) { return seen.nodes[static_cast<std::size_t>(i)]; }
  void off(int i, State s) { node(i).states.set(s, false); }

  /// A picture of one colour; rectangles painted on it are relative to the window.
  void paint(std::uint32_t rgb) {
    image_ = std::make_shared<Image>(800, 600, rgb);
    seen.pixels = image_;
  }
  void paint(DeviceRect box, std::uint32_t rgb) {
    for (int y = box.y; y < box.bottom(); ++y) {
      for (int x = box.x; x < box.right(); ++x) image_->set_rgb(x, y, rgb);
    }
  }

  [[nodiscard]] Scene scene(const PerceiveOptions& options = {}) const { return perceive(seen, options); }

  Observation seen;

 private:
  Toolkit toolkit_;
  std::shared_ptr<Image> image_;
};

inline const Mark* find(const Scene& scene, const std::string& label) {
  for (const Mark& m : scene.marks) {
    if (m.label == label) return &m;
  }
  return nullptr;
}

inline bool has(const Mark& mark, const std::string& state) {
  for (const std::string& s : mark.states) {
    if (s == state) return true;
  }
  return false;
}

/// Labels of all marks in order, joined with ", ".
inline std::string labels(const Scene& scene) {
  std::string text;
  for (const Mark& m : scene.marks) text += (text.empty() ? "" : ", ") + m.label;
  return text;
}

}  // namespace deskmark::testing
