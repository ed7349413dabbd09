#include <doctest/doctest.h>

#include <string>

#include "mcp_fake_host.hpp"
#include "schema/advertised.hpp"
#include "schema/request.hpp"

using namespace deskmark;
using namespace deskmark::mcp;
using namespace deskmark::mcp::test;

namespace {

struct Fixture {
  FakeHost host;
  Inbox inbox;
  McpServer server{[this](const auto& a, auto s, const auto& p, const auto& c) { return host(a, std::move(s), p, c); },
                   {.version = "9.9"},
                   [this](std::string line) { inbox.put(std::move(line)); }};

  Json ask(const std::string& line) {
    server.on_line(line);
    return inbox.take();
  }
  Json initialize(const std::string& version) {
    return ask(request(0, "initialize",
                       {{"protocolVersion", version},
                        {"capabilities", Json::object()},
                        {"clientInfo", {{"name", "t"}, {"version", "1"}}}}));
  }
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "handshake") {
  const Json answer = initialize("2025-06-18");
  CHECK(answer["id"] == 0);
  const Json& result = answer["result"];
  CHECK(result["protocolVersion"] == "2025-06-18");
  CHECK(result["serverInfo"]["name"] == "deskmark");
  CHECK(result["serverInfo"]["version"] == "9.9");
  CHECK(result["capabilities"] == Json{{"tools", Json::object()}});
  CHECK(result["instructions"].get<std::string>().find("untrusted") != std::string::npos);
  server.on_line(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  CHECK(ask(request("p", "ping")) == Json{{"jsonrpc", "2.0"}, {"id", "p"}, {"result", Json::object()}});
}

TEST_CASE_FIXTURE(Fixture, "protocol versions") {
  for (const char* version : {"2025-11-25", "2025-06-18", "2024-11-05"})
    CHECK(initialize(version)["result"]["protocolVersion"] == version);
  for (const char* version : {"2099-01-01", "2024-10-07", "", "1.0"})
    CHECK(initialize(version)["result"]["protocolVersion"] == "2025-11-25");
  // Its clients know the version before, not the ones after.
  CHECK(initialize("2025-03-26")["result"]["protocolVersion"] == "2024-11-05");
  CHECK(ask(request(1, "initialize"))["error"]["code"] == -32602);
  CHECK(ask(request(1, "initialize", {{"protocolVersion", 2}}))["error"]["code"] == -32602);
}

TEST_CASE_FIXTURE(Fixture, "tools/list advertises the one tool, its schema byte for byte") {
  initialize("2025-11-25");
  std::string line;
  McpServer other([](const auto&, auto, const auto&, const auto&) { return Reply{}; }, {},
                  [&](std::string text) { line = std::move(text); });
  other.on_line(request(1, "tools/list"));
  CHECK(line.find("\"inputSchema\":" + std::string(tool_schema_text()) + ",") != std::string::npos);

  const Json answer = ask(request(1, "tools/list"));
  REQUIRE(answer["result"]["tools"].size() == 1);
  const Json& tool = answer["result"]["tools"][0];
  CHECK(tool["name"] == "computer_use");
  CHECK(tool["description"] == tool_description());
  CHECK(tool["annotations"]["readOnlyHint"] == false);
  CHECK_FALSE(tool.contains("outputSchema"));
  CHECK_FALSE(answer["result"].contains("nextCursor"));
  CHECK(ask(request(1, "tools/list", {{"cursor", "x"}}))["error"]["code"] == -32602);

  initialize("2024-11-05");
  const Json old = ask(request(1, "tools/list"));
  CHECK_FALSE(old["result"]["tools"][0].contains("annotations"));
  CHECK_FALSE(old["result"]["tools"][0].contains("title"));
}

TEST_CASE_FIXTURE(Fixture, "a call reaches the host and its reply the client") {
  const Json answer = ask(call("c1", {{"do", "echo"}, {"x", {1, 2}}}));
  CHECK(answer["id"] == "c1");
  CHECK(answer["result"]["structuredContent"]["given"]["x"] == Json{1, 2});
  CHECK(answer["result"]["isError"] == false);
  CHECK(answer["result"]["content"][0]["type"] == "text");
  // Wrong arguments are the tool's to refuse, so that the model sees why; none at all are an empty object.
  CHECK(ask(request(2, "tools/call",
                    {{"name", "computer_use"}, {"arguments", {1, 2}}}))["result"]["structuredContent"]["given"] ==
        Json{1, 2});
  CHECK(ask(request(3, "tools/call", {{"name", "computer_use"}}))["result"]["structuredContent"]["given"] ==
        Json::object());
  CHECK(ask(request(4, "tools/call",
                    {{"name", "computer_use"}, {"arguments", nullptr}}))["result"]["structuredContent"]["given"] ==
        Json::object());
}

TEST_CASE_FIXTURE(Fixture, "errors of the protocol") {
  CHECK(ask(request(1, "tools/call", {{"name", "other"}}))["error"]["code"] == -32602);
  CHECK(ask(request(1, "tools/call", {{"name", 7}}))["error"]["code"] == -32602);
  CHECK(ask(request(1, "tools/call"))["error"]["code"] == -32602);
  for (const char* method : {"resources/list", "prompts/list", "logging/setLevel", "completion/complete",
                             "server/discover", "tools/Call", ""})
    CHECK(ask(request(1, method))["error"]["code"] == -32601);
  CHECK(ask("{oops")["error"]["code"] == -32700);
  CHECK(ask("[]")["error"]["code"] == -32600);
  server.on_oversized_line();
  CHECK(inbox.take()["error"]["code"] == -32600);
  // Neither blank lines nor notifications nor responses are answered.
  for (const char* line : {"", "  \r", R"({"jsonrpc":"2.0","method":"notifications/whatever"})",
                           R"({"jsonrpc":"2.0","method":"tools/list"})", R"({"jsonrpc":"2.0","id":9,"result":{}})",
                           R"({"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"m"}})"})
    server.on_line(line);
  CHECK(ask(request("last", "ping"))["id"] == "last");
}

TEST_CASE_FIXTURE(Fixture, "a host that throws gives an internal error, and the next call works") {
  const Json answer = ask(call(1, {{"do", "throw"}}));
  CHECK(answer["result"]["isError"] == true);
  CHECK(answer["result"]["structuredContent"]["code"] == "internal");
  CHECK(answer["result"]["structuredContent"]["ok"] == false);
  CHECK(ask(call(2, {{"do", "echo"}}))["result"]["isError"] == false);
}

TEST_CASE_FIXTURE(Fixture, "ping and tools/list are served while a call runs; calls wait their turn") {
  server.on_line(call(1, {{"do", "block"}}));
  REQUIRE(host.wait_blocked());
  server.on_line(call(2, {{"do", "echo"}}));
  server.on_line(call(3, {{"do", "echo"}}));
  CHECK(ask(request("p", "ping"))["id"] == "p");
  CHECK(ask(request("l", "tools/list"))["id"] == "l");
  CHECK_FALSE(server.idle());
  host.release();
  for (const int id : {1, 2, 3}) CHECK(inbox.take()["id"] == id);
}

TEST_CASE_FIXTURE(Fixture, "a cancelled call is stopped and not answered") {
  server.on_line(call(1, {{"do", "block"}}));
  REQUIRE(host.wait_blocked());
  server.on_line(cancelled(99));  // unknown: ignored
  server.on_line(cancelled(1));
  REQUIRE(host.wait_stopped(1));
  CHECK(ask(call(2, {{"do", "echo"}}))["id"] == 2);
  CHECK(inbox.empty());
}

TEST_CASE_FIXTURE(Fixture, "a waiting call that is cancelled never runs") {
  server.on_line(call("a", {{"do", "block"}}));
  REQUIRE(host.wait_blocked());
  server.on_line(call("b", {{"do", "throw"}}));
  server.on_line(call("c", {{"do", "echo"}}));
  server.on_line(cancelled("b"));
  server.on_line(cancelled("b"));
  host.release();
  CHECK(inbox.take()["id"] == "a");
  CHECK(inbox.take()["id"] == "c");
}

TEST_CASE_FIXTURE(Fixture, "the id 1 and the id \"1\" are two calls") {
  server.on_line(call(1, {{"do", "block"}}));
  REQUIRE(host.wait_blocked());
  server.on_line(cancelled("1"));
  server.on_line(call("1", {{"do", "echo"}}));
  CHECK(ask(call(1, {{"do", "echo"}}))["error"]["code"] == -32600);  // still running
  host.release();
  CHECK(inbox.take()["id"] == 1);
  CHECK(inbox.take()["id"] == "1");
}

TEST_CASE_FIXTURE(Fixture, "progress grows, and only when it was asked for") {
  const auto with_token = [](const Json& token) {
    return request(
        5, "tools/call",
        {{"name", "computer_use"}, {"arguments", {{"do", "progress"}}}, {"_meta", {{"progressToken", token}}}});
  };
  server.on_line(with_token("tok"));
  for (const double done : {1.0, 2.0, 3.0}) {
    const Json note = inbox.take();
    CHECK(note["method"] == "notifications/progress");
    CHECK(note["params"] ==
          Json{{"progressToken", "tok"}, {"progress", done}, {"total", 10.0}, {"message", "waiting"}});
  }
  CHECK(inbox.take()["id"] == 5);

  CHECK(ask(call(6, {{"do", "progress"}}))["id"] == 6);
  CHECK(ask(with_token(Json::object()))["id"] == 5);

  initialize("2024-11-05");
  server.on_line(with_token(0));
  CHECK(inbox.take()["params"] == Json{{"progressToken", 0}, {"progress", 1.0}, {"total", 10.0}});
}

TEST_CASE_FIXTURE(Fixture, "too many waiting calls are refused, not piled up") {
  server.on_line(call("run", {{"do", "block"}}));
  REQUIRE(host.wait_blocked());
  for (std::size_t i = 0; i < Worker::kMaxQueued; ++i) server.on_line(call(i, {{"do", "echo"}}));
  CHECK(ask(call("more", {{"do", "echo"}}))["error"]["code"] == -32000);
  CHECK(ask(request("p", "ping"))["id"] == "p");
  server.cancel_all();
  REQUIRE(host.wait_stopped(1));
  CHECK(ask(call("again", {{"do", "echo"}}))["id"] == "again");
}

TEST_CASE("a profile is what is advertised") {
  std::string line;
  const ActionSet looking{Action::Capture, Action::Wait};
  McpServer server([](const auto&, auto, const auto&, const auto&) { return Reply{}; },
                   {.version = "1", .actions = looking}, [&](std::string text) { line = std::move(text); });
  server.on_line(request(1, "tools/list"));
  const Json tool = Json::parse(line)["result"]["tools"][0];
  CHECK(tool["inputSchema"]["properties"]["action"]["enum"] == Json::array({"capture", "wait"}));
  CHECK(tool["annotations"]["readOnlyHint"] == true);
  CHECK(tool["description"].get<std::string>().find("click") == std::string::npos);
}

namespace {

std::string hello(const Json& capabilities, const char* version = "2025-06-18") {
  return request(0, "initialize",
                 {{"protocolVersion", version},
                  {"capabilities", capabilities},
                  {"clientInfo", {{"name", "asker\n"}, {"version", "2"}}}});
}
std::string answer_to(const Json& id, const Json& result) {
  return Json{{"jsonrpc", "2.0"}, {"id", id}, {"result", result}}.dump();
}

}  // namespace

TEST_CASE_FIXTURE(Fixture, "a client that can ask is asked, and only a clear yes grants") {
  ask(hello({{"elicitation", Json::object()}}));
  const struct {
    Json result;
    Answer answer;
  } cases[] = {
      {{{"action", "accept"}, {"content", {{"allow", true}}}}, Answer::Granted},
      {{{"action", "accept"}, {"content", {{"allow", false}}}}, Answer::Denied},
      {{{"action", "accept"}, {"content", {{"allow", "true"}}}}, Answer::Denied},
      {{{"action", "accept"}}, Answer::Denied},
      {{{"action", "decline"}}, Answer::Denied},
      {{{"action", "cancel"}}, Answer::Denied},
      {"nonsense", Answer::NoOne},
  };
  for (const auto& c : cases) {
    CAPTURE(c.result.dump());
    const Json question = ask(call(1, {{"do", "ask"}, {"question", "Click \"Save\"?"}}));
    CHECK(question["method"] == "elicitation/create");
    CHECK(question["params"]["message"] == "Click \"Save\"?");
    CHECK(question["params"]["requestedSchema"]["properties"].contains("allow"));
    server.on_line(answer_to("question-999", {{"action", "accept"}, {"content", {{"allow", true}}}}));
    const Json reply = ask(answer_to(question["id"], c.result))["result"]["structuredContent"];
    CHECK(reply["answer"] == static_cast<int>(c.answer));
    CHECK(reply["caller"] == "asker 2");
  }
}

TEST_CASE_FIXTURE(Fixture, "a question nobody answers is taken back") {
  ask(hello({{"elicitation", {{"form", Json::object()}}}}));
  Json question = ask(call(1, {{"do", "ask"}, {"limit", 1}}));
  Json next = inbox.take();
  CHECK(next["method"] == "notifications/cancelled");
  CHECK(next["params"]["requestId"] == question["id"]);
  CHECK(inbox.take()["result"]["structuredContent"]["answer"] == static_cast<int>(Answer::NoOne));
  question = ask(call(2, {{"do", "ask"}}));
  server.on_line(cancelled(2));
  CHECK(inbox.take()["params"]["requestId"] == question["id"]);
  CHECK(ask(request(3, "ping"))["id"] == 3);
}

TEST_CASE_FIXTURE(Fixture, "a client that cannot ask is not asked") {
  for (const std::string& first : {hello(Json::object()), hello({{"elicitation", {{"url", Json::object()}}}}),
                                   hello({{"elicitation", Json::object()}}, "2024-11-05")}) {
    ask(first);
    const Json answer = ask(call(1, {{"do", "ask"}}));
    CHECK_FALSE(answer.contains("method"));
    CHECK(answer["id"] == 1);
  }
}

TEST_CASE("a server that goes away stops its running call") {
  FakeHost host;
  Inbox inbox;
  {
    McpServer server([&](const auto& a, auto s, const auto& p, const auto& c) { return host(a, std::move(s), p, c); },
                     {}, [&](std::string line) { inbox.put(std::move(line)); });
    server.on_line(call(1, {{"do", "block"}}));
    server.on_line(call(2, {{"do", "echo"}}));
    REQUIRE(host.wait_blocked());
  }
  CHECK(host.wait_stopped(1));
  CHECK(inbox.empty());
}
