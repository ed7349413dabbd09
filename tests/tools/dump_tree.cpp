// Prints what the accessible source reads of given native windows, and how long it took. For developers.
//   dump_tree [-n TIMES] [-q] [-a] ID,OWNER,PID,X,Y,W,H,TYPE,FOCUSED,TITLE ...     (bottom to top; TYPE: a
//   window_type_name)
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "perception/atspi/source.hpp"

using namespace deskmark;

namespace {

Window parse_window(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  while (parts.size() < 9) {
    const std::size_t comma = text.find(',', from);
    parts.push_back(text.substr(from, comma - from));
    if (comma == std::string::npos) break;
    from = comma + 1;
  }
  Window w;
  if (parts.size() < 9) return w;
  w.title = text.substr(from);
  w.id = static_cast<std::uint32_t>(std::strtoul(parts[0].c_str(), nullptr, 0));
  w.owner = static_cast<std::uint32_t>(std::strtoul(parts[1].c_str(), nullptr, 0));
  if (const int pid = std::atoi(parts[2].c_str()); pid > 0) w.pid = pid;
  w.bounds = {std::atoi(parts[3].c_str()), std::atoi(parts[4].c_str()), std::atoi(parts[5].c_str()),
              std::atoi(parts[6].c_str())};
  w.surface = w.bounds;
  for (int t = 0; t <= static_cast<int>(WindowType::Unknown); ++t) {
    if (window_type_name(static_cast<WindowType>(t)) == parts[7]) w.type = static_cast<WindowType>(t);
  }
  w.override_redirect = w.type != WindowType::Normal && w.type != WindowType::Dialog;
  w.focused = parts[8] == "1";
  return w;
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
    if (n.value)
      std::printf(" val=%g[%g..%g/%g]", n.value->current, n.value->minimum, n.value->maximum, n.value->increment);
    if (n.text_length > 0) std::printf(" text(%d,caret %d)=\"%.120s\"", n.text_length, n.caret, n.text.c_str());
    if (!n.description.empty()) std::printf(" desc=\"%s\"", n.description.c_str());
    for (const auto& [key, value] : n.attributes) std::printf(" %s=%s", key.c_str(), value.c_str());
    for (const int label : n.labelled_by) {
      std::printf(" labelled-by=\"%s\"", r.nodes[static_cast<std::size_t>(label)].name.c_str());
    }
    std::printf("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  TreeRequest request;
  int times = 1;
  bool quiet = false;
  bool apps = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "-n") == 0 && i + 1 < argc)
      times = std::atoi(argv[++i]);
    else if (std::strcmp(argv[i], "-q") == 0)
      quiet = true;
    else if (std::strcmp(argv[i], "-a") == 0)
      apps = true;
    else
      request.windows.push_back(parse_window(argv[i]));
  }
  for (const Window& w : request.windows) request.area = unite(request.area, w.bounds);
  const auto source = open_atspi();
  const auto limit = std::chrono::seconds(20);
  if (apps) {
    const auto reading = source->applications(Deadline::in(limit));
    if (!reading) std::printf("%s: %s\n", reading.error.code.c_str(), reading.error.message.c_str());
    for (const AccessibleApp& a : reading.value.value_or(std::vector<AccessibleApp>{})) {
      std::printf("%s pid=%d %s \"%s\" %s windows=%d%s\n", a.bus.c_str(), a.pid,
                  std::string(toolkit_name(a.toolkit)).c_str(), a.name.c_str(), a.toolkit_version.c_str(), a.windows,
                  a.responsive ? "" : " UNRESPONSIVE");
    }
  }
  static constexpr const char* kStatus[] = {"read", "not asked", "none", "switched off", "unresponsive", "no bus"};
  for (int i = 0; i < times && !request.windows.empty(); ++i) {
    const auto start = std::chrono::steady_clock::now();
    const TreeReading reading = source->tree(request, Deadline::in(limit));
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    if (!quiet && i + 1 == times) print(reading);
    std::printf("# %s app=\"%s\" %s nodes=%zu complete=%d %.1f ms roots=", kStatus[static_cast<int>(reading.status)],
                reading.app.c_str(), std::string(toolkit_name(reading.toolkit)).c_str(), reading.nodes.size(),
                reading.complete, ms);
    for (const int root : reading.roots) std::printf("%d ", root);
    std::printf("\n");
    for (const Warning& w : reading.warnings) std::printf("# warning %s: %s\n", w.code.c_str(), w.message.c_str());
  }
  return 0;
}
