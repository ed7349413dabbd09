// What stands between a request and the desktop: who holds it, what is never sent, what needs approval; and the audit
// after it.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

#include "src/engine/client.hpp"
#include "src/policy/approval.hpp"
#include "src/policy/audit.hpp"
#include "src/policy/lease.hpp"
#include "src/policy/queue.hpp"

namespace deskmark {

class Guard {
 public:
  explicit Guard(const EngineOptions& options);
  ~Guard();

  [[nodiscard]] const LeaseFile& lease() const { return lease_; }
  [[nodiscard]] const std::string& desk() const { return lease_.directory(); }

  /// A request's turn at the desktop; its token is stopped by the caller's and when a person takes the desktop over.
  class Turn {
   public:
    Turn(Guard& guard, const std::stop_token& outer);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }
    [[nodiscard]] std::uint64_t epoch() const { return start_.epoch; }
    /// human_has_control when a person holds the desktop now, or held it at any time since the turn began.
    [[nodiscard]] std::optional<Failure> lost() const;

   private:
    friend class Guard;
    Guard& guard_;
    Lease start_;
    std::stop_source source_;
    std::stop_callback<std::function<void()>> outer_;
  };

  /// Blocked input first, then approval: given by configuration, by a grant for this application, or by a person who is
  /// asked (waits for that). `approved` gets how. Nothing in the request widens it.
  std::optional<Failure> refuse(const Request& request, const Engine::Client& client, const Caller& caller,
                                const nlohmann::json& arguments, const Turn& turn, const Progress& progress,
                                std::string& approved);

  /// Hands the desktop to a person; waits until it comes back. Replies of these actions.
  [[nodiscard]] nlohmann::ordered_json request_handoff(const Request& request) const;
  [[nodiscard]] nlohmann::ordered_json wait_for_human(const Request& request, const std::stop_token& stop,
                                                      const Progress& progress) const;

  struct Entry {
    const Caller* caller = nullptr;
    std::optional<Request> request;
    std::shared_ptr<const Snapshot> about;  ///< the capture the request speaks of
    std::string approved;                   ///< empty: none was needed
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  };
  /// Writes the audit line; a failing write becomes a warning in the reply.
  void audit(const Entry& entry, Reply& reply) const;

 private:
  std::optional<Failure> ask(const Request& request, const Snapshot* about, Scope needed, const Caller& caller,
                             const nlohmann::json& arguments, const Turn& turn, const Progress& progress,
                             std::string& approved);
  [[nodiscard]] Scope approved_for(const Snapshot* about) const;
  void hands_changed();

  Scope approve_;
  std::map<std::string, Scope> approve_apps_;  ///< by folded name
  std::chrono::seconds approval_wait_;
  bool auditing_;
  std::string display_;
  LeaseFile lease_;
  ApprovalQueue queue_;
  AuditLog log_;
  mutable std::mutex mutex_;
  std::set<Turn*> turns_;
  std::map<std::string, Scope> granted_apps_;  ///< by a person, until this engine ends
  std::unique_ptr<LeaseWatch> watch_;          // last: its thread uses the others
};

}  // namespace deskmark
