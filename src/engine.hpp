// The engine: requests in, replies out. Owns the sources, the targets and each client's snapshots; front doors (MCP,
// command line, service) hold a Client and call it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <vector>

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
  bool label_boxes = false;       ///< add `label_boxes` (where each number was drawn) to captures, for tests
};

/// What goes back: `body` is the reply object of the contract (always `ok` and `action`); the picture travels beside
/// it.
struct Reply {
  nlohmann::ordered_json body;
  std::string picture_mime;  ///< empty: no picture delivered
  std::vector<std::uint8_t> picture;
};

/// Told now and then while a request waits (seconds waited so far, of how many).
using Progress = std::function<void(double done, double total, const std::string& what)>;

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
  Reply call(Client& client, const nlohmann::json& arguments, std::stop_token stop, const Progress& progress);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace deskmark
