// One `computer_use` request, typed. Everything optional that the caller may leave out; companions already checked.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "schema/codes.hpp"

namespace deskmark {

enum class Action : std::uint8_t {
  Capture,
  Click,
  DoubleClick,
  RightClick,
  MiddleClick,
  Drag,
  Scroll,
  Type,
  Key,
  SetValue,
  Wait,
  ListApps,
  ListWindows,
  FocusApp,
  RequestHandoff,
  WaitForHuman,
};
[[nodiscard]] std::string_view action_word(Action action);
[[nodiscard]] std::optional<Action> action_from_word(std::string_view word);

enum class Mode : std::uint8_t { Som, Vision, Ax };
[[nodiscard]] std::string_view mode_word(Mode mode);
enum class Button : std::uint8_t { Left, Right, Middle };
enum class Direction : std::uint8_t { Up, Down, Left, Right };
enum class Delivery : std::uint8_t { Background, Foreground };
/// Alt, Ctrl, Shift, Super after the aliases of the contract are resolved (`fn` is refused before).
enum class Modifier : std::uint8_t { Alt, Ctrl, Shift, Super };

struct Pixel {
  int x = 0;  ///< pixels of the newest picture, origin top-left
  int y = 0;
};

struct Request {
  Action action = Action::Capture;
  std::optional<Mode> mode;
  std::optional<std::string> app;
  std::optional<int> pid;
  std::optional<std::uint32_t> window_id;
  std::optional<int> element;
  std::optional<Pixel> coordinate;
  std::optional<Button> button;
  std::vector<Modifier> modifiers;
  std::optional<int> from_element;
  std::optional<int> to_element;
  std::optional<Pixel> from_coordinate;
  std::optional<Pixel> to_coordinate;
  Direction direction = Direction::Down;
  int amount = 3;
  std::optional<std::string> value;
  std::optional<std::string> text;
  std::optional<std::string> keys;
  double seconds = 1;  ///< default by action: wait 1, wait_for_human 600
  std::optional<std::string> reason;
  bool raise_window = false;
  Delivery delivery = Delivery::Background;
  bool bring_to_front = false;
  bool capture_after = false;
  std::vector<std::string> warnings;  ///< properties that were ignored, in words
};

/// Parses and validates: zero-filled and null properties count as absent; unknown property, wrong type, range and
/// missing companion are invalid_request naming the property and what was expected; nothing is sent before this passes.
[[nodiscard]] std::variant<Request, Failure> parse_request(const nlohmann::json& arguments);

/// The advertised JSON schema of the tool's arguments: schema/computer_use.json without its white space. Frozen once
/// released.
[[nodiscard]] std::string_view tool_schema_text();
/// The tool's description as advertised (schema/computer_use.txt).
[[nodiscard]] std::string_view tool_description();

}  // namespace deskmark
