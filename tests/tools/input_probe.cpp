// Drives the input edge alone: a JSON object per line on stdin, an answer per line on stdout. For tests and for trying
// things out; not installed. {"do":"click","window":ID,"x":1,"y":2,"button":"right","count":2,"held":["ctrl"],
// "foreground":true,"keep_front":false} — also drag (to_window, to_x, to_y), scroll (direction, ticks), press (keys),
// type (text, clipboard, pid), activate (raise), reachable.
#include <cstdio>
#include <iostream>
#include <string>

#include <nlohmann/json.hpp>

#include "input/x11/open.hpp"

using namespace deskmark;
using Json = nlohmann::json;

namespace {

constexpr const char* kSent[] = {"nothing", "part", "all", "unknown"};

PointerPlace place(const Json& j, const char* window, const char* x, const char* y) {
  PointerPlace out;
  out.window.id = j.value(window, j.value("window", 0U));
  if (j.contains("pid")) out.window.pid = j.value("pid", 0);
  out.at = {j.value(x, 0), j.value(y, 0)};
  return out;
}

std::vector<Modifier> modifiers(const Json& j) {
  std::vector<Modifier> out;
  for (const auto& name : j.value("held", Json::array())) {
    if (name == "ctrl") out.push_back(Modifier::Ctrl);
    if (name == "shift") out.push_back(Modifier::Shift);
    if (name == "alt") out.push_back(Modifier::Alt);
    if (name == "super") out.push_back(Modifier::Super);
  }
  return out;
}

Delivered carry_out(InputSink& sink, const Json& j) {
  const std::string what = j.value("do", "");
  const auto delivery = j.value("foreground", false) ? Delivery::Foreground : Delivery::Background;
  const bool keep = j.value("keep_front", false);
  const Deadline deadline = Deadline::in(std::chrono::milliseconds{j.value("deadline_ms", 30000)});
  Pacing pacing;
  pacing.human_like = j.value("human", false);
  pacing.hold = std::chrono::milliseconds{j.value("hold_ms", 60)};
  pacing.key_delay = std::chrono::milliseconds{j.value("key_delay", 0)};
  const std::string button_name = j.value("button", "left");
  const Button button = button_name == "right"    ? Button::Right
                        : button_name == "middle" ? Button::Middle
                                                  : Button::Left;
  const PointerPlace at = place(j, "window", "x", "y");
  if (what == "click")
    return sink.click(at, button, j.value("count", 1), modifiers(j), delivery, keep, pacing, deadline);
  if (what == "drag")
    return sink.drag(at, place(j, "to_window", "to_x", "to_y"), button, modifiers(j), delivery, keep, pacing, deadline);
  if (what == "scroll") {
    const std::string name = j.value("direction", "down");
    const Direction direction = name == "up"      ? Direction::Up
                                : name == "left"  ? Direction::Left
                                : name == "right" ? Direction::Right
                                                  : Direction::Down;
    return sink.scroll(at, direction, j.value("ticks", 3), modifiers(j), delivery, keep, pacing, deadline);
  }
  if (what == "press") {
    const auto parsed = parse_keys(j.value("keys", ""));
    if (const auto* combo = std::get_if<KeyCombo>(&parsed))
      return sink.press(at.window, *combo, delivery, keep, pacing, deadline);
    return {.code = "unknown_key"};
  }
  if (what == "type")
    return sink.type(at.window, j.value("text", ""), delivery, keep, j.value("clipboard", false), pacing, deadline);
  if (what == "activate") return sink.activate(at.window, j.value("raise", true), deadline);
  if (what == "reachable") return {.sent = sink.reachable(at, deadline) ? Sent::All : Sent::Nothing};
  return {.code = "invalid_request"};
}

}  // namespace

int main() {
  auto opened = open_x11_input("");
  if (!opened) {
    std::cout << Json{{"code", opened.error.code}, {"message", opened.error.message}}.dump() << std::endl;
    return 3;
  }
  for (std::string line; std::getline(std::cin, line);) {
    const Json request = Json::parse(line, nullptr, false);
    if (!request.is_object()) continue;
    const auto start = std::chrono::steady_clock::now();
    const Delivered d = carry_out(**opened.value, request);
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
    std::cout << Json{{"sent", kSent[static_cast<int>(d.sent)]},
                      {"route", d.route},
                      {"code", d.code},
                      {"message", d.message},
                      {"completed", d.completed},
                      {"total", d.total},
                      {"ms", took.count()}}
                     .dump()
              << std::endl;
  }
}
