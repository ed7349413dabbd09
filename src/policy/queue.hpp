// The approval queue: questions of running engines to the person at a terminal (`deskmark approve`), one private file
// each. A grant is good for one repetition of exactly the request it was asked for.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

namespace deskmark {

enum class Verdict : std::uint8_t {
  Pending,
  Granted,     ///< this once
  GrantedApp,  ///< this scope for this application, as long as the asking engine runs
  Denied,
  Gone,  ///< no such question any more
};

struct Question {
  std::string id;  ///< given by the queue
  std::string client;
  std::string action;
  std::string app;     ///< application it is about; empty when that is not known
  std::string scope;   ///< background, foreground, all
  std::string words;   ///< what would be done, in words; texts as lengths
  std::string digest;  ///< of the whole request
  std::string time;    ///< UTC
  Verdict verdict = Verdict::Pending;
};

class ApprovalQueue {
 public:
  static constexpr std::size_t kMost = 64;
  static constexpr std::chrono::minutes kKept{10};  ///< then a question is forgotten, granted or not

  /// `desk` as desk_directory() gives it; empty: there is no queue.
  explicit ApprovalQueue(const std::string& desk) : directory_(desk.empty() ? desk : desk + "/approvals") {}

  [[nodiscard]] const std::string& directory() const { return directory_; }

  // The asking side.
  /// Puts a question and gives its id; one of the same digest that is pending already is used again. The problem when
  /// there is no place or too many are waiting.
  [[nodiscard]] std::variant<std::string, std::string> put(Question question) const;
  [[nodiscard]] Verdict verdict(const std::string& id) const;
  /// Waits for a decision; Pending when none came in time or the token stopped it.
  [[nodiscard]] Verdict wait(const std::string& id, std::chrono::milliseconds limit, const std::stop_token& stop,
                             const std::function<void(double)>& each_second) const;
  /// Takes a decision on this request out of the queue, if there is one: it is used up.
  [[nodiscard]] std::optional<Verdict> take(const std::string& digest) const;
  void remove(const std::string& id) const;
  /// Someone runs `deskmark approve` and will see the question.
  [[nodiscard]] bool watched() const;

  // The answering side.
  /// Oldest first. Forgets old ones on the way.
  [[nodiscard]] std::vector<Question> list() const;
  /// Decides a pending question; returns the problem.
  [[nodiscard]] std::optional<std::string> decide(const std::string& id, Verdict verdict) const;
  /// Held by `deskmark approve` while it looks.
  [[nodiscard]] std::string watcher_lock() const { return directory_ + "/watcher.lock"; }

 private:
  [[nodiscard]] std::string path(const std::string& id) const { return directory_ + "/" + id + ".json"; }
  [[nodiscard]] std::string lock() const { return directory_ + "/queue.lock"; }
  [[nodiscard]] std::optional<Question> read(const std::string& id) const;
  [[nodiscard]] std::optional<std::string> write(const Question& question) const;
  [[nodiscard]] std::vector<Question> all() const;

  std::string directory_;
};

}  // namespace deskmark
