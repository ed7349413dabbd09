#include "src/engine/describe.hpp"

#include <glib.h>

#include <array>

#include "input/keys.hpp"
#include "src/engine/replies.hpp"

namespace deskmark {
namespace {

constexpr std::size_t kShown = 200;  ///< bytes of a text at most

std::size_t length(const std::string& text) {
  const std::string valid = valid_utf8(text);
  return static_cast<std::size_t>(g_utf8_strlen(valid.c_str(), static_cast<gssize>(valid.size())));
}

std::string counted(const std::string& text) { return std::to_string(length(text)) + " characters"; }

/// On one line: a text must not look like the next question.
std::string quoted(const std::string& text) {
  std::string out = valid_utf8(text);
  bool cut = false;
  if (out.size() > kShown) {
    std::size_t end = kShown;
    while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xc0) == 0x80) --end;
    out.resize(end);
    cut = true;
  }
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return "\"" + out + (cut ? "…\" (" + counted(text) + ")" : "\"");
}

std::string label(const std::string& text, Detail detail) {
  return detail == Detail::Lengths ? "(" + counted(text) + ")" : quoted(text);
}

std::string text_words(const std::string& text, Detail detail) {
  return detail == Detail::Texts ? quoted(text) : counted(text);
}

std::string point(const Pixel& at) { return "(" + std::to_string(at.x) + "," + std::to_string(at.y) + ")"; }

std::string mark_words(int index, const Snapshot* seen, Detail detail) {
  const std::string number = "element " + std::to_string(index);
  if (!seen || index < 1 || index > static_cast<int>(seen->scene.marks.size())) return number;
  const Mark& mark = seen->scene.marks[static_cast<std::size_t>(index - 1)];
  return mark.role_word + " " + label(mark.label, detail) + " (" + number + ")";
}

std::string spot(const std::optional<int>& element, const std::optional<Pixel>& pixel, const Snapshot* seen,
                 Detail detail) {
  if (element) return mark_words(*element, seen, detail);
  if (pixel) return "pixel " + point(*pixel);
  return {};
}

std::string held(const std::vector<Modifier>& modifiers) {
  constexpr std::array<const char*, 4> kNames{"alt", "ctrl", "shift", "super"};
  std::string out;
  for (const Modifier m : modifiers)
    out += (out.empty() ? " with " : "+") + std::string{kNames[static_cast<std::size_t>(m)]};
  return out;
}

std::string keys_words(const std::string& keys) {
  const auto parsed = parse_keys(keys);
  const auto* combo = std::get_if<KeyCombo>(&parsed);
  return combo ? combo->canonical : "an unknown key";
}

/// A single character is what is typed: it is told like text.
std::string pressed_words(const std::string& keys, Detail detail) {
  return detail != Detail::Texts && length(keys) == 1 ? "a character key" : keys_words(keys);
}

std::string target_words(const Request& request, const Snapshot* seen, Detail detail) {
  if (request.action == Action::FocusApp && request.app) return " " + label(*request.app, detail);
  if (!seen) return {};
  if (seen->target.kind == TargetKind::Screen) return " on the screen";
  std::string out = " in ";
  if (!seen->target.window.title.empty()) out += label(seen->target.window.title, detail) + " of ";
  return out + (seen->target.app.empty() ? "an unnamed application" : valid_utf8(seen->target.app));
}

}  // namespace

std::string describe(const Request& request, const Snapshot* seen, Detail detail) {
  const std::string on = spot(request.element, request.coordinate, seen, detail);
  const std::string onto = on.empty() ? "" : " on " + on;
  const std::string into = on.empty() ? "" : " into " + on;
  std::string out;
  switch (request.action) {
    case Action::Click:
      out = std::string{request.button == Button::Right    ? "right click"
                        : request.button == Button::Middle ? "middle click"
                                                           : "click"} +
            onto;
      break;
    case Action::DoubleClick: out = "double click" + onto; break;
    case Action::RightClick: out = "right click" + onto; break;
    case Action::MiddleClick: out = "middle click" + onto; break;
    case Action::Drag:
      out = "drag from " + spot(request.from_element, request.from_coordinate, seen, detail) + " to " +
            spot(request.to_element, request.to_coordinate, seen, detail);
      break;
    case Action::Scroll: {
      constexpr std::array<const char*, 4> kWays{"up", "down", "left", "right"};
      out = std::string{"scroll "} + kWays[static_cast<std::size_t>(request.direction)] + " " +
            std::to_string(request.amount) + onto;
      break;
    }
    case Action::Type: out = "type " + text_words(request.text.value_or(""), detail) + into; break;
    case Action::Key: out = "press " + pressed_words(request.keys.value_or(""), detail) + onto; break;
    case Action::SetValue: out = "set " + on + " to " + text_words(request.value.value_or(""), detail); break;
    case Action::FocusApp: out = request.raise_window ? "bring to the front" : "direct input to"; break;
    default: out = std::string{action_word(request.action)}; break;
  }
  out += held(request.modifiers) + target_words(request, seen, detail);
  if (kReadingActions.has(request.action) || request.action == Action::FocusApp) return out;
  if (request.bring_to_front) return out + ", bringing the window to the front for good";
  return out + (request.delivery == Delivery::Foreground ? ", in the foreground" : ", in the background");
}

nlohmann::ordered_json audited(const Request& request) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  const auto put = [&](const char* name, const auto& value) {
    if (value) out[name] = *value;
  };
  const auto put_pixel = [&](const char* name, const std::optional<Pixel>& at) {
    if (at) out[name] = {at->x, at->y};
  };
  const auto put_length = [&](const char* name, const std::optional<std::string>& text) {
    if (text) out[std::string{name} + "_length"] = length(*text);
  };
  if (request.mode) out["mode"] = mode_word(*request.mode);
  put("pid", request.pid);
  put("window_id", request.window_id);
  put("element", request.element);
  put_pixel("coordinate", request.coordinate);
  put("from_element", request.from_element);
  put("to_element", request.to_element);
  put_pixel("from_coordinate", request.from_coordinate);
  put_pixel("to_coordinate", request.to_coordinate);
  put_length("app", request.app);
  put_length("text", request.text);
  put_length("value", request.value);
  put_length("reason", request.reason);
  if (request.keys) out["keys"] = pressed_words(*request.keys, Detail::Lengths);
  if (request.delivery == Delivery::Foreground) out["delivery_mode"] = "foreground";
  if (request.bring_to_front) out["bring_to_front"] = true;
  if (request.raise_window) out["raise_window"] = true;
  if (request.capture_after) out["capture_after"] = true;
  return out;
}

}  // namespace deskmark
