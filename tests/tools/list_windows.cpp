// Prints the windows of a display and grabs some: list_windows [--screen FILE] [--grab ID FILE]... [--repeat N]
// Pictures are written as PPM. For looking at what the X11 edge sees; not installed.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "perception/x11/screen.hpp"

using namespace deskmark;
using Clock = std::chrono::steady_clock;

namespace {

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void write_ppm(const std::string& path, const Image& image) {
  std::ofstream out{path, std::ios::binary};
  out << "P6\n" << image.width << ' ' << image.height << "\n255\n";
  for (std::size_t i = 0; i + 3 < image.bgrx.size(); i += 4) {
    const char rgb[] = {static_cast<char>(image.bgrx[i + 2]), static_cast<char>(image.bgrx[i + 1]),
                        static_cast<char>(image.bgrx[i])};
    out.write(rgb, 3);
  }
}

void print(const Window& w) {
  std::printf("%3d 0x%08x %-12s %5d,%-5d %4dx%-4d pid %-7d %-16s %s%s%s%s%s%s owner 0x%x class %s id \"%s\" \"%s\"\n",
              w.z, w.id, std::string{window_type_name(w.type)}.c_str(), w.bounds.x, w.bounds.y, w.bounds.w, w.bounds.h,
              w.pid.value_or(-1), w.process.c_str(), w.focused ? "F" : "-", w.minimized ? "m" : "-",
              w.off_screen ? "o" : "-", w.override_redirect ? "r" : "-", w.modal ? "M" : "-",
              w.bounds == w.surface ? "-" : "s", w.owner, w.wm_class.c_str(), w.desktop_id.c_str(), w.title.c_str());
}

void report(const char* what, const EdgeError& error) {
  std::printf("%s: %s: %s\n", what, error.code.c_str(), error.message.c_str());
}

bool belongs_to(const WindowList& list, const Window& window, std::uint32_t id) {
  if (window.id == id || window.owner == id) return true;
  for (const Window& other : list.windows) {
    if (window.owner == other.id) return belongs_to(list, other, id);
  }
  return false;
}

int grab(ScreenSource& screen, const WindowList& list, std::uint32_t id, const char* path, int repeat) {
  std::vector<Window> asked;
  DeviceRect area;
  for (auto it = list.windows.rbegin(); it != list.windows.rend(); ++it) {
    if (!belongs_to(list, *it, id)) continue;
    asked.push_back(*it);
    area = unite(area, it->bounds);
  }
  if (asked.empty()) {
    asked.push_back({.id = id});
    area = {0, 0, 100, 100};
  }
  Reading<Grab> got;
  double best = 1e9;
  double first = 0;
  for (int i = 0; i < repeat; ++i) {
    const auto start = Clock::now();
    got = screen.grab(asked, area, Deadline::in(std::chrono::seconds{5}));
    const double took = ms_since(start);
    if (i == 0) first = took;
    best = std::min(best, took);
  }
  for (const Warning& warning : got.warnings)
    std::printf("  warning %s: %s\n", warning.code.c_str(), warning.message.c_str());
  if (!got) {
    report("grab", got.error);
    return 1;
  }
  std::printf("grab 0x%x: %zu windows, %dx%d, first %.2f ms, best %.2f ms\n", id, asked.size(), area.w, area.h, first,
              best);
  write_ppm(path, *got.value->pixels);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  int repeat = 1;
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::string{argv[i]} == "--repeat") repeat = std::max(1, std::atoi(argv[i + 1]));
  }
  auto start = Clock::now();
  auto opened = open_x11("");
  if (!opened) {
    report("open", opened.error);
    return 3;
  }
  std::printf("open %.2f ms\n", ms_since(start));
  ScreenSource& screen = **opened.value;
  Reading<WindowList> list;
  double best = 1e9;
  for (int i = 0; i < repeat; ++i) {
    start = Clock::now();
    list = screen.windows(Deadline::in(std::chrono::seconds{5}));
    const double took = ms_since(start);
    if (i == 0) std::printf("windows %.2f ms\n", took);
    best = std::min(best, took);
  }
  if (!list) {
    report("windows", list.error);
    return 3;
  }
  std::printf("best %.2f ms, screen %dx%d, %zu outputs, window manager: %s\n", best, list.value->screen.w,
              list.value->screen.h, list.value->outputs.size(), list.value->window_manager ? "yes" : "no");
  for (const Window& window : list.value->windows) print(window);
  int status = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--grab" && i + 2 < argc) {
      status |= grab(screen, *list.value, static_cast<std::uint32_t>(std::strtoul(argv[i + 1], nullptr, 0)),
                     argv[i + 2], repeat);
    } else if (word == "--screen" && i + 1 < argc) {
      start = Clock::now();
      const auto got = screen.grab_screen(list.value->screen, Deadline::in(std::chrono::seconds{5}));
      std::printf("screen %.2f ms\n", ms_since(start));
      if (got)
        write_ppm(argv[i + 1], *got.value->pixels);
      else
        report("screen", got.error);
    }
  }
  return status;
}
