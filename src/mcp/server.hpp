// The Model Context Protocol, server side, for one client: lines in, lines out. Knows no file descriptors (stdio.hpp
// does).
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <string_view>

#include "schema/action_set.hpp"
#include "src/engine.hpp"
#include "src/mcp/content.hpp"
#include "src/mcp/message.hpp"
#include "src/mcp/questions.hpp"
#include "src/mcp/worker.hpp"

namespace deskmark::mcp {

/// Carries out the arguments of one `computer_use` call. Called on the worker's thread, one call at a time; may wait,
/// must heed the token. An exception becomes a reply with the code `internal`.
using ToolHost = std::function<Reply(const nlohmann::json& arguments, std::stop_token stop, const Progress& progress,
                                     const Caller& caller)>;

class McpServer {
 public:
  struct Options {
    std::string version;  ///< of deskmark, told to the client
    ReplyForm form = ReplyForm::Both;
    ActionSet actions = ActionSet::all();  ///< what is advertised
  };
  /// `send` takes one line without its newline, from any thread; it must not wait for the client. `idle` is called,
  /// from the worker's thread, each time no call is left.
  McpServer(ToolHost host, Options options, Worker::Send send, std::function<void()> idle = {});

  /// One message, from one thread only. Blank lines are ignored.
  void on_line(std::string_view line);
  void on_oversized_line();

  [[nodiscard]] bool idle() const { return worker_.idle(); }
  void cancel_all() { worker_.cancel_all(); }

 private:
  void on_request(const Message& message, std::size_t bytes);
  void on_notification(const Message& message);
  void initialize(const Message& message);
  void list_tools(const Message& message);
  void call_tool(const Message& message, std::size_t bytes);
  void fail(const nlohmann::json& id, int code, std::string why);

  ToolHost host_;
  Options options_;
  Worker::Send send_;
  Questions questions_;
  std::string client_;         ///< name and version of the client, as it says
  bool asks_ = false;          ///< the client can put a question to its user
  std::string_view protocol_;  ///< version in use; the newest until the client has said
  Worker worker_;              // last: its thread uses the others
};

}  // namespace deskmark::mcp
