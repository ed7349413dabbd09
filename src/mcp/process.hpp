// The process side of an MCP server: standard input and output set apart for the protocol, signals, exit.
#pragma once

#include "src/mcp/server.hpp"

namespace deskmark::mcp {

/// Takes standard input and output for the protocol: from then on whatever else in the process prints goes to standard
/// error, and what it starts inherits neither. SIGTERM, SIGINT and SIGHUP ask the server to leave; SIGPIPE is harmless.
/// One per process, made before threads and libraries that might print.
class ProcessStdio {
 public:
  ProcessStdio();
  ~ProcessStdio();
  ProcessStdio(const ProcessStdio&) = delete;
  ProcessStdio& operator=(const ProcessStdio&) = delete;

  int in = -1;
  int out = -1;
  int stop = -1;
};

/// Serves until the client leaves or a signal asks to. Returns the exit code; does not return when a call cannot be
/// stopped.
int serve(const ProcessStdio& stdio, ToolHost host, McpServer::Options options);

}  // namespace deskmark::mcp
