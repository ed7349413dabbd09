#include "src/policy/lease.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "src/policy/changes.hpp"
#include "src/policy/private_file.hpp"

namespace deskmark {
namespace {

using nlohmann::json;
constexpr std::size_t kLargest = 16'384;

Lease unreadable() {
  Lease lease;
  lease.holder = Holder::Human;
  lease.readable = false;
  return lease;
}

std::optional<Lease> parsed(const std::string& text) {
  const json file = json::parse(text, nullptr, false);
  if (!file.is_object()) return std::nullopt;
  const auto holder = file.find("holder");
  const auto epoch = file.find("epoch");
  if (holder == file.end() || epoch == file.end() || !epoch->is_number_unsigned()) return std::nullopt;
  Lease lease;
  if (*holder == "human")
    lease.holder = Holder::Human;
  else if (*holder != "agent")
    return std::nullopt;
  lease.epoch = epoch->get<std::uint64_t>();
  const auto text_of = [&](const char* key) {
    const auto found = file.find(key);
    return found != file.end() && found->is_string() ? found->get<std::string>() : std::string{};
  };
  lease.reason = text_of("reason");
  lease.since = text_of("since");
  return lease;
}

}  // namespace

Lease LeaseFile::read() const {
  if (directory_.empty()) return {};
  const PrivateText file = read_private_file(path(), kLargest);
  if (file.missing) return human_seen_ ? unreadable() : Lease{};
  const Lease lease = file.problem.empty() ? parsed(file.text).value_or(unreadable()) : unreadable();
  human_seen_ = lease.holder == Holder::Human;
  return lease;
}

std::optional<std::string> LeaseFile::change(Holder to, const std::string& reason) const {
  if (directory_.empty()) return "no desktop";
  if (auto problem = make_private_directory(directory_)) return problem;
  const FileLock lock(directory_ + "/lease.lock", FileLock::Wait::Yes);
  if (!lock.held()) return directory_ + "/lease.lock cannot be locked";
  const Lease now = read();
  if (now.readable && now.holder == to && now.epoch > 0) return std::nullopt;
  // Where there is no epoch to go on from, the time is one that no process has seen.
  const std::uint64_t unseen = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
          .count());
  const json file{{"version", 1},
                  {"holder", to == Holder::Human ? "human" : "agent"},
                  {"epoch", now.epoch > 0 ? now.epoch + 1 : unseen},
                  {"reason", reason},
                  {"since", utc_now()}};
  return write_private_file(path(), file.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
}

Waited wait_for_agent(const LeaseFile& lease, std::chrono::milliseconds limit, const std::stop_token& stop,
                      const std::function<void(double)>& each_second) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto end = start + limit;
  if (!lease.directory().empty()) {
    [[maybe_unused]] const auto problem = make_private_directory(lease.directory());
  }
  const Changes changes(lease.directory(), stop);  // before the first look: no change is missed
  for (;;) {
    if (stop.stop_requested()) return Waited::Cancelled;
    if (lease.read().holder == Holder::Agent) return Waited::HandedBack;
    const auto now = Clock::now();
    if (now >= end) return Waited::TimedOut;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - now).count() + 1;
    [[maybe_unused]] const bool changed = changes.wait(static_cast<int>(std::min<std::int64_t>(left, 1000)));
    if (each_second && Clock::now() < end) each_second(std::chrono::duration<double>(Clock::now() - start).count());
  }
}

LeaseWatch::LeaseWatch(const LeaseFile& lease, std::function<void()> on_change)
    : thread_([directory = lease.directory(), on_change = std::move(on_change)](const std::stop_token& stop) {
        const Changes changes(directory, stop);
        while (!stop.stop_requested() && changes.watching()) {
          if (changes.wait(-1)) on_change();
        }
      }) {}

LeaseWatch::~LeaseWatch() = default;

}  // namespace deskmark
