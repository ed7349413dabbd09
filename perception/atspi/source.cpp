#include "perception/atspi/source.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "perception/atspi/app_list.hpp"
#include "perception/atspi/bus_thread.hpp"
#include "perception/atspi/page_layers.hpp"
#include "perception/atspi/process_hint.hpp"
#include "perception/atspi/pick.hpp"
#include "perception/atspi/walk.hpp"
#include "perception/atspi/walk_rules.hpp"

namespace deskmark {
namespace {

using namespace std::chrono_literals;
using namespace atspi;

constexpr auto kPatience = 800ms;     // a program that owes answers and gives none for so long is left out
constexpr auto kLateBudget = 2000ms;  // waiting for a program that has not joined the bus yet or shows a bare root
constexpr auto kPoll = 80ms;
constexpr auto kCutPause = 10s;  // a page that is larger than can be read costs its wait no more often than this
constexpr double kYoung = 12;    // seconds after its start a program may still be joining

std::set<int> pids_of(const std::vector<Window>& windows) {
  std::set<int> pids;
  for (const Window& w : windows) {
    if (w.pid && *w.pid > 0) pids.insert(*w.pid);
  }
  return pids;
}

std::string label_of(const TreeRequest& request, const std::vector<App>& apps) {
  if (!apps.empty() && !apps.front().name.empty()) return apps.front().name;
  for (const Window& w : request.windows) {
    if (!w.wm_class.empty()) return w.wm_class;
    if (!w.process.empty()) return w.process;
  }
  return "the application";
}

/// Owned by the bus thread.
class Reader {
 public:
  Reading<std::vector<AccessibleApp>> applications(Bus& bus, const Deadline& deadline);
  TreeReading tree(Bus& bus, const TreeRequest& request, const Deadline& deadline);

 private:
  struct Chosen {
    std::vector<App> apps;
    std::vector<Toplevel> tops;
    std::vector<Match> matches;
    bool hung = false;
    std::string hung_name;
  };
  Chosen choose(Bus& bus, Pipeline& pipeline, const TreeRequest& request, const Deadline& deadline);
  bool may_come(Bus& bus, const Deadline& deadline, const TreeRequest& request, bool waited, TreeReading& reading);
  bool read_walks(Bus& bus, Pipeline& pipeline, const TreeRequest& request, const Chosen& chosen,
                  const Deadline& deadline, TreeReading& reading);

  AppList apps_;
  NodeMemory memory_;
  std::uint64_t epoch_ = 0;
  std::map<int, ProcessHint> absent_;  // processes that were looked for in vain
  LayerMemory layers_;
  std::set<std::uint32_t> unmatched_;  // windows no toplevel was found for
  std::set<ObjectRef> bare_;           // toplevels that stayed empty
  /// Toplevels that could not be read in whole for as long as was waited, and when that was given up.
  std::map<ObjectRef, Bus::Clock::time_point> cut_;
  bool unsettled_ = false;  // the newest walk was cut by a browser that lays out
};

Reading<std::vector<AccessibleApp>> Reader::applications(Bus& bus, const Deadline& deadline) {
  Reading<std::vector<AccessibleApp>> reading;
  if (auto error = bus.connect(deadline)) {
    reading.error = *error;
    return reading;
  }
  Pipeline pipeline(bus, kPatience);
  const std::vector<App> apps = apps_.read(bus, pipeline, deadline, AppList::Ask::Windows, nullptr);
  if (!apps_.registry_answers()) {
    reading.error = {"accessibility_unavailable", "the accessibility registry does not answer (package at-spi2-core)"};
    return reading;
  }
  reading.value.emplace();
  for (const App& app : apps) {
    reading.value->push_back({app.name, app.root.bus, app.pid, app.toolkit, app.version, app.windows, app.responsive});
    if (!app.responsive) {
      reading.warnings.push_back(
          {"app_unresponsive", (app.name.empty() ? "process " + std::to_string(app.pid) : app.name) +
                                   " does not answer on the accessibility bus"});
    }
  }
  return reading;
}

Reader::Chosen Reader::choose(Bus& bus, Pipeline& pipeline, const TreeRequest& request, const Deadline& deadline) {
  Chosen chosen;
  const std::set<int> pids = pids_of(request.windows);
  std::vector<App> all = apps_.read(bus, pipeline, deadline, AppList::Ask::Identity, &pids);
  for (const App& app : all) {
    if (pids.count(app.pid) > 0) chosen.apps.push_back(app);
  }
  for (const App& app : chosen.apps) pipeline.set_process(app.root.bus, app.pid);
  if (!chosen.apps.empty()) {
    chosen.tops = AppList::toplevels(pipeline, chosen.apps, deadline);
    chosen.matches = match_windows(request.windows, chosen.tops, false);
  } else {
    // No pid, or one that is not on the bus (a sandbox has its own numbers): by title and size, only if both agree.
    all = apps_.read(bus, pipeline, deadline, AppList::Ask::Identity, nullptr);
    std::vector<App> others;
    for (const App& app : all) {
      if (app.responsive) others.push_back(app);
    }
    chosen.tops = AppList::toplevels(pipeline, others, deadline);
    chosen.matches = match_windows(request.windows, chosen.tops, true);
    for (const Match& m : chosen.matches) {
      for (const App& app : others) {
        if (app.root.bus == chosen.tops[static_cast<std::size_t>(m.toplevel)].ref.bus) chosen.apps.push_back(app);
      }
    }
  }
  for (const App& app : chosen.apps) {
    if (!pipeline.unresponsive(app.root.bus)) continue;
    chosen.hung = true;
    chosen.hung_name = app.name;
    apps_.note_hung(app.root.bus);
  }
  return chosen;
}

/// No application of these processes is registered. True: it may still come, look again. False: `reading` says why not.
bool Reader::may_come(Bus& bus, const Deadline& deadline, const TreeRequest& request, bool waited,
                      TreeReading& reading) {
  reading.status = TreeStatus::None;
  for (const int pid : pids_of(request.windows)) {
    const auto known = absent_.find(pid);
    const ProcessHint hint = known != absent_.end() ? known->second : inspect_process(pid);
    if (hint.toolkit == Toolkit::Unknown) continue;  // nothing in it could publish a tree
    const bool joining = apps_.connected_unregistered(bus, deadline, pid);
    if (!waited && known == absent_.end() && (joining || (hint.switched_on && hint.age < kYoung))) return true;
    absent_[pid] = hint;  // once is enough
    reading.toolkit = hint.toolkit;
    const std::string name = label_of(request, {});
    const std::string remedy = switch_on_remedy(hint.toolkit);
    if (joining) {
      reading.status = TreeStatus::Unresponsive;
      reading.complete = false;
      reading.warnings.push_back(
          {"app_unresponsive", name + " is on the accessibility bus but too busy to register there"});
    } else if (!remedy.empty()) {
      reading.status = TreeStatus::SwitchedOff;
      reading.warnings.push_back({"accessibility_switched_off", name + " publishes no accessible tree; " + remedy});
    }
    return false;
  }
  return false;
}

TreeReading Reader::tree(Bus& bus, const TreeRequest& request, const Deadline& deadline) {
  TreeReading reading;
  reading.roots.assign(request.windows.size(), -1);
  if (auto error = bus.connect(deadline)) {
    reading.status = TreeStatus::NoBus;
    reading.complete = false;
    reading.warnings.push_back({error->code, error->message});
    return reading;
  }
  if (epoch_ != bus.epoch()) {
    memory_.clear();
    layers_.clear();
    absent_.clear();
    bare_.clear();
    cut_.clear();
    unmatched_.clear();
    epoch_ = bus.epoch();
  }
  const Deadline late = deadline.at_most(kLateBudget);
  for (;;) {
    Pipeline pipeline(bus, kPatience);
    apps_.apply_patience(pipeline);
    const Chosen chosen = choose(bus, pipeline, request, deadline);
    if (!apps_.registry_answers()) {
      reading.status = TreeStatus::NoBus;
      reading.complete = false;
      reading.warnings.push_back(
          {"accessibility_unavailable", "the accessibility registry does not answer (package at-spi2-core)"});
      return reading;
    }
    if (chosen.hung) {
      reading.status = TreeStatus::Unresponsive;
      reading.complete = false;
      reading.app = label_of(request, chosen.apps);
      reading.warnings.push_back({"app_unresponsive", reading.app + " does not answer on the accessibility bus"});
      return reading;
    }
    bool settled = false;
    if (!chosen.matches.empty()) {
      reading.app = chosen.apps.front().name;
      reading.toolkit = chosen.tops[static_cast<std::size_t>(chosen.matches.front().toplevel)].toolkit;
      settled = read_walks(bus, pipeline, request, chosen, deadline, reading);
      if (settled) return reading;
      if (late.passed()) {
        if (reading.nodes.empty()) return reading;
        if (unsettled_)
          cut_[reading.nodes.front().ref] = Bus::Clock::now();
        else
          bare_.insert(reading.nodes.front().ref);
        return reading;
      }
    } else if (chosen.apps.empty()) {
      if (!may_come(bus, deadline, request, late.passed(), reading)) return reading;
    } else {
      // The program is there, its window is not (yet): waited for once.
      const std::uint32_t window = request.windows.empty() ? 0 : request.windows.front().id;
      if (late.passed()) unmatched_.insert(window);
      if (unmatched_.count(window) > 0) {
        reading.status = TreeStatus::None;
        return reading;
      }
    }
    // Not there yet, or a bare root: look again shortly.
    const auto again = std::min(Bus::Clock::now() + kPoll, late.at());
    while (Bus::Clock::now() < again && !deadline.cancelled()) bus.pump(again);
    if (deadline.passed()) {
      reading.complete = false;
      return reading;
    }
  }
}

/// GTK 4 only (pick.hpp).
void drop_hidden_pages(Pipeline& pipeline, const std::vector<WalkRoot>& roots, const Deadline& deadline,
                       WalkResult& result) {
  for (const WalkRoot& root : roots) {
    const int node = root.window >= 0 ? result.roots[static_cast<std::size_t>(root.window)] : -1;
    std::vector<PickProbe> probes = pick_probes(result.nodes, node, root.scale);
    if (probes.empty()) continue;
    ask_probes(pipeline, root.top.ref, probes);
    if (!pipeline.run(deadline)) return;
    remove_subtrees(result.nodes, result.roots, hidden_by_picks(result.nodes, probes));
  }
}

/// Walks the matched toplevels. False: what was found is a bare root that may still fill.
bool Reader::read_walks(Bus& bus, Pipeline& pipeline, const TreeRequest& request, const Chosen& chosen,
                        const Deadline& deadline, TreeReading& reading) {
  reading.nodes.clear();
  reading.roots.assign(request.windows.size(), -1);
  reading.warnings.clear();
  reading.complete = true;
  std::map<std::string, std::vector<WalkRoot>> by_bus;
  std::vector<Match> matches = chosen.matches;
  std::sort(matches.begin(), matches.end(), [](const Match& a, const Match& b) { return a.window < b.window; });
  for (const Match& m : matches) {
    const Toplevel& top = chosen.tops[static_cast<std::size_t>(m.toplevel)];
    by_bus[top.ref.bus].push_back({top, m.window, m.scale});
  }
  std::vector<std::pair<std::string, std::unique_ptr<Walk>>> walks;
  for (const auto& [name, roots] : by_bus) {
    WalkRequest r;
    r.toolkit = roots.front().top.toolkit;
    r.windows = request.windows;
    r.area = request.area;
    r.want_text = request.want_text;
    r.node_limit = request.node_limit;
    for (const App& app : chosen.apps) {
      if (app.root.bus == name) r.names_localised = app.localised();
    }
    walks.emplace_back(name, std::make_unique<Walk>(pipeline, memory_, std::move(r)));
    Walk* const walk = walks.back().second.get();
    // GTK 4 answers a request per frame: its bulk read saves rounds. Elsewhere it costs more than the visible part
    // (GTK 3 lists every closed menu, Chromium every node of the page and stops for seconds), or is empty (Qt).
    if (roots.front().top.toolkit == Toolkit::Gtk4) {
      const std::vector<WalkRoot> starts = roots;
      pipeline.call({name, "/org/a11y/atspi/cache", "org.a11y.atspi.Cache", "GetItems", nullptr},
                    [walk, starts](GVariant* body) {
                      if (auto items = decode_cache(body)) walk->seed(std::move(*items));
                      walk->start(starts);
                    });
    } else {
      walk->start(roots);
    }
  }
  const bool all = pipeline.run(deadline);
  bool bare = false;
  bool any_hung = false;
  unsettled_ = false;
  for (auto& [name, walk] : walks) {
    const bool hung = pipeline.unresponsive(name);
    any_hung = any_hung || hung;
    WalkResult result = walk->finish(all && !hung);
    if (!hung && by_bus[name].front().top.toolkit == Toolkit::Gtk4)
      drop_hidden_pages(pipeline, by_bus[name], deadline, result);
    if (!hung && all && web(by_bus[name].front().top.toolkit))
      settle_layers(bus, pipeline, request.area, layers_, deadline, result);
    reading.complete = reading.complete && result.complete && all && !hung;
    if (!result.complete) {
      // A browser that still lays out a long page tells places that do not agree with one another.
      unsettled_ = unsettled_ || (!hung && all && web(by_bus[name].front().top.toolkit));
      reading.warnings.push_back({"tree_cut", "the accessible tree is larger than what is read of it"});
    }
    if (hung) {
      apps_.note_hung(name);
      reading.warnings.push_back(
          {"app_unresponsive", label_of(request, chosen.apps) + " stopped answering on the accessibility bus"});
    }
    const int offset = static_cast<int>(reading.nodes.size());
    for (Accessible& node : result.nodes) {
      if (node.parent >= 0) node.parent += offset;
      for (int& label : node.labelled_by) label += offset;
      reading.nodes.push_back(std::move(node));
    }
    for (std::size_t w = 0; w < result.roots.size(); ++w) {
      if (result.roots[w] >= 0) reading.roots[w] = result.roots[w] + offset;
    }
    if (result.nodes.size() <= by_bus[name].size()) bare = true;
  }
  if (!all) reading.warnings.push_back({"timeout", "the accessible tree was not read in time"});
  reading.status = TreeStatus::Read;
  if (unsettled_ && !reading.nodes.empty()) {
    const auto given_up = cut_.find(reading.nodes.front().ref);
    return given_up != cut_.end() && Bus::Clock::now() - given_up->second < kCutPause;
  }
  if (!bare || !all || any_hung) return true;
  if (reading.toolkit == Toolkit::Chromium) {
    reading.status = TreeStatus::SwitchedOff;
    reading.warnings.push_back({"accessibility_switched_off",
                                reading.app + " publishes no accessible tree; " + switch_on_remedy(Toolkit::Chromium)});
  }
  // A program that has just started may fill its window yet; one that stays empty is waited for once.
  const ObjectRef root = reading.nodes.empty() ? ObjectRef{} : reading.nodes.front().ref;
  if (bare_.count(root) > 0) return true;
  const std::set<int> pids = pids_of(request.windows);
  return std::none_of(pids.begin(), pids.end(), [](int pid) { return process_age(pid) < kYoung; });
}

class AtspiSource : public AccessibleSource {
 public:
  explicit AtspiSource(std::shared_ptr<BusThread> thread) : thread_(std::move(thread)) {}

  Reading<std::vector<AccessibleApp>> applications(const Deadline& deadline) override {
    auto reading = std::make_shared<Reading<std::vector<AccessibleApp>>>();
    const std::shared_ptr<Reader> reader = reader_;
    if (!thread_->run([reading, reader, deadline](Bus& bus) { *reading = reader->applications(bus, deadline); },
                      deadline)) {
      Reading<std::vector<AccessibleApp>> late;
      late.error = {"timeout", "the accessibility bus did not answer in time"};
      return late;
    }
    return std::move(*reading);
  }

  TreeReading tree(const TreeRequest& request, const Deadline& deadline) override {
    auto reading = std::make_shared<TreeReading>();
    const std::shared_ptr<Reader> reader = reader_;
    if (!thread_->run(
            [reading, reader, request, deadline](Bus& bus) { *reading = reader->tree(bus, request, deadline); },
            deadline)) {
      TreeReading late;
      late.roots.assign(request.windows.size(), -1);
      late.status = TreeStatus::Unresponsive;
      late.complete = false;
      late.warnings.push_back({"timeout", "the accessible tree was not read in time"});
      return late;
    }
    return std::move(*reading);
  }

 private:
  std::shared_ptr<Reader> reader_ = std::make_shared<Reader>();
  std::shared_ptr<BusThread> thread_;
};

}  // namespace

std::shared_ptr<atspi::BusThread> open_atspi_bus() { return std::make_shared<BusThread>(); }

std::unique_ptr<AccessibleSource> open_atspi(std::shared_ptr<atspi::BusThread> thread) {
  return std::make_unique<AtspiSource>(std::move(thread));
}

}  // namespace deskmark
