// A byte stream cut anywhere into the MCP server, its tool a parser of requests. Whatever comes in, what goes out is
// protocol.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "check.hpp"
#include "src/mcp/framing.hpp"
#include "src/mcp/server.hpp"

using namespace deskmark;
using namespace deskmark::mcp;

namespace {

Reply host(const nlohmann::json& arguments, std::stop_token, const Progress& progress, const Caller&) {
  progress(0.5, 1, "half");
  const auto parsed = parse_request(arguments);
  Reply reply;
  reply.body = {{"ok", std::holds_alternative<Request>(parsed)}, {"action", "fuzz"}, {"given", arguments}};
  if (const auto* failure = std::get_if<Failure>(&parsed)) reply.body["message"] = failure->message;
  return reply;
}

void check_line(const std::string& line) {
  FUZZ_CHECK(line.find('\n') == std::string::npos);
  const auto message = nlohmann::json::parse(line, nullptr, false);
  FUZZ_CHECK(message.is_object() && message["jsonrpc"] == "2.0");
  FUZZ_CHECK(message.contains("method") != (message.contains("result") != message.contains("error")));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t step = std::size_t{data[0]} + 1;
  const std::string_view stream(reinterpret_cast<const char*>(data) + 1, size - 1);

  std::mutex mutex;
  std::condition_variable changed;
  McpServer server(host, {.version = "0", .form = ReplyForm::Both}, check_line, [&] {
    const std::scoped_lock lock(mutex);
    changed.notify_all();
  });
  LineSplitter lines(1024);
  const auto handle = [&](const Line& line) {
    FUZZ_CHECK(line.text.size() <= 1024);
    line.oversized ? server.on_oversized_line() : server.on_line(line.text);
  };
  for (std::size_t at = 0; at < stream.size(); at += step) {
    lines.append(stream.substr(at, step));
    while (const auto line = lines.next()) handle(*line);
  }
  if (const auto line = lines.rest()) handle(*line);

  std::unique_lock lock(mutex);
  FUZZ_CHECK(changed.wait_for(lock, std::chrono::seconds{10}, [&] { return server.idle(); }));
  return 0;
}
