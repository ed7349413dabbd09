// The server over real pipes and sockets.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <future>
#include <string>
#include <utility>

#include "mcp_fake_host.hpp"
#include "src/mcp/stdio.hpp"

using namespace deskmark;
using namespace deskmark::mcp;
using namespace deskmark::mcp::test;

namespace {

enum class Wire { Pipe, Socket };

/// A client at the other end; the server runs on a thread of its own.
class Session {
 public:
  explicit Session(Wire wire = Wire::Pipe, StdioLimits limits = {}) {
    signal(SIGPIPE, SIG_IGN);
    std::array<int, 2> to{};
    std::array<int, 2> from{};
    if (wire == Wire::Pipe) {
      REQUIRE(pipe2(to.data(), O_CLOEXEC) == 0);
      REQUIRE(pipe2(from.data(), O_CLOEXEC) == 0);
    } else {
      REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, to.data()) == 0);
      REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, from.data()) == 0);
    }
    server_in_ = to[0];
    write_ = to[1];
    read_ = from[0];
    server_out_ = from[1];
    stop_ = eventfd(0, EFD_CLOEXEC);
    ended_ = std::async(std::launch::async, [this, limits] {
      StdioLoop loop(server_in_, server_out_, stop_, limits);
      McpServer server(
          [this](const auto& a, auto s, const auto& p, const auto& c) { return host(a, std::move(s), p, c); }, {},
          [&loop](std::string line) { loop.send(std::move(line)); }, [&loop] { loop.wake(); });
      const Ended ended = loop.run(server);
      host.release();  // lets a call that does not heed the token go, so that the server can be destroyed
      return ended;
    });
  }
  ~Session() {
    close_write();
    close_read();
    host.release();
    if (ended_.valid()) ended_.wait();
    for (const int fd : {server_in_, server_out_, stop_}) close(fd);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void raw(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t done = write(write_, bytes.data(), bytes.size());
      REQUIRE(done > 0);
      bytes.remove_prefix(static_cast<std::size_t>(done));
    }
  }
  void say(const std::string& line) { raw(line + "\n"); }
  Json hear() {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (true) {
      if (const std::size_t end = heard_.find('\n'); end != std::string::npos) {
        Json line = Json::parse(heard_.substr(0, end));
        heard_.erase(0, end + 1);
        return line;
      }
      pollfd ready{read_, POLLIN, 0};
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
      if (left <= 0 || poll(&ready, 1, static_cast<int>(left)) != 1) throw std::runtime_error("no line came");
      std::array<char, 65536> buffer{};
      const ssize_t got = read(read_, buffer.data(), buffer.size());
      if (got <= 0) throw std::runtime_error("the server closed its output");
      heard_.append(buffer.data(), static_cast<std::size_t>(got));
    }
  }
  void close_write() {
    if (write_ >= 0) close(std::exchange(write_, -1));
  }
  void close_read() {
    if (read_ >= 0) close(std::exchange(read_, -1));
  }
  void ask_to_stop() const { REQUIRE(eventfd_write(stop_, 1) == 0); }
  /// How it ended; fails when it does not.
  Ended ended() {
    REQUIRE(ended_.wait_for(kPatience) == std::future_status::ready);
    return ended_.get();
  }

  FakeHost host;

 private:
  int server_in_ = -1;
  int server_out_ = -1;
  int write_ = -1;
  int read_ = -1;
  int stop_ = -1;
  std::string heard_;
  std::future<Ended> ended_;
};

using std::chrono::milliseconds;
constexpr StdioLimits kShort{.finish = milliseconds{50}, .stop = milliseconds{100}};

}  // namespace

TEST_CASE("a session over pipes and over sockets") {
  for (const Wire wire : {Wire::Pipe, Wire::Socket}) {
    Session session(wire);
    session.say(request(1, "initialize", {{"protocolVersion", "2025-11-25"}}));
    CHECK(session.hear()["result"]["protocolVersion"] == "2025-11-25");
    session.raw("\n{bad\r\n" + request(2, "ping") + "\r\n" + call(3, {{"do", "echo"}}) + "\n");
    CHECK(session.hear()["error"]["code"] == -32700);
    CHECK(session.hear()["id"] == 2);
    CHECK(session.hear()["id"] == 3);
    session.close_write();
    CHECK(session.ended() == Ended::Clean);
  }
}

TEST_CASE("a big picture arrives whole, also in front of other answers") {
  for (const Wire wire : {Wire::Pipe, Wire::Socket}) {
    Session session(wire);
    session.say(call(1, {{"do", "big"}}));
    session.say(request(2, "ping"));
    bool ponged = false;
    for (int i = 0; i < 2; ++i) {
      const Json answer = session.hear();
      if (answer["id"] == 2) ponged = true;
      if (answer["id"] == 1) CHECK(answer["result"]["content"][1]["data"].get<std::string>().size() == 4'000'000);
    }
    CHECK(ponged);
  }
}

TEST_CASE("accepted calls are answered after the input ended, a last line without newline too") {
  Session session;
  session.raw(call(1, {{"do", "echo"}}) + "\n" + call(2, {{"do", "echo"}}));
  session.close_write();
  CHECK(session.hear()["id"] == 1);
  CHECK(session.hear()["id"] == 2);
  CHECK(session.ended() == Ended::Clean);
}

TEST_CASE("a call that goes on after the input ended is stopped") {
  Session session(Wire::Pipe, {.finish = milliseconds{50}, .stop = kPatience});
  session.say(call(1, {{"do", "block"}}));
  REQUIRE(session.host.wait_blocked());
  session.close_write();
  CHECK(session.ended() == Ended::Clean);
  CHECK(session.host.wait_stopped(1));
}

TEST_CASE("asked to stop, it stops the running call and leaves") {
  Session session;
  session.say(call(1, {{"do", "block"}}));
  REQUIRE(session.host.wait_blocked());
  session.ask_to_stop();
  CHECK(session.ended() == Ended::Clean);
  CHECK(session.host.wait_stopped(1));
}

TEST_CASE("a client that is gone ends the server, also in the middle of a call") {
  for (const Wire wire : {Wire::Pipe, Wire::Socket}) {
    Session session(wire);
    session.say(call(1, {{"do", "block"}}));
    REQUIRE(session.host.wait_blocked());
    session.close_read();
    if (wire == Wire::Socket) session.close_write();  // a socket whose reader left is noticed when the peer is gone
    CHECK(session.ended() == Ended::Clean);
    CHECK(session.host.wait_stopped(1));
  }
}

TEST_CASE("a client that does not read blocks neither EOF nor stop") {
  for (const bool by_eof : {true, false}) {
    Session session(Wire::Pipe, kShort);
    session.say(call(1, {{"do", "big"}}));
    session.say(call(2, {{"do", "block"}}));
    REQUIRE(session.host.wait_blocked());  // the first answer is more than a pipe holds
    by_eof ? session.close_write() : session.ask_to_stop();
    CHECK(session.ended() == Ended::Clean);
  }
}

TEST_CASE("a call that cannot be stopped is left behind in bounded time") {
  Session session(Wire::Pipe, kShort);
  session.say(call(1, {{"do", "deaf"}}));
  REQUIRE(session.host.wait_blocked());
  session.ask_to_stop();
  CHECK(session.ended() == Ended::Stuck);
}

TEST_CASE("cancelled in flight over a pipe") {
  Session session;
  session.say(call("slow", {{"do", "block"}}));
  REQUIRE(session.host.wait_blocked());
  session.say(cancelled("slow"));
  REQUIRE(session.host.wait_stopped(1));
  session.say(request("after", "ping"));
  CHECK(session.hear()["id"] == "after");
}

TEST_CASE("a line of 40 MiB is refused once and the next one is served") {
  Session session;
  session.raw(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":")");
  const std::string mebibyte(std::size_t{1} << 20, 'x');
  for (int i = 0; i < 40; ++i) session.raw(mebibyte);
  session.raw("\"}}\n");
  session.say(request(2, "ping"));
  const Json refusal = session.hear();
  CHECK(refusal["error"]["code"] == -32600);
  CHECK(refusal["error"]["message"].get<std::string>().find("16 MiB") != std::string::npos);
  CHECK(session.hear()["id"] == 2);
}

TEST_CASE("a client that asks without reading is held back, then served") {
  Session session(Wire::Pipe, {.backlog = 1000});
  const int count = 20'000;
  auto writer = std::async(std::launch::async, [&] {
    for (int i = 0; i < count; ++i) session.say(request(i, "ping"));
  });
  // Nothing is read until the writer is stuck on a full pipe.
  CHECK(writer.wait_for(milliseconds{100}) == std::future_status::timeout);
  int answered = 0;
  while (answered < count && session.hear()["id"] == answered) ++answered;
  CHECK(answered == count);
  writer.get();
}
