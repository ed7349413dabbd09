#include "src/engine/keep.hpp"

#include <glib.h>

#include <algorithm>
#include <exception>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "input/plan.hpp"
#include "perception/fixture/observation_json.hpp"
#include "perception/marks/encode.hpp"
#include "perception/marks/picture_file.hpp"

namespace deskmark {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;
constexpr std::size_t kLargest = 64U * 1024 * 1024;

Json rect_json(const DeviceRect& r) { return Json::array({r.x, r.y, r.w, r.h}); }
DeviceRect rect_of(const Json& j) { return {j.at(0), j.at(1), j.at(2), j.at(3)}; }
Json ref_json(const ObjectRef& r) { return Json::array({r.bus, r.path}); }
ObjectRef ref_of(const Json& j) { return {j.at(0), j.at(1)}; }

/// The nodes behind marks and what is above them (lists are told by it), with what identity needs.
void keep_nodes(const Snapshot& from, Observation& to, std::map<int, int>& index) {
  std::set<int> wanted;
  std::set<int> marked;
  for (const Mark& m : from.scene.marks) {
    marked.insert(m.node);
    for (int n = m.node; n >= 0; n = from.observation.nodes[static_cast<std::size_t>(n)].parent) wanted.insert(n);
  }
  for (std::size_t i = 0; i < from.observation.nodes.size(); ++i) {
    const Accessible& a = from.observation.nodes[i];
    if (is_field(a) && a.states.has(State::Focused)) wanted.insert(static_cast<int>(i));
  }
  for (const int n : wanted) {
    const Accessible& was = from.observation.nodes[static_cast<std::size_t>(n)];
    Accessible a;
    a.ref = was.ref;
    const auto parent = index.find(was.parent);
    a.parent = parent == index.end() ? -1 : parent->second;
    a.index_in_parent = was.index_in_parent;
    a.role = was.role;
    a.states = was.states;
    a.toolkit = was.toolkit;
    a.surface = was.surface;
    // A name is what the field is called, also a password's; what is in it is kept of none.
    if (marked.count(n)) a.name = was.name;
    index[n] = static_cast<int>(to.nodes.size());
    to.nodes.push_back(std::move(a));
  }
}

/// Only what lies under marks that were read from pixels.
std::string pixels_text(const Snapshot& from) {
  const Observation& o = from.observation;
  Image kept;
  for (const Mark& m : from.scene.marks) {
    if (m.node >= 0 || !o.pixels) continue;
    if (kept.empty()) kept = Image(o.pixels->width, o.pixels->height);
    const PictureRect area{m.device.x - o.area.x, m.device.y - o.area.y, m.device.w, m.device.h};
    paste(kept, crop(*o.pixels, area), area.x, area.y);
  }
  if (kept.empty()) return "";
  const EncodedPicture png = encode_png(kept);
  gchar* text = g_base64_encode(png.bytes.data(), png.bytes.size());
  std::string out = text;
  g_free(text);
  return out;
}

SharedImage pixels_of(const std::string& text) {
  gsize size = 0;
  guchar* bytes = g_base64_decode(text.c_str(), &size);
  LoadedPicture loaded = decode_picture({bytes, size});
  g_free(bytes);
  return loaded.ok() ? std::make_shared<const Image>(std::move(loaded.image)) : nullptr;
}

std::string windows_text(const std::vector<Window>& windows) {
  Recording all;
  all.observation.area = all.observation.screen = {0, 0, 1, 1};
  for (Window w : windows) {
    w.title.clear();
    all.observation.surfaces.push_back({std::move(w), -1, {}});
  }
  return observation_to_json(all, "");
}

std::optional<std::vector<Window>> windows_of(const std::string& text) {
  FixtureError error;
  std::string picture;
  const Recording all = observation_from_json(text, picture, error);
  if (error) return std::nullopt;
  std::vector<Window> windows;
  for (const Surface& s : all.observation.surfaces) windows.push_back(s.window);
  return windows;
}

Json snapshot_json(const Snapshot& s) {
  Json j;
  j["id"] = s.id;
  j["mode"] = static_cast<int>(s.mode);
  j["screen_picture"] = s.target.kind == TargetKind::Screen;
  j["app"] = s.target.app;
  Recording kept;
  kept.observation.target = s.target.window;
  kept.observation.target.title.clear();
  kept.observation.toolkit = s.observation.toolkit;
  kept.observation.area = s.observation.area;
  kept.observation.screen = s.observation.screen;
  kept.observation.tree = s.observation.tree;
  for (Surface surface : s.observation.surfaces) {
    surface.window.title.clear();
    surface.root = -1;
    kept.observation.surfaces.push_back(std::move(surface));
  }
  std::map<int, int> index;
  keep_nodes(s, kept.observation, index);
  j["observation"] = observation_to_json(kept, "");
  j["windows"] = windows_text(s.windows);
  const Mapping& m = s.scene.mapping;
  j["picture"] = {s.scene.width, s.scene.height, m.origin.x, m.origin.y, m.scale_x, m.scale_y};
  j["marks"] = Json::array();
  for (const Mark& mark : s.scene.marks) {
    const auto node = index.find(mark.node);
    j["marks"].push_back({{"source", static_cast<int>(mark.source)},
                          {"role", static_cast<int>(mark.role)},
                          {"word", mark.role_word},
                          {"label", mark.label},
                          {"device", rect_json(mark.device)},
                          {"node", node == index.end() ? -1 : node->second},
                          {"surface", mark.surface}});
  }
  if (const std::string pixels = pixels_text(s); !pixels.empty()) j["pixels"] = pixels;
  return j;
}

std::shared_ptr<Snapshot> snapshot_of(const Json& j) {
  auto s = std::make_shared<Snapshot>();
  s->id = j.at("id");
  s->mode = static_cast<Mode>(std::clamp(j.at("mode").get<int>(), 0, 2));
  s->target.kind = j.at("screen_picture").get<bool>() ? TargetKind::Screen : TargetKind::Window;
  s->target.app = j.at("app");
  FixtureError error;
  std::string picture;
  Recording kept = observation_from_json(j.at("observation").get<std::string>(), picture, error);
  auto windows = windows_of(j.at("windows"));
  if (error || !windows) return nullptr;
  s->observation = std::move(kept.observation);
  s->windows = std::move(*windows);
  s->target.window = s->observation.target;
  const Json& p = j.at("picture");
  s->scene.width = p.at(0);
  s->scene.height = p.at(1);
  s->scene.mapping = {{p.at(2), p.at(3)}, p.at(4), p.at(5)};
  if (!(s->scene.mapping.scale_x > 0) || !(s->scene.mapping.scale_y > 0)) return nullptr;
  for (const Json& m : j.at("marks")) {
    Mark mark;
    mark.index = static_cast<int>(s->scene.marks.size()) + 1;
    mark.source = static_cast<Source>(std::clamp(m.at("source").get<int>(), 0, 2));
    mark.role = static_cast<Role>(m.at("role").get<std::uint16_t>());
    mark.role_word = m.at("word");
    mark.label = m.at("label");
    mark.device = rect_of(m.at("device"));
    mark.node = m.at("node");
    mark.surface = m.at("surface");
    if (mark.node >= static_cast<int>(s->observation.nodes.size())) return nullptr;
    s->scene.marks.push_back(std::move(mark));
  }
  s->scene.total = static_cast<int>(s->scene.marks.size());
  if (j.contains("pixels")) s->observation.pixels = pixels_of(j.at("pixels"));
  return s;
}

}  // namespace

std::string client_to_text(const Engine::Client& client) {
  const auto newest = client.newest();
  const auto focus = client.focused();
  if (!newest && !focus) return "";
  Json j;
  j["deskmark_capture"] = kVersion;
  if (newest) j["capture"] = snapshot_json(*newest);
  if (focus) j["focus"] = {{"app", focus->target.app}, {"window", windows_text({focus->target.window})}};
  const Keyboard& k = client.keyboard;
  j["keyboard"] = {{"field", ref_json(k.field)},
                   {"window", k.window},
                   {"focused", k.focused},
                   {"moved", k.moved},
                   {"elsewhere", k.elsewhere}};
  j["lease_epoch"] = client.lease_epoch;
  return j.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool client_from_text(Engine::Client& client, const std::string& text) {
  if (text.size() > kLargest) return false;
  try {
    const Json j = Json::parse(text);
    if (j.value("deskmark_capture", 0) != kVersion) return false;
    std::shared_ptr<Snapshot> newest = j.contains("capture") ? snapshot_of(j["capture"]) : nullptr;
    if (j.contains("capture") && !newest) return false;
    std::optional<Target> focus;
    if (j.contains("focus")) {
      const auto windows = windows_of(j["focus"].at("window"));
      if (!windows || windows->size() != 1) return false;
      focus = Target{TargetKind::Window, windows->front(), j["focus"].at("app")};
    }
    const Json& k = j.at("keyboard");
    Keyboard keyboard{ref_of(k.at("field")), k.at("window"), k.at("focused"), k.at("moved"), k.at("elsewhere")};
    const auto epoch = j.value("lease_epoch", std::uint64_t{0});
    if (newest) client.remember(std::move(newest));
    client.lease_epoch = epoch;
    client.seen = nullptr;  // what is kept is not the whole window
    if (focus) client.focus(*focus);
    client.keyboard = std::move(keyboard);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace deskmark
