// A desktop of values: what is looked at comes from a SceneBuilder, what is sent is written down and may change it.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "src/engine/act.hpp"
#include "tests/unit/scene_builder.hpp"

namespace deskmark::testing {

struct FakeDesk : ScreenSource, AccessibleSource {
  SceneBuilder now;
  std::vector<Window> others;  ///< frontmost first, before the window itself
  bool closed = false;

  Reading<WindowList> windows(const Deadline&) override {
    WindowList list;
    list.screen = now.seen.screen;
    list.windows = others;
    if (!closed) list.windows.push_back(now.seen.target);
    return {list, {}, {}};
  }
  Reading<Grab> grab(const std::vector<Window>& asked, const DeviceRect& area, const Deadline&) override {
    Grab grab;
    grab.pixels = now.seen.pixels ? now.seen.pixels : std::make_shared<const Image>(area.w, area.h, 0xffffff);
    for (const Window& w : asked) grab.grabbed.push_back(w.bounds);
    return {grab, {}, {}};
  }
  Reading<Grab> grab_screen(const DeviceRect& area, const Deadline& d) override { return grab({}, area, d); }
  Reading<std::vector<AccessibleApp>> applications(const Deadline&) override {
    return {std::vector<AccessibleApp>{}, {}, {}};
  }
  TreeReading tree(const TreeRequest& request, const Deadline&) override {
    TreeReading reading;
    reading.nodes = now.seen.nodes;
    reading.status = now.seen.nodes.empty() ? TreeStatus::None : TreeStatus::Read;
    reading.toolkit = now.seen.toolkit;
    reading.roots.assign(request.windows.size(), -1);
    if (!reading.nodes.empty()) reading.roots[0] = 0;
    return reading;
  }
};

/// Writes down what is sent; `effect` is what the program does about it.
struct FakeHands : AccessibleSink, InputSink {
  std::vector<std::string> sent;
  std::function<void(const std::string&)> effect;
  Sent answer = Sent::All;
  std::string refusal;  ///< code with which pointer and keyboard refuse
  std::map<std::string, std::string> texts;
  bool living = true;
  std::vector<Option> listed;

  Delivered done(const std::string& what, const std::string& route) {
    Delivered d;
    d.route = route;
    if (route != "accessibility" && !refusal.empty()) {
      d.code = refusal;
      d.message = "refused";
      return d;
    }
    sent.push_back(what);
    if (effect) effect(what);
    d.sent = answer;
    d.completed = d.total = 1;
    return d;
  }
  static std::string at(DevicePoint p) { return std::to_string(p.x) + "," + std::to_string(p.y); }

  bool alive(const ObjectRef&, const Deadline&) override { return living; }
  Delivered do_action(const ObjectRef& o, const std::string& n, const Deadline&) override {
    return done("action " + n + " " + o.path, "accessibility");
  }
  Delivered set_text(const ObjectRef& o, const std::string& t, const Deadline&) override {
    texts[o.path] = t;
    return done("set " + o.path, "accessibility");
  }
  Delivered insert_text(const ObjectRef& o, const std::string& t, Toolkit, const Deadline&) override {
    texts[o.path] += t;
    return done("insert " + t, "accessibility");
  }
  Delivered set_number(const ObjectRef&, double v, const Deadline&) override {
    return done("number " + std::to_string(v), "accessibility");
  }
  Delivered select_child(const ObjectRef& o, int i, const Deadline&) override {
    return done("select " + std::to_string(i) + " of " + o.path, "accessibility");
  }
  Delivered focus(const ObjectRef& o, const Deadline&) override { return done("focus " + o.path, "accessibility"); }
  Delivered place_caret(const ObjectRef&, int i, const Deadline&) override {
    return done("caret " + std::to_string(i), "accessibility");
  }
  std::optional<Peek> peek(const ObjectRef&, const Deadline&) override { return std::nullopt; }
  std::optional<std::string> text(const ObjectRef& o, const Deadline&) override { return texts[o.path]; }
  Delivered scroll_to(const ObjectRef& o, const Deadline&) override {
    return done("scroll to " + o.path, "accessibility");
  }
  std::vector<Option> options(const ObjectRef&, int, const Deadline&) override { return listed; }

  bool reachable(const PointerPlace&, const Deadline&) override { return true; }
  static std::string route(Delivery d, const char* background) {
    return d == Delivery::Foreground ? "foreground_input" : background;
  }
  Delivered click(const PointerPlace& p, Button b, int n, const std::vector<Modifier>&, Delivery d, bool, const Pacing&,
                  const Deadline&) override {
    return done("click " + std::to_string(static_cast<int>(b)) + "x" + std::to_string(n) + " " + at(p.at),
                route(d, "background_pointer"));
  }
  Delivered drag(const PointerPlace& a, const PointerPlace& b, Button, const std::vector<Modifier>&, Delivery d, bool,
                 const Pacing&, const Deadline&) override {
    return done("drag " + at(a.at) + " " + at(b.at), route(d, "background_pointer"));
  }
  Delivered scroll(const PointerPlace& p, Direction, int n, const std::vector<Modifier>&, Delivery d, bool,
                   const Pacing&, const Deadline&) override {
    return done("scroll " + std::to_string(n) + " " + at(p.at), route(d, "background_pointer"));
  }
  Delivered press(const Window&, const KeyCombo& k, Delivery d, bool, const Pacing&, const Deadline&) override {
    return done("press " + k.canonical, route(d, "background_keys"));
  }
  Delivered type(const Window&, const std::string& t, Delivery d, bool, bool, const Pacing&, const Deadline&) override {
    return done("type " + t, route(d, "background_keys"));
  }
  Delivered activate(const Window&, bool, const Deadline&) override { return done("activate", "foreground_input"); }
};

}  // namespace deskmark::testing
