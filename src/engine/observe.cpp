#include "src/engine/observe.hpp"

#include <algorithm>
#include <chrono>
#include <future>
#include <utility>

#include "perception/marks/pixel_marks.hpp"

namespace deskmark {
namespace {

/// Time for OCR in one capture: where it is all there is, and where a tree gives nearly everything.
constexpr std::chrono::milliseconds kTextWithoutTree{2000};
constexpr std::chrono::milliseconds kTextBesideTree{300};

class Stopwatch {
 public:
  [[nodiscard]] double milliseconds() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

struct Timed {
  Reading<Grab> grab;
  double milliseconds = 0;
};

Timed grab_timed(ScreenSource& screen, const Target& target, const std::vector<Window>& windows, const DeviceRect& area,
                 const Deadline& deadline) {
  const Stopwatch watch;
  Timed timed;
  timed.grab =
      target.kind == TargetKind::Screen ? screen.grab_screen(area, deadline) : screen.grab(windows, area, deadline);
  timed.milliseconds = watch.milliseconds();
  return timed;
}

void take_warnings(std::vector<Warning>& to, const std::vector<Warning>& from) {
  for (const Warning& w : from) {
    if (std::find(to.begin(), to.end(), w) == to.end()) to.push_back(w);
  }
}

void take_tree(Observation& observation, TreeReading reading) {
  observation.nodes = std::move(reading.nodes);
  observation.toolkit = reading.toolkit;
  observation.tree = reading.status;
  observation.complete = observation.complete && reading.complete;
  for (std::size_t i = 0; i < observation.surfaces.size() && i < reading.roots.size(); ++i) {
    observation.surfaces[i].root = reading.roots[i];
  }
  if (!reading.app.empty()) observation.app = std::move(reading.app);
  take_warnings(observation.warnings, reading.warnings);
}

}  // namespace

void read_text(TextSource& source, Observation& o, const Deadline& deadline, std::chrono::milliseconds budget) {
  const std::vector<PictureRect> areas = text_areas_needed(o);
  if (areas.empty()) return;
  auto read = source.read(*o.pixels, areas, deadline.at_most(budget));
  for (const Warning& w : read.warnings) {
    if (w.code == "ocr_budget") o.complete = false;
  }
  take_warnings(o.warnings, read.warnings);
  if (!read) return;
  const auto move = [&](DeviceRect& r) { r = r.translated(o.area.x, o.area.y); };
  for (TextLine& line : *read.value) {
    move(line.bounds);
    for (TextWord& word : line.words) move(word.bounds);
    o.text.push_back(std::move(line));
  }
}

Failure failure_of(const EdgeError& error) {
  return {code_from_word(error.code).value_or(Code::Internal), error.message.empty() ? error.code : error.message};
}

std::variant<Observed, Failure> observe(const Sources& sources, const Target& target, const WindowList& list,
                                        const ObserveOptions& options, const Deadline& deadline) {
  Observed observed;
  Observation& o = observed.observation;
  o.target = target.window;
  o.app = target.app;
  o.screen = list.screen;

  const bool screen = target.kind == TargetKind::Screen;
  std::vector<Window> windows;
  if (!screen) windows = picture_windows(target.window, list);
  o.area = screen ? list.screen : picture_area(windows);
  if (o.area.empty()) {
    return Failure{Code::WindowGone, "The window has no area on the screen; capture again or choose another window."};
  }
  for (const Window& w : windows) o.surfaces.push_back({w, -1, {}});

  // Pixels come over the X connection, the tree over the bus: both wait on other processes, so they overlap.
  std::future<Timed> grabbing;
  if (options.pixels) {
    grabbing =
        std::async(std::launch::async, [&] { return grab_timed(*sources.screen, target, windows, o.area, deadline); });
  }
  if (options.tree && !screen && sources.accessibles) {
    const Stopwatch watch;
    TreeRequest request;
    request.windows = windows;
    request.area = o.area;
    request.node_limit = options.node_limit;
    take_tree(o, sources.accessibles->tree(request, deadline));
    observed.timing.tree = watch.milliseconds();
  }
  if (grabbing.valid()) {
    Timed timed = grabbing.get();
    observed.timing.grab = timed.milliseconds;
    if (!timed.grab) return failure_of(timed.grab.error);
    o.pixels = timed.grab.value->pixels;
    for (std::size_t i = 0; i < o.surfaces.size() && i < timed.grab.value->grabbed.size(); ++i) {
      o.surfaces[i].grabbed = timed.grab.value->grabbed[i];
    }
    take_warnings(o.warnings, timed.grab.warnings);
  }
  if (sources.text && o.pixels && options.tree && !screen) {
    const Stopwatch watch;
    read_text(*sources.text, o, deadline, o.tree == TreeStatus::Read ? kTextBesideTree : kTextWithoutTree);
    observed.timing.text = watch.milliseconds();
  }
  if (deadline.cancelled()) return Failure{Code::Cancelled, "The request was cancelled."};
  return observed;
}

}  // namespace deskmark
