#include <doctest/doctest.h>

#include <string>

#include "src/mcp/framing.hpp"
#include "src/mcp/message.hpp"

using namespace deskmark::mcp;

namespace {

/// Code and id of the refusal, or "ok".
std::string refusal(const std::string& line) {
  const auto read = read_message(line);
  if (const auto* error = std::get_if<RpcError>(&read)) return std::to_string(error->code) + " " + error->id.dump();
  return "ok";
}

}  // namespace

TEST_CASE("lines come whole however the bytes are cut") {
  const std::string stream = "one\n\ntwo three\r\n" + std::string(50, 'x') + "\nlast";
  for (std::size_t step = 1; step <= stream.size(); ++step) {
    LineSplitter lines(60);
    std::string got;
    for (std::size_t at = 0; at < stream.size(); at += step) {
      lines.append(stream.substr(at, step));
      while (const auto line = lines.next()) got += line->text + "|";
    }
    CHECK(got == "one||two three\r|" + std::string(50, 'x') + "|");
    const auto rest = lines.rest();
    REQUIRE(rest.has_value());
    CHECK(rest->text == "last");
    CHECK_FALSE(lines.rest().has_value());
  }
}

TEST_CASE("a line too long is told once, skipped, and the next one is read") {
  for (std::size_t step : {1U, 7U, 10U, 11U, 1000U}) {
    CAPTURE(step);
    const std::string stream = "ok\n" + std::string(500, 'y') + "\nafter\n" + std::string(11, 'z') + "\nend\n";
    LineSplitter lines(10);
    std::string got;
    for (std::size_t at = 0; at < stream.size(); at += step) {
      lines.append(stream.substr(at, step));
      while (const auto line = lines.next()) got += (line->oversized ? "TOO LONG" : line->text) + "|";
    }
    CHECK(got == "ok|TOO LONG|after|TOO LONG|end|");
    CHECK_FALSE(lines.rest().has_value());
  }
}

TEST_CASE("a line of exactly the limit is taken") {
  LineSplitter lines(4);
  lines.append("abcd\nabcde\n");
  CHECK(lines.next()->text == "abcd");
  CHECK(lines.next()->oversized);
}

TEST_CASE("requests, notifications and responses") {
  auto read = read_message(R"({"jsonrpc":"2.0","id":"a1","method":"tools/list","params":{"x":1}})");
  REQUIRE(std::holds_alternative<Message>(read));
  CHECK(std::get<Message>(read).kind == Message::Kind::Request);
  CHECK(std::get<Message>(read).id == "a1");
  CHECK(std::get<Message>(read).params["x"] == 1);
  read = read_message(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  CHECK(std::get<Message>(read).kind == Message::Kind::Notification);
  CHECK(std::get<Message>(read).params.is_object());
  read = read_message(R"({"jsonrpc":"2.0","id":3,"result":{}})");
  CHECK(std::get<Message>(read).kind == Message::Kind::Response);
  CHECK(refusal("\xEF\xBB\xBF{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":null} \r") == "ok");
  CHECK(refusal(R"({"jsonrpc":"2.0","method":"x","params":[1]})") == "ok");  // a notification is never answered
}

TEST_CASE("malformed lines of every kind") {
  for (const char* line : {"{", "nonsense", "{\"a\":1}}", "{\"jsonrpc\":\"2.0\",}", "{'a':1}", "{\"a\":\"\xff\"}",
                           "{\"a\":\"\xed\xa0\x80\"}", "{\"a\":\"\\ud800\"}", "{\"a\":NaN}", "{\"a\":01}", "\"open",
                           "{} {}", "// hi\n{}"}) {
    CAPTURE(line);
    CHECK(refusal(line) == "-32700 null");
  }
  CHECK(refusal(std::string("{\"a\":1\0}", 8)) == "-32700 null");
  for (const char* line :
       {"1", "null", "true", "\"text\"", "[]", R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])", "{}",
        R"({"id":null,"jsonrpc":"2.0","method":"ping"})", R"({"id":{},"jsonrpc":"2.0","method":"ping"})",
        R"({"id":[1],"jsonrpc":"2.0","method":"ping"})", R"({"id":true,"jsonrpc":"2.0","method":"ping"})",
        R"({"jsonrpc":"2.0"})"}) {
    CAPTURE(line);
    CHECK(refusal(line) == "-32600 null");
  }
  CHECK(refusal(R"({"id":5,"method":"ping"})") == "-32600 5");
  CHECK(refusal(R"({"id":5,"jsonrpc":"1.0","method":"ping"})") == "-32600 5");
  CHECK(refusal(R"({"id":5,"jsonrpc":2.0,"method":"ping"})") == "-32600 5");
  CHECK(refusal(R"({"id":5,"jsonrpc":"2.0"})") == "-32600 5");
  CHECK(refusal(R"({"id":5,"jsonrpc":"2.0","method":7})") == "-32600 5");
  CHECK(refusal(R"({"id":5,"jsonrpc":"2.0","method":"ping","params":[1]})") == "-32602 5");
  CHECK(refusal(R"({"id":5,"jsonrpc":"2.0","method":"ping","params":"a"})") == "-32602 5");
  CHECK(refusal(R"({"id":")" + std::string(2000, 'i') + R"(","jsonrpc":"2.0","method":"ping"})") == "-32600 null");
  CHECK(refusal(R"({"id":1,"jsonrpc":"2.0","method":")" + std::string(2000, 'm') + "\"}") == "-32600 1");
}

TEST_CASE("depth and number of values are bounded before anything is built") {
  const auto nested = [](int depth) {
    return R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":)" + std::string(depth, '[') +
           std::string(depth, ']') + "}}";
  };
  CHECK(refusal(nested(kMaxDepth - 2)) == "ok");
  CHECK(refusal(nested(kMaxDepth - 1)) == "-32600 null");
  CHECK(refusal(std::string(8'000'000, '[')) == "-32600 null");
  CHECK(refusal(std::string(8'000'000, '{')) == "-32600 null");
  std::string flat = "[0";
  for (int i = 0; i < 300'000; ++i) flat += ",0";
  CHECK(refusal(flat + "]") == "-32600 null");
  // Brackets and commas in text do not count, nor do escaped quotes end it.
  CHECK_FALSE(too_complex("{\"a\":\"\\\"" + std::string(300'000, '[') + "\"}").has_value());
  CHECK_FALSE(too_complex("\"\\").has_value());
}

TEST_CASE("what is written is one line of valid UTF-8") {
  CHECK(response(7, "{}") == R"({"jsonrpc":"2.0","id":7,"result":{}})");
  CHECK(error_response({nullptr, kParseError, "a\nb\xff"}) ==
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"a\\nb\xEF\xBF\xBD\"}}");
  CHECK(notification("notifications/progress", {{"progress", 1}}) ==
        R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}})");
}
