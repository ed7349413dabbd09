#include "src/mcp/questions.hpp"

#include <algorithm>
#include <utility>

namespace deskmark::mcp {
namespace {

using Json = nlohmann::ordered_json;

std::string question(const std::string& id, const std::string& text) {
  const Json schema{
      {"type", "object"},
      {"properties", {{"allow", {{"type", "boolean"}, {"title", "Allow this once"}, {"default", false}}}}},
      {"required", Json::array({"allow"})}};
  return text_of(Json{{"jsonrpc", "2.0"},
                      {"id", id},
                      {"method", "elicitation/create"},
                      {"params", {{"message", text}, {"requestedSchema", schema}}}});
}

Answer answer_of(const nlohmann::json& result) {
  if (!result.is_object()) return Answer::NoOne;
  const auto action = result.find("action");
  if (action == result.end() || !action->is_string()) return Answer::NoOne;
  if (*action != "accept") return Answer::Denied;
  const auto content = result.find("content");
  if (content == result.end() || !content->is_object()) return Answer::Denied;
  const auto allow = content->find("allow");
  return allow != content->end() && allow->is_boolean() && allow->get<bool>() ? Answer::Granted : Answer::Denied;
}

}  // namespace

Answer Questions::ask(const std::string& text, std::chrono::milliseconds limit, const std::stop_token& stop,
                      const Progress& progress) {
  using Clock = std::chrono::steady_clock;
  std::unique_lock lock(mutex_);
  const std::string id = "question-" + std::to_string(++counter_);
  open_.emplace(id, std::nullopt);
  send_(question(id, text));
  const auto start = Clock::now();
  const auto end = start + limit;
  const auto answered = [&] { return open_.at(id).has_value(); };
  while (!answered() && !stop.stop_requested() && Clock::now() < end) {
    changed_.wait_until(lock, stop, std::min(end, Clock::now() + std::chrono::seconds{1}), answered);
    if (progress && !answered() && !stop.stop_requested()) {
      progress(std::chrono::duration<double>(Clock::now() - start).count(),
               std::chrono::duration<double>(limit).count(), "waiting for approval");
    }
  }
  const Answer answer = open_.at(id).value_or(Answer::NoOne);
  if (!answered()) send_(notification("notifications/cancelled", {{"requestId", id}, {"reason", "no longer needed"}}));
  open_.erase(id);
  return answer;
}

void Questions::answered(const Message& message) {
  if (!message.id.is_string()) return;
  const std::scoped_lock lock(mutex_);
  const auto found = open_.find(message.id.get_ref<const std::string&>());
  if (found == open_.end() || found->second) return;
  found->second = answer_of(message.result);
  changed_.notify_all();
}

}  // namespace deskmark::mcp
