#include "schema/request.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "schema/rules.hpp"
#include "schema/shape.hpp"
#include "schema/wording.hpp"

namespace deskmark {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxCharacters = 100'000;  // of any string; the contract says it of `text`
constexpr std::size_t kMaxItems = 64;            // of any array
constexpr double kMaxWait = 30;
constexpr double kDefaultWait = 1;
constexpr double kDefaultWaitForHuman = 600;

Failure invalid(std::string message) { return {Code::InvalidRequest, std::move(message)}; }

// ---- The action

/// Names other tools use for the same thing, where the spelling is no guide.
std::string_view synonym(std::string_view given) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kOther{{
      {"screenshot", "capture"},
      {"snapshot", "capture"},
      {"see", "capture"},
      {"left_click", "click"},
      {"tap", "click"},
      {"press", "key"},
      {"hotkey", "key"},
      {"press_key", "key"},
      {"write", "type"},
      {"input", "type"},
      {"sleep", "wait"},
      {"select", "set_value"},
  }};
  for (const auto& [other, ours] : kOther)
    if (other == given) return ours;
  return {};
}

std::variant<Action, Failure> parse_action(const Json& arguments) {
  const Json& words = property_schema("action").at("enum");
  const auto given = arguments.find("action");
  if (given == arguments.end() || given->is_null() || *given == "")
    return invalid("action is missing: expected " + expected(property_schema("action")));
  if (!given->is_string()) return misfit("action", *given);
  const std::string& word = given->get_ref<const std::string&>();
  if (const auto action = action_from_word(word)) return *action;

  std::vector<std::string_view> known;
  for (const Json& entry : words) known.emplace_back(entry.get_ref<const std::string&>());
  const std::string_view meant = synonym(word).empty() ? nearest(word, known) : synonym(word);
  return invalid("action: " + shown(std::string_view(word)) + " is unknown, the nearest is " + std::string(meant) +
                 "; expected " + expected(property_schema("action")));
}

// ---- Properties one by one

bool blank(const Json& value, Blank kind) {
  if (value.is_null()) return true;
  if (kind == Blank::Zero) return value.is_number() && value == 0;
  if (kind != Blank::Empty) return false;
  return value == "" ||
         (value.is_array() && std::all_of(value.begin(), value.end(), [](const Json& item) { return item.is_null(); }));
}

/// What fill-everything callers send for a property the action does not read.
bool says_nothing(const Json& value) {
  return value == false || value == "" || (value.is_number() && value == 0) || (value.is_array() && value.empty());
}

/// 3.0 is 3: some clients have one kind of number only.
void make_whole(Json& value) {
  constexpr double kExact = 9007199254740992.0;
  if (!value.is_number_float()) return;
  const double number = value.get<double>();
  if (std::trunc(number) == number && std::abs(number) <= kExact) value = static_cast<std::int64_t>(number);
}

void make_integers_whole(const Json& schema, Json& value) {
  if (schema.value("type", "") == "integer") make_whole(value);
  if (value.is_array() && schema.contains("items") && schema["items"].value("type", "") == "integer")
    for (Json& item : value) make_whole(item);
}

std::optional<Failure> check_string(std::string_view name, const std::string& text) {
  const std::string property(name);
  if (text.find('\0') != std::string::npos)
    return invalid(property + ": contains a NUL character, which cannot be sent");
  const auto length = code_points(text);
  if (!length) return invalid(property + ": expected valid UTF-8");
  if (*length > kMaxCharacters) {
    return invalid(property + ": expected a string of at most " + std::to_string(kMaxCharacters) + " characters, got " +
                   std::to_string(*length));
  }
  return std::nullopt;
}

/// Bounds on one value that come before the schema, so that the work for a hostile one is small.
std::optional<Failure> check_size(std::string_view name, const Json& value) {
  if (value.is_string()) return check_string(name, value.get_ref<const std::string&>());
  if (value.is_number_float() && !std::isfinite(value.get<double>())) return misfit(name, value);
  if (value.is_array()) {
    if (value.size() > kMaxItems) return misfit(name, value);
    for (const Json& item : value)
      if (item.is_structured() || (item.is_number_float() && !std::isfinite(item.get<double>())))
        return misfit(name, value);
  }
  return std::nullopt;
}

Failure unknown_property(std::string_view name) {
  std::vector<std::string_view> known{"action"};
  for (const PropertyRule& rule : property_rules()) known.push_back(rule.name);
  return invalid("unknown property " + shown(name) + ", the nearest is " + std::string(nearest(name, known)));
}

/// The properties that are really given, in the types they are meant in.
std::variant<Json, Failure> given_properties(const Json& arguments, Action action, std::vector<std::string>& warnings) {
  Json given = Json::object();
  given["action"] = action_word(action);
  for (const auto& [name, value] : arguments.items()) {
    if (name == "action") continue;
    const PropertyRule* rule = property_rule(name);
    if (rule == nullptr) return unknown_property(name);
    if (blank(value, rule->blank)) continue;
    const bool applies = rule->applies_to(action);
    if (!applies && says_nothing(value)) continue;
    if (auto failure = check_size(name, value)) return *failure;
    Json copy = value;
    if (name == "modifiers" && copy.is_array())
      std::erase_if(copy.get_ref<Json::array_t&>(), [](const Json& item) { return item.is_null(); });
    make_integers_whole(property_schema(name), copy);
    given[name] = std::move(copy);
    if (!applies)
      warnings.push_back(name + " does not apply to " + std::string(action_word(action)) + " and was ignored");
  }
  return given;
}

// ---- Typed values; `given` fits the schema by now

template <class Int>
std::optional<Failure> read_count(const Json& given, const char* name, std::optional<Int>& out) {
  const auto found = given.find(name);
  if (found == given.end()) return std::nullopt;
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<Int>::max());
  const bool fits = found->is_number_unsigned() ? found->get<std::uint64_t>() <= kMax
                                                : found->get<std::int64_t>() > 0 && found->get<std::uint64_t>() <= kMax;
  if (!fits)
    return invalid(std::string(name) + ": expected an integer from 1 to " + std::to_string(kMax) + ", got " +
                   shown(*found));
  out = found->get<Int>();
  return std::nullopt;
}

std::optional<Failure> read_pixel(const Json& given, const char* name, std::optional<Pixel>& out) {
  const auto found = given.find(name);
  if (found == given.end()) return std::nullopt;
  std::array<int, 2> xy{};
  for (std::size_t i = 0; i < 2; ++i) {
    const Json& item = (*found)[i];
    const bool fits = item.is_number_unsigned() ? item.get<std::uint64_t>() <= std::numeric_limits<int>::max()
                                                : item.get<std::int64_t>() >= 0 &&
                                                      item.get<std::int64_t>() <= std::numeric_limits<int>::max();
    if (!fits)
      return invalid(std::string(name) + ": expected a pixel [x, y] of the picture, from 0, got " + shown(*found));
    xy[i] = item.get<int>();
  }
  out = Pixel{xy[0], xy[1]};
  return std::nullopt;
}

void read_string(const Json& given, const char* name, std::optional<std::string>& out) {
  if (const auto found = given.find(name); found != given.end()) out = found->get<std::string>();
}

void read_bool(const Json& given, const char* name, bool& out) {
  if (const auto found = given.find(name); found != given.end()) out = found->get<bool>();
}

/// Index of the word in the schema's enum, which the C++ enums follow.
template <class Enum>
std::optional<Enum> read_enum(const Json& given, const char* name) {
  const auto found = given.find(name);
  if (found == given.end()) return std::nullopt;
  const Json& words = property_schema(name).at("enum");
  return static_cast<Enum>(std::find(words.begin(), words.end(), *found) - words.begin());
}

std::optional<Failure> read_modifiers(const Json& given, std::vector<Modifier>& out) {
  const auto found = given.find("modifiers");
  if (found == given.end()) return std::nullopt;
  for (const Json& item : *found) {
    const std::string& word = item.get_ref<const std::string&>();
    if (word == "fn") {
      return Failure{Code::UnsupportedModifier, "modifiers: fn does not exist on this display; leave it out"};
    }
    Modifier modifier = Modifier::Super;  // cmd, win, windows, super, meta
    if (word == "alt" || word == "option") modifier = Modifier::Alt;
    if (word == "ctrl") modifier = Modifier::Ctrl;
    if (word == "shift") modifier = Modifier::Shift;
    if (std::find(out.begin(), out.end(), modifier) == out.end()) out.push_back(modifier);
  }
  return std::nullopt;
}

std::optional<Failure> read_all(const Json& given, Request& request) {
  if (auto failure = read_count(given, "pid", request.pid)) return failure;
  if (auto failure = read_count(given, "window_id", request.window_id)) return failure;
  if (auto failure = read_count(given, "element", request.element)) return failure;
  if (auto failure = read_count(given, "from_element", request.from_element)) return failure;
  if (auto failure = read_count(given, "to_element", request.to_element)) return failure;
  if (auto failure = read_pixel(given, "coordinate", request.coordinate)) return failure;
  if (auto failure = read_pixel(given, "from_coordinate", request.from_coordinate)) return failure;
  if (auto failure = read_pixel(given, "to_coordinate", request.to_coordinate)) return failure;
  if (auto failure = read_modifiers(given, request.modifiers)) return failure;
  read_string(given, "app", request.app);
  read_string(given, "value", request.value);
  read_string(given, "text", request.text);
  read_string(given, "keys", request.keys);
  read_string(given, "reason", request.reason);
  read_bool(given, "raise_window", request.raise_window);
  read_bool(given, "bring_to_front", request.bring_to_front);
  read_bool(given, "capture_after", request.capture_after);
  request.mode = read_enum<Mode>(given, "mode");
  request.button = read_enum<Button>(given, "button");
  request.direction = read_enum<Direction>(given, "direction").value_or(Direction::Down);
  request.delivery = read_enum<Delivery>(given, "delivery_mode").value_or(Delivery::Background);
  if (const auto found = given.find("amount"); found != given.end()) request.amount = found->get<int>();
  request.seconds = request.action == Action::WaitForHuman ? kDefaultWaitForHuman : kDefaultWait;
  if (const auto found = given.find("seconds"); found != given.end()) request.seconds = found->get<double>();
  return std::nullopt;
}

// ---- Companions

/// A mark and a pixel exclude each other; a pixel of [0, 0] beside a mark is a filled-in zero.
std::optional<Failure> one_place(const char* mark, const std::optional<int>& element, const char* pixel,
                                 std::optional<Pixel>& coordinate, bool required, Request& request) {
  if (element && coordinate) {
    if (coordinate->x != 0 || coordinate->y != 0) {
      return invalid(std::string(pixel) + ": expected either " + mark + " or " + pixel + ", got both");
    }
    coordinate.reset();
    request.warnings.push_back(std::string(pixel) + " [0,0] was ignored, since " + mark + " is given");
  }
  if (required && !element && !coordinate) {
    return invalid(std::string(action_word(request.action)) + " needs " + mark +
                   " (the number of a mark of the newest capture) or " + pixel + " [x, y]");
  }
  return std::nullopt;
}

std::optional<Failure> needs(const Request& request, bool present, const char* property, const char* what) {
  if (present) return std::nullopt;
  return invalid(std::string(action_word(request.action)) + " needs " + property + ": " + what);
}

bool same_word(std::string_view a, std::string_view lower) {
  return std::equal(a.begin(), a.end(), lower.begin(), lower.end(),
                    [](char x, char y) { return (x >= 'A' && x <= 'Z' ? static_cast<char>(x - 'A' + 'a') : x) == y; });
}

std::optional<Failure> check_companions(const Json& given, Request& request) {
  switch (request.action) {
    case Action::Click:
    case Action::DoubleClick:
    case Action::RightClick:
    case Action::MiddleClick:
      return one_place("element", request.element, "coordinate", request.coordinate, true, request);
    case Action::Scroll: return one_place("element", request.element, "coordinate", request.coordinate, false, request);
    case Action::Drag:
      if (auto failure = one_place("from_element", request.from_element, "from_coordinate", request.from_coordinate,
                                   true, request))
        return failure;
      return one_place("to_element", request.to_element, "to_coordinate", request.to_coordinate, true, request);
    case Action::Type: return needs(request, request.text.has_value(), "text", "expected a string that is not empty");
    case Action::Key:
      return needs(request, request.keys.has_value(), "keys", "expected a key or combination, such as ctrl+s");
    case Action::SetValue:
      if (auto failure = needs(request, request.element.has_value(), "element",
                               "expected the number of a mark of the newest capture"))
        return failure;
      return needs(request, request.value.has_value(), "value", "expected a string");
    case Action::FocusApp: return needs(request, request.app.has_value(), "app", "expected the name of an application");
    case Action::RequestHandoff:
      return needs(request, request.reason.has_value(), "reason", "expected one sentence for the person");
    case Action::Wait:
      if (request.seconds > kMaxWait)
        return invalid("seconds: expected a number from 0 to 30 for wait, got " + shown(given.at("seconds")));
      return std::nullopt;
    case Action::Capture:
      if (request.app && same_word(*request.app, "screen") && request.mode == Mode::Ax)
        return invalid("mode: ax does not go with app 'screen', which is a picture only; expected som or vision");
      return std::nullopt;
    case Action::ListApps:
    case Action::ListWindows:
    case Action::WaitForHuman: return std::nullopt;
  }
  return std::nullopt;
}

/// Drops what the action does not read, so that no caller acts on it by mistake.
void drop_inapplicable(Json& given, Action action) {
  for (const PropertyRule& rule : property_rules())
    if (!rule.applies_to(action)) given.erase(std::string(rule.name));
}

std::variant<Request, Failure> parse(const Json& arguments) {
  if (!arguments.is_object()) return invalid("arguments: expected an object with action, got " + shown(arguments));
  const auto action = parse_action(arguments);
  if (const auto* failure = std::get_if<Failure>(&action)) return *failure;

  Request request;
  request.action = std::get<Action>(action);
  auto properties = given_properties(arguments, request.action, request.warnings);
  if (const auto* failure = std::get_if<Failure>(&properties)) return *failure;
  Json& given = std::get<Json>(properties);
  if (auto failure = check_shape(given)) return *failure;

  drop_inapplicable(given, request.action);
  if (auto failure = read_all(given, request)) return *failure;
  if (auto failure = check_companions(given, request)) return *failure;
  if (request.mode && request.action != Action::Capture && !request.capture_after) {
    request.mode.reset();
    request.warnings.push_back("mode goes with capture_after only and was ignored");
  }
  if (request.bring_to_front && request.delivery == Delivery::Background) {
    return Failure{Code::BringToFrontRequiresForeground,
                   "bring_to_front: expected delivery_mode foreground beside it; nothing was sent"};
  }
  return request;
}

}  // namespace

std::variant<Request, Failure> parse_request(const Json& arguments) try {
  return parse(arguments);
} catch (const std::exception& fault) {
  return Failure{Code::Internal, std::string("the request could not be read: ") + fault.what()};
}

}  // namespace deskmark
