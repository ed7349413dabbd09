#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "perception/marks/pixel_marks.hpp"
#include "perception/perceive.hpp"

using namespace deskmark;

namespace {

cv::Mat mat(Image& image) { return {image.height, image.width, CV_8UC4, image.bgrx.data()}; }

void box(Image& image, const PictureRect& r) {
  cv::Mat m = mat(image);
  cv::rectangle(m, cv::Rect(r.x, r.y, r.w, r.h), cv::Scalar(255, 255, 255, 255), cv::FILLED);
  cv::rectangle(m, cv::Rect(r.x, r.y, r.w, r.h), cv::Scalar(120, 120, 120, 255), 1);
}

void words(Image& image, const std::string& s, int x, int y) {
  cv::Mat m = mat(image);
  cv::putText(m, s, {x, y}, cv::FONT_HERSHEY_SIMPLEX, 0.42, cv::Scalar(30, 30, 30, 255), 1, cv::LINE_AA);
}

TextLine line(const std::string& text, const DeviceRect& r, double confidence = 0.9) {
  return {text, r, confidence, {{text, r, confidence}}};
}

/// A field with its label before it and two buttons, the window at (100, 50) on the screen.
struct Dialog {
  Image image{400, 200, 0xf0f0f0};
  Observation seen;
  Dialog() {
    words(image, "Host:", 20, 45);
    box(image, {80, 26, 200, 28});
    words(image, "example", 88, 45);
    box(image, {80, 120, 90, 30});
    words(image, "Connect", 98, 140);
    box(image, {190, 120, 90, 30});
    words(image, "Close", 216, 140);
    seen.area = {100, 50, 400, 200};
    seen.screen = {0, 0, 1000, 800};
    seen.target.id = 7;
    seen.target.bounds = seen.area;
    seen.surfaces.push_back({seen.target, -1, seen.area});
    seen.tree = TreeStatus::None;
  }
  Observation& ready() {
    seen.pixels = std::make_shared<const Image>(image);
    return seen;
  }
  void read() {  // as OCR would, device pixels
    seen.text = {line("Host:", {120, 84, 38, 12}), line("example", {188, 84, 58, 12}),
                 line("Connect", {198, 180, 56, 11}), line("Close", {316, 180, 38, 11})};
  }
};

const Mark* labelled(const Scene& scene, const std::string& label) {
  for (const Mark& mark : scene.marks) {
    if (mark.label == label) return &mark;
  }
  return nullptr;
}

Accessible node(Role role, const DeviceRect& r, int parent, const std::string& name) {
  Accessible a;
  a.role = role;
  a.extents = r;
  a.parent = parent;
  a.name = name;
  a.toolkit = Toolkit::Gtk3;
  a.interfaces.set(Iface::Component);
  for (const State s : {State::Showing, State::Visible, State::Enabled, State::Sensitive}) a.states.set(s);
  if (role == Role::PushButton) {
    a.interfaces.set(Iface::Action);
    a.actions = {"click"};
    a.states.set(State::Focusable);
  }
  return a;
}

}  // namespace

TEST_CASE("a window without a tree gets marks from its pixels, named by the text in and beside them") {
  Dialog d;
  d.read();
  const Scene scene = perceive(d.ready(), {});
  REQUIRE(scene.marks.size() == 3);
  const Mark* field = labelled(scene, "Host");
  REQUIRE(field != nullptr);
  CHECK(field->role_word == "entry");
  CHECK(field->value == "example");
  CHECK(field->source == Source::Vision);
  REQUIRE(field->confidence.has_value());
  CHECK(*field->confidence > 0.3);
  CHECK(iou(field->device, DeviceRect{180, 76, 200, 28}) > 0.9);
  CHECK(field->surface == 7);
  const Mark* button = labelled(scene, "Connect");
  REQUIRE(button != nullptr);
  CHECK(button->role == Role::PushButton);
  CHECK(button->bounds == PictureRect{80, 120, 90, 30});
  CHECK(scene.marks[0].index == 1);
  CHECK(&scene.marks[2] == labelled(scene, "Close"));
  CHECK(render_outline(scene, 1000).find("push button \"Connect\"") != std::string::npos);
}

TEST_CASE("without pixel marks, and without pixels, there are none") {
  Dialog d;
  PerceiveOptions options;
  options.pixel_marks = false;
  CHECK(perceive(d.ready(), options).marks.empty());
  d.seen.pixels = nullptr;
  CHECK(perceive(d.seen, {}).marks.empty());
  d.seen.tree = TreeStatus::NotAsked;
  CHECK(text_areas_needed(d.ready()).empty());
}

TEST_CASE("text is asked for where there is text, in widgets first") {
  Dialog d;
  const auto areas = text_areas_needed(d.ready());
  REQUIRE(areas.size() == 4);
  const PictureRect label{20, 33, 40, 14};
  CHECK(!intersect(areas.back(), label).empty());
}

TEST_CASE("what accessibles explain gets no second mark from the pixels") {
  Dialog d;
  d.read();
  Observation& seen = d.ready();
  seen.tree = TreeStatus::Read;
  seen.surfaces[0].root = 0;
  seen.nodes = {node(Role::Frame, seen.area, -1, "Dialog"), node(Role::Panel, seen.area, 0, ""),
                node(Role::Label, {120, 84, 38, 12}, 1, "Host:"),
                node(Role::PushButton, {180, 170, 90, 30}, 1, "Connect"),
                node(Role::PushButton, {290, 170, 90, 30}, 1, "Close")};
  CHECK(text_areas_needed(seen).empty());
  const Scene scene = perceive(seen, {});
  CHECK(scene.marks.size() == 2);
  CHECK(std::all_of(scene.marks.begin(), scene.marks.end(), [](const Mark& m) { return m.source == Source::Ax; }));
}

TEST_CASE("a canvas among accessibles is looked into, the rest is not") {
  Dialog d;
  d.read();
  Observation& seen = d.ready();
  seen.tree = TreeStatus::Read;
  seen.surfaces[0].root = 0;
  seen.nodes = {node(Role::Frame, seen.area, -1, "Dialog"), node(Role::Canvas, {100, 155, 400, 95}, 0, ""),
                node(Role::Label, {120, 84, 38, 12}, 0, "Host:"),
                node(Role::PushButton, {180, 76, 200, 28}, 0, "Field")};
  CHECK(text_areas_needed(seen).size() == 2);
  const Scene scene = perceive(seen, {});
  REQUIRE(scene.marks.size() == 3);
  CHECK(scene.marks[0].source == Source::Ax);
  CHECK(labelled(scene, "Connect") != nullptr);
  CHECK(labelled(scene, "Connect")->source == Source::Vision);
}

TEST_CASE("a control without a name takes the text drawn on it") {
  Dialog d;
  d.read();
  Observation& seen = d.ready();
  seen.tree = TreeStatus::Read;
  seen.surfaces[0].root = 0;
  seen.nodes = {node(Role::Frame, seen.area, -1, "Dialog"), node(Role::Label, {120, 84, 38, 12}, 0, "Host:"),
                node(Role::PushButton, {180, 170, 90, 30}, 0, ""),
                node(Role::PushButton, {290, 170, 90, 30}, 0, "Close")};
  CHECK(text_areas_needed(seen).size() == 1);
  const Scene scene = perceive(seen, {});
  REQUIRE(scene.marks.size() == 2);
  CHECK(labelled(scene, "Connect") != nullptr);
}

TEST_CASE("under an open menu nothing below it is marked") {
  Dialog d;
  d.read();
  Observation& seen = d.ready();
  Surface menu;
  menu.window.id = 9;
  menu.window.type = WindowType::PopupMenu;
  menu.window.bounds = {280, 160, 120, 50};
  menu.grabbed = menu.window.bounds;
  seen.surfaces.push_back(menu);
  const Scene scene = perceive(seen, {});
  REQUIRE(scene.marks.size() == 1);
  CHECK(scene.marks[0].label == "Close");
  CHECK(scene.marks[0].surface == 9);
}

TEST_CASE("noise that OCR reads into icons is no label") {
  Dialog d;
  d.seen.text = {line("|", {198, 180, 56, 11}, 0.9), line("~ ©", {316, 180, 38, 11}, 0.2)};
  const Scene scene = perceive(d.ready(), {});
  for (const Mark& mark : scene.marks) CHECK(mark.label.empty());
}
