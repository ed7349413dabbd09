// The engine: requests in, replies out. Owns the sources, the targets and each client's snapshots; front doors (MCP,
// command line, service) hold a Client and call it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "schema/action_set.hpp"
#include "schema/request.hpp"

namespace deskmark {

struct EngineOptions {
  std::string display;                      ///< empty: $DISPLAY
  int max_image_dimension = 0;              ///< longer side of a delivered picture, pixels; 0: no limit (mcp: 1568)
  std::size_t max_image_bytes = 3'500'000;  ///< before base64; above it JPEG; 0: no limit
  int max_elements = 300;
  int timeout_ms = 30'000;        ///< default deadline of a request, 1..120 s
  std::string languages = "eng";  ///< of text read from pixels, Tesseract names joined by '+'
  std::string approve = "none";   ///< none, background, foreground, all
  bool dry_run = false;           ///< actions are planned and printed, nothing is sent
  bool human_like = false;        ///< pointer moves on an eased path with jitter
  int key_delay_ms = 0;           ///< between typed keys
  int motion_steps = 0;           ///< of a pointer path; 0: the default
  std::vector<std::pair<std::string, std::string>> approve_apps;  ///< the same for single applications: name, scope
  ActionSet profile = ActionSet::all();                           ///< actions there are at all (src/policy/profile.hpp)
  ActionSet allow = ActionSet::all();                             ///< allow-list; what is in both is allowed
  std::vector<std::string> exclude_apps;  ///< neither listed, captured nor touched (src/policy/exclude.hpp)
  int approval_wait_s = 120;              ///< how long an action waits for a person who answers approvals
  bool audit = true;                      ///< write down what was done (src/policy/audit.hpp)
  std::int64_t audit_bytes = 8'000'000;   ///< of one file; then it is rotated
  int audit_files = 4;                    ///< kept beside the current one
  int keep_pictures = 0;                  ///< delivered pictures left as private files, at most; 0: none
  bool label_boxes = false;               ///< add `label_boxes` (where each number was drawn) to captures, for tests
};

[[nodiscard]] inline ActionSet allowed_actions(const EngineOptions& options) { return options.profile & options.allow; }

/// What goes back: `body` is the reply object of the contract (always `ok` and `action`); the picture travels beside
/// it.
struct Reply {
  nlohmann::ordered_json body;
  std::string picture_mime;  ///< empty: no picture delivered
  std::vector<std::uint8_t> picture;
};

/// Told now and then while a request waits (seconds waited so far, of how many).
using Progress = std::function<void(double done, double total, const std::string& what)>;

/// What a person said to a question.
enum class Answer : std::uint8_t { Granted, Denied, NoOne };

/// Who a request comes from, as its front door knows it.
struct Caller {
  std::string name;  ///< for the audit and for questions
  /// Asks the client's user and waits for the answer, at most `limit`; heeds the token. Empty: this client cannot ask.
  std::function<Answer(const std::string& question, std::chrono::milliseconds limit, const std::stop_token& stop)> ask;
};

class Engine {
 public:
  explicit Engine(EngineOptions options);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// One client's memory: its last 8 captures and its sticky target. Create one per connection.
  class Client;
  std::shared_ptr<Client> new_client();

  /// What of `client` a command in another process needs to act on its last capture, as text; empty: nothing. Holds no
  /// texts of fields.
  [[nodiscard]] static std::string remembered(const Client& client);
  /// Takes up such a text; false when it is not one.
  static bool recall(Client& client, const std::string& text);

  /// Carries out raw arguments. Never throws; faults become a reply with a code. `stop` cancels.
  Reply call(Client& client, const nlohmann::json& arguments, std::stop_token stop, const Progress& progress,
             const Caller& caller = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace deskmark
