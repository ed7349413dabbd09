// Questions to the client's user (elicitation/create): asked from the worker's thread, answered from the reading one.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "src/engine.hpp"
#include "src/mcp/message.hpp"
#include "src/mcp/worker.hpp"

namespace deskmark::mcp {

class Questions {
 public:
  explicit Questions(Worker::Send send) : send_(std::move(send)) {}

  /// Waits for the answer, at most `limit`; a question that is given up is cancelled at the client. Granted only when
  /// the user accepted and said yes; NoOne when the client failed to ask or nobody answered. Tells progress each
  /// second.
  Answer ask(const std::string& text, std::chrono::milliseconds limit, const std::stop_token& stop,
             const Progress& progress);
  /// A response of the client; one to nothing that was asked is ignored.
  void answered(const Message& message);

 private:
  Worker::Send send_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::uint64_t counter_ = 0;
  std::map<std::string, std::optional<Answer>> open_;
};

}  // namespace deskmark::mcp
