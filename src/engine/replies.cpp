#include "src/engine/replies.hpp"

#include <glib.h>

#include <algorithm>
#include <map>

#include "perception/perceive.hpp"

namespace deskmark {
namespace {

OrderedJson rect_json(const PictureRect& r) { return OrderedJson::array({r.x, r.y, r.w, r.h}); }
OrderedJson rect_json(const DeviceRect& r) { return OrderedJson::array({r.x, r.y, r.w, r.h}); }

OrderedJson warnings_json(const std::vector<Warning>& warnings) {
  OrderedJson out = OrderedJson::array();
  for (const Warning& w : warnings) out.push_back({{"code", w.code}, {"message", valid_utf8(w.message)}});
  return out;
}

OrderedJson element_json(const Mark& mark) {
  OrderedJson e;
  e["index"] = mark.index;
  e["role"] = mark.role_word;
  e["label"] = valid_utf8(mark.label);
  e["bounds"] = rect_json(mark.bounds);
  e["source"] = std::string{source_name(mark.source)};
  if (mark.value) e["value"] = valid_utf8(*mark.value);
  if (!mark.states.empty()) e["states"] = mark.states;
  if (!mark.actions.empty()) {
    OrderedJson actions = OrderedJson::array();
    for (const std::string& a : mark.actions) actions.push_back(valid_utf8(a));
    e["actions"] = std::move(actions);
  }
  if (mark.confidence) e["confidence"] = *mark.confidence;
  return e;
}

OrderedJson optional_pid(const Window& window) { return window.pid ? OrderedJson(*window.pid) : OrderedJson(nullptr); }

/// What the client should do next, by the contract's outcome table.
OrderedJson verdict_of(Code code) {
  OrderedJson verdict;
  switch (code) {
    case Code::BackgroundUnavailable:
      verdict["decision"] = "escalate";
      verdict["recommended"] = "foreground";
      break;
    case Code::PolicyDenied:
    case Code::ApprovalRequired:
    case Code::BlockedKeyCombo:
    case Code::BlockedText:
    case Code::HumanHasControl:
    case Code::NotImplemented: verdict["decision"] = "deny"; break;
    default: verdict["decision"] = "verify_fresh_state"; break;
  }
  verdict["hint"] = std::string{code_meaning(code)};
  return verdict;
}

bool read_only(const std::string& action) {
  return action == "capture" || action == "list_apps" || action == "list_windows" || action == "wait";
}

}  // namespace

std::string valid_utf8(const std::string& text) {
  if (g_utf8_validate(text.data(), static_cast<gssize>(text.size()), nullptr)) return text;
  char* valid = g_utf8_make_valid(text.data(), static_cast<gssize>(text.size()));
  std::string out = valid;
  g_free(valid);
  return out;
}

OrderedJson capture_reply(const Snapshot& snapshot, const std::string& text) {
  const Scene& scene = snapshot.scene;
  const Observation& o = snapshot.observation;
  OrderedJson r;
  r["ok"] = true;
  r["action"] = "capture";
  r["mode"] = std::string{mode_word(snapshot.mode)};
  r["width"] = scene.width;
  r["height"] = scene.height;
  r["scale"] = {scene.mapping.scale_x, scene.mapping.scale_y};
  r["origin"] = {scene.mapping.origin.x, scene.mapping.origin.y};
  r["app"] = valid_utf8(o.app);
  r["pid"] = optional_pid(o.target);
  r["window_id"] = o.target.id ? OrderedJson(o.target.id) : OrderedJson(nullptr);
  r["window_title"] = valid_utf8(o.target.title);
  r["snapshot"] = snapshot.id;
  r["complete"] = scene.complete;
  OrderedJson elements = OrderedJson::array();
  for (const Mark& mark : scene.marks) elements.push_back(element_json(mark));
  r["elements"] = std::move(elements);
  r["total_elements"] = scene.total;
  const int omitted = std::max(0, scene.total - static_cast<int>(scene.marks.size()));
  r["truncated"] = omitted > 0;
  r["omitted"] = omitted;
  r["warnings"] = warnings_json(scene.warnings);
  r[snapshot.mode == Mode::Ax ? "tree" : "summary"] = valid_utf8(text);
  return r;
}

OrderedJson failure_reply(const std::string& action, const Failure& failure) {
  OrderedJson r;
  r["ok"] = false;
  r["action"] = action;
  r["code"] = std::string{code_word(failure.code)};
  r["message"] = valid_utf8(failure.message);
  if (!read_only(action)) {
    r["effect"] = "refused";
    r["evidence"] = OrderedJson::array();
    r["verified"] = false;
  }
  r["verdict"] = verdict_of(failure.code);
  return r;
}

OrderedJson windows_reply(const WindowList& list, const std::vector<AccessibleApp>& apps) {
  OrderedJson windows = OrderedJson::array();
  for (const Window& w : list.windows) {
    OrderedJson j;
    j["app_name"] = valid_utf8(app_name(w, apps));
    j["pid"] = optional_pid(w);
    j["window_id"] = w.id;
    j["title"] = valid_utf8(w.title);
    j["bounds"] = rect_json(w.bounds);
    j["z_index"] = w.z;
    j["off_screen"] = w.off_screen;
    j["minimized"] = w.minimized;
    j["focused"] = w.focused;
    j["type"] = std::string{window_type_name(w.type)};
    if (w.owner) j["owner"] = w.owner;
    windows.push_back(std::move(j));
  }
  OrderedJson r;
  r["ok"] = true;
  r["action"] = "list_windows";
  r["count"] = windows.size();
  r["windows"] = std::move(windows);
  return r;
}

OrderedJson apps_reply(const WindowList& list, const std::vector<AccessibleApp>& apps) {
  struct App {
    std::string name;
    std::string toolkit = "unknown";
    int windows = 0;
    bool accessible = false;
  };
  // By process; a window without one is an application of its own class.
  std::map<std::pair<int, std::string>, App> found;
  std::vector<std::pair<int, std::string>> order;
  for (const Window& w : list.windows) {
    if (w.override_redirect || w.owner != 0) continue;
    const std::pair<int, std::string> key{w.pid.value_or(0), w.pid ? "" : app_name(w, apps)};
    auto [it, fresh] = found.try_emplace(key);
    if (fresh) {
      it->second.name = app_name(w, apps);
      order.push_back(key);
    }
    ++it->second.windows;
  }
  for (const AccessibleApp& app : apps) {
    const std::pair<int, std::string> key{app.pid, ""};
    auto [it, fresh] = found.try_emplace(key);
    if (fresh) {
      // No window: a background service is listed only when it claims one itself.
      if (app.windows == 0) {
        found.erase(it);
        continue;
      }
      it->second.name = app.name;
      order.push_back(key);
    }
    it->second.accessible = it->second.accessible || (app.responsive && app.windows > 0);
    if (app.toolkit != Toolkit::Unknown) it->second.toolkit = toolkit_name(app.toolkit);
  }
  OrderedJson list_json = OrderedJson::array();
  for (const auto& key : order) {
    const App& app = found[key];
    OrderedJson j;
    j["name"] = valid_utf8(app.name);
    j["pid"] = key.first ? OrderedJson(key.first) : OrderedJson(nullptr);
    j["toolkit"] = app.toolkit;
    j["windows"] = app.windows;
    j["accessible"] = app.accessible;
    list_json.push_back(std::move(j));
  }
  OrderedJson r;
  r["ok"] = true;
  r["action"] = "list_apps";
  r["count"] = list_json.size();
  r["apps"] = std::move(list_json);
  return r;
}

}  // namespace deskmark
