#include "input/x11/windows.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace deskmark::x11_input {
namespace {

struct Attributes {
  XWindowAttributes a{};
  bool there = false;
};

Attributes attributes_of(Link& link, XID window) {
  Attributes out;
  out.there = !link.dead() && XGetWindowAttributes(link.x(), window, &out.a) != 0;
  return out;
}

std::vector<XID> children_of(Link& link, XID window) {
  XID root = kNone;
  XID parent = kNone;
  XID* children = nullptr;
  unsigned count = 0;
  if (link.dead() || XQueryTree(link.x(), window, &root, &parent, &children, &count) == 0) return {};
  const std::unique_ptr<XID, XFreed> owned{children};
  return {children, children + count};
}

std::optional<int> pid_of(Link& link, XID window) {
  const auto pid = link.value(window, "_NET_WM_PID", XA_CARDINAL);
  if (pid) return static_cast<int>(*pid);
  const auto owner = link.value(window, "WM_TRANSIENT_FOR", XA_WINDOW);
  if (!owner) return std::nullopt;
  const auto owner_pid = link.value(*owner, "_NET_WM_PID", XA_CARDINAL);
  return owner_pid ? std::optional{static_cast<int>(*owner_pid)} : std::nullopt;
}

/// The process behind `window` has mapped a file with one of these in its name.
bool maps_one_of(Link& link, XID window, std::initializer_list<const char*> names) {
  const auto pid = pid_of(link, window);
  if (!pid) return false;
  std::ifstream maps{"/proc/" + std::to_string(*pid) + "/maps"};
  for (std::string line; std::getline(maps, line);) {
    if (std::any_of(names.begin(), names.end(), [&](const char* n) { return line.find(n) != std::string::npos; }))
      return true;
  }
  return false;
}

}  // namespace

std::vector<XID> ancestry(Link& link, XID window) {
  std::vector<XID> out;
  for (XID at = window; at != kNone && at != link.root() && out.size() < 64;) {
    XID root = kNone;
    XID parent = kNone;
    XID* children = nullptr;
    unsigned count = 0;
    if (link.dead() || XQueryTree(link.x(), at, &root, &parent, &children, &count) == 0) return {};
    if (children != nullptr) XFree(children);
    out.push_back(at);
    at = parent;
  }
  return out;
}

bool viewable(Link& link, XID window) {
  const Attributes got = attributes_of(link, window);
  return got.there && got.a.map_state == IsViewable;
}

std::optional<DeviceRect> place_of(Link& link, XID window) {
  const Attributes got = attributes_of(link, window);
  if (!got.there) return std::nullopt;
  int x = 0;
  int y = 0;
  XID child = kNone;
  if (XTranslateCoordinates(link.x(), window, link.root(), 0, 0, &x, &y, &child) == 0) return std::nullopt;
  return DeviceRect{x, y, got.a.width, got.a.height};
}

XID top_at(Link& link, DevicePoint at) {
  // The server looks for the child with its own rules: stacking, mapped, bounding and input shape.
  int x = 0;
  int y = 0;
  XID child = kNone;
  if (link.dead() || XTranslateCoordinates(link.x(), link.root(), link.root(), at.x, at.y, &x, &y, &child) == 0)
    return kNone;
  return child;
}

bool gets_pointer_at(Link& link, XID window, DevicePoint at) {
  XID above = link.root();
  for (int depth = 0; depth < 64 && !link.dead(); ++depth) {
    int x = 0;
    int y = 0;
    XID child = kNone;
    if (XTranslateCoordinates(link.x(), link.root(), above, at.x, at.y, &x, &y, &child) == 0 || child == kNone)
      return false;
    if (child == window) return true;
    above = child;
  }
  return false;
}

DevicePoint free_place(Link& link) {
  const Attributes root = attributes_of(link, link.root());
  const DevicePoint corner{std::max(0, root.a.width - 1), std::max(0, root.a.height - 1)};
  std::vector<DeviceRect> taken;
  for (const XID window : children_of(link, link.root())) {
    const Attributes got = attributes_of(link, window);
    if (got.there && got.a.map_state == IsViewable)
      taken.push_back({got.a.x, got.a.y, got.a.width + 2 * got.a.border_width, got.a.height + 2 * got.a.border_width});
  }
  constexpr int kSteps = 24;
  for (int row = kSteps; row >= 0; --row) {
    for (int column = kSteps; column >= 0; --column) {
      const DevicePoint p{corner.x * column / kSteps, corner.y * row / kSteps};
      if (std::none_of(taken.begin(), taken.end(), [&](const DeviceRect& r) { return r.contains(p); })) return p;
    }
  }
  return corner;
}

bool managed(Link& link) {
  const auto check = link.value(link.root(), "_NET_SUPPORTING_WM_CHECK", XA_WINDOW);
  return check && link.value(*check, "_NET_SUPPORTING_WM_CHECK", XA_WINDOW) == check;
}

bool speaks(Link& link, XID window, const char* name) {
  const auto all = link.property(window, link.atom("WM_PROTOCOLS"), XA_ATOM);
  return std::find(all.begin(), all.end(), link.atom(name)) != all.end();
}

bool is_qt(Link& link, XID window) { return maps_one_of(link, window, {"XcbQpa.so", "libqxcb.so"}); }

bool hears_newest_keyboard(Link& link, XID window) {
  // No property of its windows tells it, but every program built on it maps these of its data files.
  return window != kNone && window != PointerRoot && !is_qt(link, window) &&
         maps_one_of(link, window, {"/icudtl.dat", "_100_percent.pak"});
}

std::optional<bool> is_terminal(Link& link, XID window, std::optional<int> pid) {
  if (!pid) pid = pid_of(link, window);
  if (!pid) return std::nullopt;
  std::error_code failed;
  bool found = false;
  for (std::filesystem::directory_iterator at{"/proc/" + std::to_string(*pid) + "/fd", failed}, end;
       !failed && at != end; at.increment(failed)) {
    std::error_code closed;
    found = found || std::filesystem::read_symlink(at->path(), closed).filename() == "ptmx";
  }
  return failed ? std::nullopt : std::optional{found};
}

XID users_window(Link& link) {
  const auto active = link.value(link.root(), "_NET_ACTIVE_WINDOW", XA_WINDOW);
  if (active && *active != kNone) return *active;
  XID focus = kNone;
  int revert = 0;
  if (!link.dead()) XGetInputFocus(link.x(), &focus, &revert);
  return focus;
}

bool falls_idle(Link& link, XID window, const Deadline& most) {
  const auto pid = pid_of(link, window);
  if (!pid) return false;
  std::string before;
  for (int quiet = 0; quiet < 3;) {
    std::ifstream file{"/proc/" + std::to_string(*pid) + "/stat"};
    std::string all;
    if (!std::getline(file, all)) return false;
    // State is the first field after the name in brackets, utime and stime the twelfth and thirteenth.
    const std::string fields = all.substr(std::min(all.rfind(')') + 2, all.size()));
    std::istringstream in{fields};
    std::string word;
    std::string now;
    for (int i = 0; in >> word && i < 13; ++i) {
      if (i == 0 || i >= 11) now += word + ' ';
    }
    quiet = now == before && now.starts_with('S') ? quiet + 1 : 0;
    before = now;
    if (!Link::pause(std::chrono::milliseconds{15}, most)) return false;
  }
  return true;
}

bool ping(Link& link, XID window, const Deadline& deadline) {
  if (!speaks(link, window, "_NET_WM_PING")) return false;
  const Time time = link.now(deadline);
  const Atom word = link.atom("_NET_WM_PING");
  link.message(window, window, "WM_PROTOCOLS",
               {static_cast<long>(word), static_cast<long>(time), static_cast<long>(window)}, NoEventMask);
  XFlush(link.x());
  return link.wait(deadline, [&](const XEvent& event) {
    return event.type == ClientMessage && event.xclient.window == link.root() && event.xclient.format == 32 &&
           static_cast<Atom>(event.xclient.data.l[0]) == word && static_cast<Time>(event.xclient.data.l[1]) == time &&
           static_cast<XID>(event.xclient.data.l[2]) == window;
  });
}

}  // namespace deskmark::x11_input
