// Prints what the accessible source reads of a window and what it owns, and how long it took; draws it if asked.
//   dump_tree [-a] [-n TIMES] [-s SECONDS] [-q] [-o FILE.ppm] [TARGET]      TARGET: window id, pid, or part of title or
//   class
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "perception/atspi/source.hpp"
#include "perception/x11/screen.hpp"

using namespace deskmark;

namespace {

using Clock = std::chrono::steady_clock;

Deadline limit() { return Deadline::in(std::chrono::seconds(20)); }

/// The target and everything it owns, bottom to top.
std::vector<Window> choose(const WindowList& list, const std::string& target) {
  const unsigned long number = std::strtoul(target.c_str(), nullptr, 0);
  std::set<std::uint32_t> wanted;
  for (const Window& w : list.windows) {  // frontmost first
    const bool named = w.title.find(target) != std::string::npos || w.wm_class.find(target) != std::string::npos;
    const bool main = w.type == WindowType::Normal || w.type == WindowType::Dialog;
    if (w.id == number || (number != 0 && main && w.pid == static_cast<int>(number)) ||
        (number == 0 && named && main)) {
      wanted.insert(w.id);
      break;
    }
  }
  for (bool grown = true; grown;) {
    grown = false;
    for (const Window& w : list.windows) grown = (wanted.count(w.owner) > 0 && wanted.insert(w.id).second) || grown;
  }
  std::vector<Window> chosen;
  for (auto it = list.windows.rbegin(); it != list.windows.rend(); ++it) {
    if (wanted.count(it->id) > 0 && !it->minimized) chosen.push_back(*it);
  }
  return chosen;
}

void print(const TreeReading& r) {
  std::vector<int> depth(r.nodes.size());
  for (std::size_t i = 0; i < r.nodes.size(); ++i) {
    const Accessible& n = r.nodes[i];
    if (n.parent >= 0) depth[i] = depth[static_cast<std::size_t>(n.parent)] + 1;
    std::printf("%*s%s", depth[i] * 2, "", std::string(role_name(n.role)).c_str());
    if (!n.name.empty()) std::printf(" \"%s\"", n.name.c_str());
    std::printf(" @%d,%d,%d,%d s%x kids=%d st=", n.extents.x, n.extents.y, n.extents.w, n.extents.h, n.surface,
                n.child_count);
    for (int s = 0; s < 44; ++s) {
      if (n.states.has(static_cast<State>(s))) std::printf("%d.", s);
    }
    if (!n.actions.empty()) {
      std::printf(" act=");
      for (const std::string& a : n.actions) std::printf("%s;", a.c_str());
    }
    if (n.value) {
      std::printf(" val=%g[%g..%g/%g]", n.value->current, n.value->minimum, n.value->maximum, n.value->increment);
    }
    if (n.text_length > 0) std::printf(" text(%d,caret %d)=\"%.120s\"", n.text_length, n.caret, n.text.c_str());
    if (!n.description.empty()) std::printf(" desc=\"%s\"", n.description.c_str());
    for (const auto& [key, value] : n.attributes) std::printf(" %s=%s", key.c_str(), value.c_str());
    for (const int label : n.labelled_by) {
      std::printf(" labelled-by=\"%s\"", r.nodes[static_cast<std::size_t>(label)].name.c_str());
    }
    std::printf("\n");
  }
}

/// Leaves red, others blue, on the grabbed pixels.
void draw(ScreenSource& screen, const std::vector<Window>& windows, const DeviceRect& area, const TreeReading& r,
          const char* path) {
  const auto grab = screen.grab(windows, area, limit());
  if (!grab) return;
  Image image = *grab.value->pixels;
  std::vector<bool> leaf(r.nodes.size(), true);
  for (const Accessible& n : r.nodes) {
    if (n.parent >= 0) leaf[static_cast<std::size_t>(n.parent)] = false;
  }
  for (std::size_t i = 0; i < r.nodes.size(); ++i) {
    const DeviceRect e = intersect(r.nodes[i].extents, area).translated(-area.x, -area.y);
    const std::uint32_t colour = leaf[i] ? 0xff0000 : 0x3060ff;
    for (int x = e.x; x < e.right(); ++x) {
      image.set_rgb(x, e.y, colour);
      image.set_rgb(x, e.bottom() - 1, colour);
    }
    for (int y = e.y; y < e.bottom(); ++y) {
      image.set_rgb(e.x, y, colour);
      image.set_rgb(e.right() - 1, y, colour);
    }
  }
  std::ofstream out{path, std::ios::binary};
  out << "P6\n" << image.width << ' ' << image.height << "\n255\n";
  for (std::size_t i = 0; i + 3 < image.bgrx.size(); i += 4) {
    const char rgb[] = {static_cast<char>(image.bgrx[i + 2]), static_cast<char>(image.bgrx[i + 1]),
                        static_cast<char>(image.bgrx[i])};
    out.write(rgb, 3);
  }
}

}  // namespace

int main(int argc, char** argv) {
  int times = 1;
  int pause = 0;
  bool quiet = false;
  bool apps = false;
  const char* picture = nullptr;
  std::string target;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "-n") == 0 && i + 1 < argc)
      times = std::atoi(argv[++i]);
    else if (std::strcmp(argv[i], "-s") == 0 && i + 1 < argc)
      pause = std::atoi(argv[++i]);
    else if (std::strcmp(argv[i], "-o") == 0 && i + 1 < argc)
      picture = argv[++i];
    else if (std::strcmp(argv[i], "-q") == 0)
      quiet = true;
    else if (std::strcmp(argv[i], "-a") == 0)
      apps = true;
    else
      target = argv[i];
  }
  const auto source = open_atspi();
  if (apps) {
    const auto reading = source->applications(limit());
    if (!reading) std::printf("%s: %s\n", reading.error.code.c_str(), reading.error.message.c_str());
    for (const AccessibleApp& a : reading.value.value_or(std::vector<AccessibleApp>{})) {
      std::printf("%s pid=%d %s \"%s\" %s windows=%d%s\n", a.bus.c_str(), a.pid,
                  std::string(toolkit_name(a.toolkit)).c_str(), a.name.c_str(), a.toolkit_version.c_str(), a.windows,
                  a.responsive ? "" : " UNRESPONSIVE");
    }
  }
  if (target.empty()) return 0;
  const auto screen = open_x11("");
  if (!screen) {
    std::printf("%s: %s\n", screen.error.code.c_str(), screen.error.message.c_str());
    return 1;
  }
  static constexpr const char* kStatus[] = {"read", "not asked", "none", "switched off", "unresponsive", "no bus"};
  for (int i = 0; i < times; ++i) {
    if (i > 0) std::this_thread::sleep_for(std::chrono::seconds(pause));
    const auto list = (*screen.value)->windows(limit());
    TreeRequest request;
    if (list) request.windows = choose(*list.value, target);
    if (request.windows.empty()) {
      std::printf("no window matches\n");
      return 1;
    }
    for (const Window& w : request.windows) request.area = unite(request.area, w.bounds);
    const auto start = Clock::now();
    const TreeReading reading = source->tree(request, limit());
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    if (i + 1 == times) {
      if (!quiet) print(reading);
      if (picture != nullptr) draw(**screen.value, request.windows, request.area, reading, picture);
    }
    std::printf("# %s app=\"%s\" %s nodes=%zu complete=%d %.1f ms roots=", kStatus[static_cast<int>(reading.status)],
                reading.app.c_str(), std::string(toolkit_name(reading.toolkit)).c_str(), reading.nodes.size(),
                reading.complete, ms);
    for (std::size_t w = 0; w < reading.roots.size(); ++w)
      std::printf("%x:%d ", request.windows[w].id, reading.roots[w]);
    std::printf("\n");
    std::fflush(stdout);
    for (const Warning& w : reading.warnings) std::printf("# warning %s: %s\n", w.code.c_str(), w.message.c_str());
  }
  return 0;
}
