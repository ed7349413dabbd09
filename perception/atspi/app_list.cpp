#include "perception/atspi/app_list.hpp"

#include <algorithm>
#include <memory>
#include <string_view>

namespace deskmark::atspi {
namespace {

using namespace std::chrono_literals;

constexpr auto kHungMemory = 5s;  // how long a silent program is met with less patience
constexpr auto kHungPatience = 150ms;
constexpr const char* kDaemon = "org.freedesktop.DBus";
constexpr const char* kRegistry = "org.a11y.atspi.Registry";

Call daemon_call(const char* method, GVariant* arguments) {
  return {kDaemon, "/org/freedesktop/DBus", kDaemon, method, arguments};
}

}  // namespace

bool App::localised() const {
  const std::string_view l = locale;
  return !(l == "C" || l == "POSIX" || l.substr(0, 2) == "C." || l.substr(0, 2) == "en");
}

void AppList::note_hung(const std::string& bus) { hung_[bus] = std::chrono::steady_clock::now() + kHungMemory; }

void AppList::apply_patience(Pipeline& pipeline) const {
  const auto now = std::chrono::steady_clock::now();
  for (const auto& [bus, until] : hung_) {
    if (now < until) pipeline.set_patience(bus, kHungPatience);
  }
}

std::vector<App> AppList::read(Bus& bus, Pipeline& pipeline, const Deadline& deadline, Ask ask,
                               const std::set<int>* pids) {
  if (epoch_ != bus.epoch()) {
    known_.clear();
    pids_.clear();
    hung_.clear();
    epoch_ = bus.epoch();
  }
  std::vector<ObjectRef> roots;
  registry_answers_ = false;
  pipeline.call({kRegistry, kRootPath, kAccessible, "GetChildren", nullptr}, [&](GVariant* body) {
    if (auto refs = decode_refs(body)) {
      roots = std::move(*refs);
      registry_answers_ = true;
    }
  });
  pipeline.run(deadline);
  if (pipeline.unresponsive(kRegistry))
    note_hung(kRegistry);
  else
    note_answered(kRegistry);
  std::map<std::string, App> now;
  std::vector<std::string> order;
  for (const ObjectRef& root : roots) {
    if (null_ref(root) || now.count(root.bus) > 0) continue;
    const auto it = known_.find(root.bus);
    App app = it != known_.end() ? it->second : App{};
    app.root = root;
    order.push_back(root.bus);
    now.emplace(root.bus, std::move(app));
  }
  apply_patience(pipeline);
  for (auto& [name, app] : now) {
    App* const a = &app;
    if (a->pid != 0) continue;
    pipeline.call(daemon_call("GetConnectionUnixProcessID", g_variant_new("(s)", name.c_str())),
                  [a](GVariant* body) { a->pid = static_cast<int>(decode_uint(body).value_or(0)); });
  }
  pipeline.run(deadline);
  std::map<std::string, bool> asked;
  for (auto& [name, app] : now) {
    App* const a = &app;
    if (pids != nullptr && pids->count(a->pid) == 0) continue;
    if (pids != nullptr) pipeline.set_process(name, a->pid);
    if (a->toolkit == Toolkit::Unknown || a->name.empty()) {
      asked[name] = true;
      pipeline.call(get_property(a->root, kAccessible, "Name"), [a](GVariant* body) {
        if (auto text = decode_text_property(body)) a->name = std::move(*text);
      });
      const auto toolkit = std::make_shared<std::string>();
      pipeline.call(get_property(a->root, kApplication, "ToolkitName"),
                    [toolkit](GVariant* body) { *toolkit = decode_text_property(body).value_or(""); });
      pipeline.call(get_property(a->root, kApplication, "Version"), [a, toolkit](GVariant* body) {
        a->version = decode_text_property(body).value_or("");
        if (!toolkit->empty()) a->toolkit = toolkit_from(*toolkit, a->version);
      });
      pipeline.call(
          get_property(a->root, kAccessible, "Locale"),  // (the ATK bridge never answers Application.GetLocale)
          [a](GVariant* body) { a->locale = decode_text_property(body).value_or(""); });
    }
    if (ask == Ask::Windows) {
      asked[name] = true;
      pipeline.call(get_property(a->root, kAccessible, "ChildCount"),
                    [a](GVariant* body) { a->windows = std::max(0, decode_int_property(body).value_or(0)); });
    }
  }
  pipeline.run(deadline);
  std::vector<App> apps;
  for (const std::string& name : order) {
    App& app = now[name];
    app.responsive = !pipeline.unresponsive(name);
    if (asked.count(name) > 0) {
      if (app.responsive)
        note_answered(name);
      else
        note_hung(name);
    }
    apps.push_back(app);
  }
  known_ = std::move(now);
  return apps;
}

bool AppList::connected_unregistered(Bus& bus, const Deadline& deadline, int pid) {
  Pipeline pipeline(bus, 500ms);
  std::vector<std::string> names;
  pipeline.call(daemon_call("ListNames", nullptr), [&](GVariant* body) {
    if (auto list = decode_strings(body)) names = std::move(*list);
  });
  pipeline.run(deadline);
  std::map<std::string, int> pids;
  for (const std::string& name : names) {
    if (name.empty() || name[0] != ':') continue;
    const auto it = pids_.find(name);
    int& slot = pids[name];
    if (it != pids_.end()) {
      slot = it->second;
      continue;
    }
    int* const into = &slot;
    pipeline.call(daemon_call("GetConnectionUnixProcessID", g_variant_new("(s)", name.c_str())),
                  [into](GVariant* body) { *into = static_cast<int>(decode_uint(body).value_or(0)); });
  }
  pipeline.run(deadline);
  pids_ = std::move(pids);
  return std::any_of(pids_.begin(), pids_.end(),
                     [&](const auto& entry) { return entry.second == pid && known_.count(entry.first) == 0; });
}

std::vector<Toplevel> AppList::toplevels(Pipeline& pipeline, const std::vector<App>& apps, const Deadline& deadline) {
  constexpr std::size_t kMost = 200;  // windows of one program looked at
  std::vector<std::vector<Toplevel>> found(apps.size());
  for (std::size_t i = 0; i < apps.size(); ++i) {
    const App& app = apps[i];
    std::vector<Toplevel>* const list = &found[i];
    pipeline.call({app.root.bus, app.root.path, kAccessible, "GetChildren", nullptr},
                  [&pipeline, &app, list](GVariant* body) {
                    auto refs = decode_refs(body).value_or(std::vector<ObjectRef>{});
                    if (refs.size() > kMost) refs.resize(kMost);
                    list->resize(refs.size());
                    for (std::size_t k = 0; k < refs.size(); ++k) {
                      Toplevel* const t = &(*list)[k];
                      t->ref = refs[k];
                      t->toolkit = app.toolkit;
                      if (null_ref(t->ref)) continue;
                      const std::uint32_t type = static_cast<std::uint32_t>(coordinates_of(app.toolkit));
                      pipeline.call({t->ref.bus, t->ref.path, kComponent, "GetExtents", g_variant_new("(u)", type)},
                                    [t](GVariant* reply) { t->extents = decode_rect(reply).value_or(RawRect{}); });
                      pipeline.call({t->ref.bus, t->ref.path, kAccessible, "GetState", nullptr},
                                    [t](GVariant* reply) { t->states = decode_states(reply).value_or(StateSet()); });
                      pipeline.call({t->ref.bus, t->ref.path, kAccessible, "GetRole", nullptr},
                                    [t](GVariant* reply) { t->role = decode_role(reply).value_or(Role::Unknown); });
                      pipeline.call(get_property(t->ref, kAccessible, "Name"),
                                    [t](GVariant* reply) { t->name = decode_text_property(reply).value_or(""); });
                      pipeline.call(get_property(t->ref, kAccessible, "ChildCount"),
                                    [t](GVariant* reply) { t->child_count = decode_int_property(reply).value_or(0); });
                    }
                  });
  }
  pipeline.run(deadline);
  std::vector<Toplevel> all;
  for (auto& list : found) {
    for (Toplevel& t : list) {
      if (!null_ref(t.ref)) all.push_back(std::move(t));
    }
  }
  return all;
}

}  // namespace deskmark::atspi
