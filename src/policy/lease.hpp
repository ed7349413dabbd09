// The lease: a file that says who holds a desktop, an agent or a person. It outlives every process; what cannot be read
// counts as a person's. The epoch grows with each change of hands.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace deskmark {

enum class Holder : std::uint8_t { Agent, Human };

struct Lease {
  Holder holder = Holder::Agent;
  std::uint64_t epoch = 0;
  std::string reason;    ///< one sentence for the person; empty when taken over unasked
  std::string since;     ///< UTC, ISO 8601
  bool readable = true;  ///< false: the file is damaged, foreign or not ours to read; holder is Human then
  friend bool operator==(const Lease&, const Lease&) = default;
};

/// The lease of one desktop. Values of this class may be used from any thread and process at once.
class LeaseFile {
 public:
  /// `directory` as desk_directory() gives it; empty: there is no desktop, an agent holds it.
  explicit LeaseFile(std::string directory) : directory_(std::move(directory)) {}

  [[nodiscard]] const std::string& directory() const { return directory_; }
  [[nodiscard]] std::string path() const { return directory_ + "/lease.json"; }
  /// No file: an agent's, epoch 0; unless this object saw a person hold it: then it is unreadable.
  [[nodiscard]] Lease read() const;
  /// Hands the desktop over, atomically; a lease that is that holder's already is left alone, unless it is unreadable:
  /// then a person's decision replaces it. Returns the problem; nothing when done.
  [[nodiscard]] std::optional<std::string> change(Holder to, const std::string& reason) const;

 private:
  std::string directory_;
  mutable std::atomic<bool> human_seen_{false};
};

enum class Waited : std::uint8_t { HandedBack, TimedOut, Cancelled };
/// Waits until an agent holds the desktop; woken by the file's directory. `each_second` is told the seconds waited.
[[nodiscard]] Waited wait_for_agent(const LeaseFile& lease, std::chrono::milliseconds limit,
                                    const std::stop_token& stop, const std::function<void(double)>& each_second);

/// Calls `on_change` (on a thread of its own) each time something in the lease's directory changed, until destroyed.
class LeaseWatch {
 public:
  LeaseWatch(const LeaseFile& lease, std::function<void()> on_change);
  ~LeaseWatch();
  LeaseWatch(const LeaseWatch&) = delete;
  LeaseWatch& operator=(const LeaseWatch&) = delete;

 private:
  std::jthread thread_;
};

}  // namespace deskmark
