#include "perception/atspi/pipeline.hpp"

#include <utility>
#include <vector>

#include "perception/atspi/process_hint.hpp"

namespace deskmark::atspi {
namespace {

constexpr auto kProbeTime = std::chrono::milliseconds(300);
constexpr auto kBusyPatience = std::chrono::seconds(8);     // silence of a program that works
constexpr auto kBusyLook = std::chrono::milliseconds(200);  // how often it is looked at whether it still does
constexpr double kWork = 0.05;                              // of a processor: less is idling

}  // namespace

Pipeline::Pipeline(Bus& bus, std::chrono::milliseconds patience, int window)
    : bus_(bus), patience_(patience), window_(static_cast<std::size_t>(window)) {}

Pipeline::~Pipeline() { drop(); }

// Handlers may refer to what their caller has on its stack: once a run has ended none is called any more.
void Pipeline::drop() {
  for (auto& [name, lane] : lanes_) {
    for (auto& [serial, handler] : lane.flying) bus_.forget(serial);
    lane.flying.clear();
    if (lane.probe != 0) bus_.forget(std::exchange(lane.probe, 0));
    for (Queued& queued : lane.waiting) {
      if (queued.call.arguments != nullptr) g_variant_unref(g_variant_ref_sink(queued.call.arguments));
    }
    lane.waiting.clear();
  }
}

Pipeline::Lane& Pipeline::lane(const std::string& bus) {
  auto [it, fresh] = lanes_.try_emplace(bus);
  if (fresh) {
    it->second.patience = patience_;
    it->second.progress = Bus::Clock::now();
  }
  return it->second;
}

void Pipeline::set_patience(const std::string& bus, std::chrono::milliseconds patience) {
  lane(bus).patience = patience;
}

void Pipeline::set_process(const std::string& bus, int pid) {
  Lane& l = lane(bus);
  l.pid = pid;
  l.worked = process_time(pid);
  l.looked = Bus::Clock::now();
}

/// It owes an answer, and used the processor since it was last looked at.
bool Pipeline::works(Lane& lane) const {
  const auto now = Bus::Clock::now();
  if (lane.pid <= 0 || lane.patience < patience_) return false;  // (it hung a moment ago)
  const double used = process_time(lane.pid);
  const double passed = std::chrono::duration<double>(now - lane.looked).count();
  const bool working =
      used >= 0 && lane.worked >= 0 && (used - lane.worked >= kWork * passed || process_runs(lane.pid));
  lane.worked = used;
  lane.looked = now;
  if (lane.silent < lane.progress) lane.silent = now;
  return working && now - lane.silent < kBusyPatience;
}

void Pipeline::call(Call call, OnReply on_reply) {
  Lane& to = lane(call.bus);
  to.waiting.push_back({std::move(call), std::move(on_reply)});
}

void Pipeline::fill(const std::string& bus, Lane& lane) {
  while (lane.flying.size() < window_ && !lane.waiting.empty()) {
    Queued next = std::move(lane.waiting.front());
    lane.waiting.pop_front();
    if (hung_.count(bus) > 0) {
      if (next.call.arguments != nullptr) g_variant_unref(g_variant_ref_sink(next.call.arguments));
      next.on_reply(nullptr);
      continue;
    }
    if (lane.flying.empty()) lane.progress = Bus::Clock::now();
    // The serial is known only after sending, and no reply is handed out before the next pump.
    auto serial = std::make_shared<std::uint32_t>(0);
    *serial = bus_.send(next.call, [&lane, serial](GVariant* body) {
      lane.progress = Bus::Clock::now();
      lane.answered = std::max(lane.answered, *serial);
      auto node = lane.flying.extract(*serial);
      if (!node.empty()) node.mapped()(body);
    });
    ++sent_;
    if (*serial == 0) {
      next.on_reply(nullptr);
    } else {
      lane.flying.emplace(*serial, std::move(next.on_reply));
    }
  }
}

/// Some programs never answer some calls (GTK 4: GetOffsetAtPoint; the ATK bridge: GetLocale). Calls sent before one
/// that was answered are lost. Where the last calls are silent, one that everybody answers tells a lost call from a
/// hung program.
void Pipeline::overdue(const std::string& name, Lane& lane) {
  if (bus_.connected() && lane.probe == 0 && lane.flying.upper_bound(lane.answered) == lane.flying.begin()) {
    Lane* const l = &lane;
    lane.probe = bus_.send({name, kRootPath, kAccessible, "GetRole", nullptr}, [l](GVariant*) {
      l->answered = std::max(l->answered, l->probe);
      l->probe = 0;
      l->progress = Bus::Clock::time_point{};  // look at once
    });
    lane.progress = Bus::Clock::now() + std::min(kProbeTime, lane.patience) - lane.patience;
    if (lane.probe != 0) return;
  }
  const auto first_open = lane.flying.upper_bound(lane.answered);
  std::map<std::uint32_t, OnReply> silent;
  if (bus_.connected() && lane.probe == 0 && first_open != lane.flying.begin()) {
    for (auto it = lane.flying.begin(); it != first_open;) {
      auto next = std::next(it);
      silent.insert(lane.flying.extract(it));
      it = next;
    }
    lane.progress = Bus::Clock::now();
  } else if (bus_.connected() && works(lane)) {
    lane.next_look = Bus::Clock::now() + kBusyLook;
    return;
  } else {
    hung_.insert(name);
    silent.swap(lane.flying);
    if (lane.probe != 0) bus_.forget(std::exchange(lane.probe, 0));
  }
  for (auto& [serial, handler] : silent) {
    bus_.forget(serial);
    handler(nullptr);
  }
}

bool Pipeline::run(const Deadline& deadline) {
  const std::stop_callback wake(deadline.stop(), [this] { bus_.wake(); });
  for (;;) {
    bool busy = false;
    Bus::Clock::time_point until = deadline.at();
    const auto now = Bus::Clock::now();
    for (auto& [name, lane] : lanes_) {
      if (!lane.flying.empty() && ((now > due(lane)) || !bus_.connected())) {
        overdue(name, lane);
      }
      fill(name, lane);
      if (lane.flying.empty()) {
        busy = busy || !lane.waiting.empty();
        continue;
      }
      busy = true;
      until = std::min(until, due(lane));
    }
    if (!busy) return true;
    if (deadline.passed()) {
      drop();
      return false;
    }
    bus_.pump(until);
  }
}

}  // namespace deskmark::atspi
