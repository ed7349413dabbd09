// A tool that needs no desktop, and a place to wait for lines.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>

#include "src/mcp/server.hpp"

namespace deskmark::mcp::test {

using Json = nlohmann::json;
inline constexpr std::chrono::seconds kPatience{20};

/// Lines sent, in order; `take` waits for the next.
class Inbox {
 public:
  void put(std::string line) {
    const std::scoped_lock lock(mutex_);
    lines_.push_back(std::move(line));
    arrived_.notify_all();
  }
  Json take() {
    std::unique_lock lock(mutex_);
    if (!arrived_.wait_for(lock, kPatience, [this] { return !lines_.empty(); }))
      throw std::runtime_error("no line came");
    Json line = Json::parse(lines_.front());
    lines_.pop_front();
    return line;
  }
  bool empty() {
    const std::scoped_lock lock(mutex_);
    return lines_.empty();
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::string> lines_;
};

/// Arguments say what to do: {"do": "echo" | "block" | "throw" | "progress" | "big" | "deaf" | "ask"}.
class FakeHost {
 public:
  Reply operator()(const Json& arguments, std::stop_token stop, const Progress& progress, const Caller& caller) {
    const std::string task = arguments.is_object() ? arguments.value("do", "echo") : "echo";
    Reply reply;
    reply.body = {{"ok", true}, {"action", task}, {"given", arguments}};
    if (task == "throw") throw std::runtime_error("the host broke");
    if (task == "block") {
      std::unique_lock lock(mutex_);
      ++blocked_;
      changed_.notify_all();
      const bool released = changed_.wait(lock, stop, [this] { return released_; });
      --blocked_;
      if (!released) {
        ++stopped_;
        reply.body = {{"ok", false}, {"action", task}, {"code", "cancelled"}};
      }
      changed_.notify_all();
    }
    if (task == "deaf") {  // does not heed the token
      std::unique_lock lock(mutex_);
      ++blocked_;
      changed_.notify_all();
      changed_.wait_for(lock, kPatience, [this] { return released_; });
      --blocked_;
    }
    if (task == "ask") {
      const Answer answer = caller.ask ? caller.ask(arguments.value("question", ""),
                                                    std::chrono::milliseconds{arguments.value("limit", 20000)}, stop)
                                       : Answer::NoOne;
      reply.body["answer"] = static_cast<int>(answer);
      reply.body["caller"] = caller.name;
    }
    if (task == "progress") {
      for (const double done : {1.0, 2.0, 2.0, 1.5, 3.0}) progress(done, 10, "waiting");
    }
    if (task == "big") {
      reply.picture_mime = "image/png";
      reply.picture.assign(arguments.value("bytes", std::size_t{3'000'000}), 0x5A);
    }
    return reply;
  }

  /// Waits until a call blocks; false when none does.
  bool wait_blocked() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kPatience, [this] { return blocked_ > 0; });
  }
  bool wait_stopped(int count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kPatience, [this, count] { return stopped_ >= count; });
  }
  void release() {
    const std::scoped_lock lock(mutex_);
    released_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool released_ = false;
  int blocked_ = 0;
  int stopped_ = 0;
};

inline std::string request(const Json& id, const std::string& method, const Json& params = Json::object()) {
  return Json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}.dump();
}
inline std::string call(const Json& id, const Json& arguments) {
  return request(id, "tools/call", {{"name", "computer_use"}, {"arguments", arguments}});
}
inline std::string cancelled(const Json& id) {
  return Json{
      {"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", id}, {"reason", "test"}}}}
      .dump();
}

}  // namespace deskmark::mcp::test
