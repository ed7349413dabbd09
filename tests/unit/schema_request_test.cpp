#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "schema/request.hpp"

using namespace deskmark;
using Json = nlohmann::json;

namespace {

Request accepted(const std::string& text) {
  INFO(text);
  const auto result = parse_request(Json::parse(text));
  if (const auto* failure = std::get_if<Failure>(&result)) {
    FAIL_CHECK(failure->message);
    return {};
  }
  return std::get<Request>(result);
}

Failure refused(const Json& arguments) {
  const auto result = parse_request(arguments);
  if (std::holds_alternative<Request>(result)) {
    FAIL_CHECK("accepted");
    return {Code::Internal, ""};
  }
  return std::get<Failure>(result);
}

void refuses(const std::string& text, const std::string& says, Code code = Code::InvalidRequest) {
  CAPTURE(text);
  const Failure failure = refused(Json::parse(text));
  CHECK(code_word(failure.code) == code_word(code));
  INFO(failure.message);
  CHECK(failure.message.find(says) != std::string::npos);
  CHECK(failure.message.size() < 700);
}

}  // namespace

TEST_CASE("defaults of a capture") {
  const Request r = accepted(R"({"action":"capture"})");
  CHECK(r.action == Action::Capture);
  CHECK_FALSE(r.mode.has_value());
  CHECK_FALSE(r.app.has_value());
  CHECK(r.delivery == Delivery::Background);
  CHECK_FALSE(r.capture_after);
  CHECK(r.warnings.empty());
}

TEST_CASE("every property arrives typed") {
  const Request c = accepted(R"({"action":"capture","mode":"ax","app":"Gedit","pid":4711,"window_id":4294967295})");
  CHECK(c.mode == Mode::Ax);
  CHECK(c.app == "Gedit");
  CHECK(c.pid == 4711);
  CHECK(c.window_id == 4294967295U);

  const Request k = accepted(
      R"({"action":"click","coordinate":[10,0],"button":"middle","modifiers":["ctrl","shift"],"delivery_mode":"foreground",
          "bring_to_front":true,"capture_after":true,"mode":"vision","app":"x"})");
  REQUIRE(k.coordinate.has_value());
  CHECK(k.coordinate->x == 10);
  CHECK(k.coordinate->y == 0);
  CHECK(k.button == Button::Middle);
  CHECK(k.modifiers == std::vector{Modifier::Ctrl, Modifier::Shift});
  CHECK(k.delivery == Delivery::Foreground);
  CHECK(k.bring_to_front);
  CHECK(k.capture_after);
  CHECK(k.mode == Mode::Vision);

  const Request d = accepted(R"({"action":"drag","from_element":3,"to_coordinate":[5,6]})");
  CHECK(d.from_element == 3);
  CHECK(d.to_coordinate->y == 6);

  const Request s = accepted(R"({"action":"scroll","direction":"left","amount":50,"element":2})");
  CHECK(s.direction == Direction::Left);
  CHECK(s.amount == 50);
  CHECK(accepted(R"({"action":"scroll"})").direction == Direction::Down);
  CHECK(accepted(R"({"action":"scroll"})").amount == 3);

  CHECK(accepted(R"({"action":"type","text":"Größe 你好 😀\n","element":4})").text == "Größe 你好 😀\n");
  CHECK(accepted(R"({"action":"key","keys":"ctrl+s"})").keys == "ctrl+s");
  CHECK(accepted(R"({"action":"set_value","element":1,"value":"Blue"})").value == "Blue");
  CHECK(accepted(R"({"action":"focus_app","app":"kcalc","raise_window":true})").raise_window);
  CHECK(accepted(R"({"action":"request_handoff","reason":"log in please"})").reason == "log in please");
}

TEST_CASE("seconds: default and limit by action") {
  CHECK(accepted(R"({"action":"wait"})").seconds == 1);
  CHECK(accepted(R"({"action":"wait","seconds":0.25})").seconds == 0.25);
  CHECK(accepted(R"({"action":"wait","seconds":30})").seconds == 30);
  CHECK(accepted(R"({"action":"wait_for_human"})").seconds == 600);
  CHECK(accepted(R"({"action":"wait_for_human","seconds":1800})").seconds == 1800);
  refuses(R"({"action":"wait","seconds":30.5})", "seconds: expected a number from 0 to 30 for wait, got 30.5");
  refuses(R"({"action":"wait","seconds":-1})", "seconds: expected a number from 0 to 1800");
  refuses(R"({"action":"wait_for_human","seconds":1801})", "seconds");
}

TEST_CASE("null is absent everywhere, 0 for marks, processes and windows") {
  const Request r = accepted(
      R"({"action":"capture","mode":null,"app":null,"pid":0,"window_id":0,"element":0,"coordinate":null,"button":null,
          "modifiers":null,"from_element":0,"to_element":0,"from_coordinate":null,"to_coordinate":null,"direction":null,
          "amount":null,"value":null,"text":null,"keys":null,"seconds":null,"reason":null,"raise_window":null,
          "delivery_mode":null,"bring_to_front":null,"capture_after":null})");
  CHECK_FALSE(r.pid.has_value());
  CHECK_FALSE(r.window_id.has_value());
  CHECK_FALSE(r.element.has_value());
  CHECK(r.warnings.empty());
  CHECK_FALSE(accepted(R"({"action":"type","text":"a","element":0})").element.has_value());
  CHECK_FALSE(accepted(R"({"action":"type","text":"a","element":0.0})").element.has_value());
}

TEST_CASE("a request filled in with zeros and empty strings means what is left") {
  const Request r = accepted(
      R"({"action":"click","mode":"","app":"","pid":0,"window_id":0,"element":7,"coordinate":[0,0],"button":"","modifiers":[],
          "from_element":0,"to_element":0,"from_coordinate":[],"to_coordinate":[],"direction":"","amount":0,"value":"",
          "text":"","keys":"","seconds":0,"reason":"","raise_window":false,"delivery_mode":"","bring_to_front":false,
          "capture_after":false})");
  CHECK(r.element == 7);
  CHECK_FALSE(r.coordinate.has_value());
  CHECK_FALSE(r.app.has_value());
  REQUIRE(r.warnings.size() == 1);
  CHECK(r.warnings[0].find("coordinate") == 0);
}

TEST_CASE("null within an array") {
  CHECK(accepted(R"({"action":"click","element":2,"coordinate":[null,null],"modifiers":[null]})").modifiers.empty());
  CHECK(accepted(R"({"action":"click","element":2,"modifiers":[null,"alt"]})").modifiers == std::vector{Modifier::Alt});
  refuses(R"({"action":"click","coordinate":[5,null]})",
          "coordinate: expected an array of two integers, [x, y], got [5,null]");
}

TEST_CASE("[0, 0] is a pixel and an empty value is a value") {
  CHECK(accepted(R"({"action":"click","coordinate":[0,0]})").coordinate->x == 0);
  CHECK(accepted(R"({"action":"set_value","element":1,"value":""})").value == "");
}

TEST_CASE("integers may come as 3.0, never as text") {
  CHECK(accepted(R"({"action":"click","element":3.0})").element == 3);
  CHECK(accepted(R"({"action":"click","coordinate":[3.0,4]})").coordinate->x == 3);
  CHECK(accepted(R"({"action":"scroll","amount":2.0})").amount == 2);
  refuses(R"({"action":"click","element":"3"})", "element: expected an integer, got the string \"3\"");
  refuses(R"({"action":"click","element":3.5})", "element: expected an integer, got 3.5");
  refuses(R"({"action":"click","coordinate":["1",2]})", "coordinate: expected an array of two integers");
  refuses(R"({"action":"click","coordinate":[1.5,2]})",
          "coordinate: expected an array of two integers, [x, y], got [1.5,2]");
}

TEST_CASE("the action is checked first and the nearest is named") {
  refuses("{}", "action is missing: expected one of capture, click");
  refuses(R"({"action":null})", "action is missing");
  refuses(R"({"action":""})", "action is missing");
  refuses(R"({"action":7})", "action: expected one of capture");
  refuses(R"({"action":"clik"})", "the nearest is click;");
  refuses(R"({"action":"captrue"})", "the nearest is capture;");
  refuses(R"({"action":"list_window"})", "the nearest is list_windows;");
  refuses(R"({"action":"Click"})", "the nearest is click;");
  refuses(R"({"action":"screenshot"})", "the nearest is capture;");
  refuses(R"({"action":"left_click"})", "the nearest is click;");
}

TEST_CASE("unknown properties") {
  refuses(R"({"action":"click","elemnt":3})", "unknown property \"elemnt\", the nearest is element");
  refuses(R"({"action":"capture","nothing_like_it":null})", "unknown property \"nothing_like_it\"");
  refuses(R"({"action":"capture","":1})", "unknown property \"\"");
}

TEST_CASE("wrong types name the property, what was expected and what came") {
  refuses(R"({"action":"capture","mode":"SOM"})", "mode: expected one of som, vision, ax, got the string \"SOM\"");
  refuses(R"({"action":"capture","mode":1})", "mode: expected one of som");
  refuses(R"({"action":"capture","app":["a"]})", "app: expected a string, got an array of 1");
  refuses(R"({"action":"capture","app":{"a":1}})", "app: expected a string, got an object");
  refuses(R"({"action":"capture","pid":true})", "pid: expected an integer, got true");
  refuses(R"({"action":"click","element":1,"button":"side"})", "button: expected one of left, right, middle");
  refuses(R"({"action":"click","element":1,"capture_after":"yes"})", "capture_after: expected true or false");
  refuses(R"({"action":"click","element":1,"capture_after":1})", "capture_after: expected true or false, got 1");
  refuses(R"({"action":"click","coordinate":[1]})", "coordinate: expected an array of two integers, [x, y], got [1]");
  refuses(R"({"action":"click","coordinate":[1,2,3]})", "coordinate");
  refuses(R"({"action":"click","coordinate":{"x":1,"y":2}})",
          "coordinate: expected an array of two integers, [x, y], got an object");
  refuses(R"({"action":"click","coordinate":"1,2"})", "coordinate");
  refuses(R"({"action":"click","element":1,"modifiers":"ctrl"})",
          "modifiers: expected an array with any of cmd, shift");
  refuses(R"({"action":"click","element":1,"modifiers":["hyper"]})",
          "modifiers: expected an array with any of cmd, shift");
  refuses(R"({"action":"click","element":1,"modifiers":[1]})", "modifiers");
  refuses(R"({"action":"type","text":5})", "text: expected a string of at most 100000 characters, got 5");
  refuses(R"({"action":"set_value","element":1,"value":5})", "value: expected a string, got 5");
  refuses(R"({"action":"wait","seconds":"2"})", "seconds: expected a number from 0 to 1800, got the string \"2\"");
}

TEST_CASE("values out of range") {
  refuses(R"({"action":"scroll","amount":0})", "amount: expected an integer from 1 to 50, got 0");
  refuses(R"({"action":"scroll","amount":51})", "amount: expected an integer from 1 to 50, got 51");
  refuses(R"({"action":"scroll","amount":-3})", "amount");
  refuses(R"({"action":"click","element":-1})", "element: expected an integer from 1 to");
  refuses(R"({"action":"click","element":4294967296})", "element: expected an integer from 1 to");
  refuses(R"({"action":"click","element":18446744073709551615})", "element: expected an integer from 1 to");
  refuses(R"({"action":"click","element":1e300})", "element: expected an integer");
  refuses(R"({"action":"capture","window_id":4294967296})", "window_id: expected an integer from 1 to 4294967295");
  refuses(R"({"action":"click","coordinate":[-1,2]})",
          "coordinate: expected a pixel [x, y] of the picture, from 0, got [-1,2]");
  refuses(R"({"action":"click","coordinate":[99999999999,2]})", "coordinate");
  refuses(R"({"action":"click","coordinate":[18446744073709551615,2]})", "coordinate");
  // Also where the property is not even read.
  refuses(R"({"action":"click","element":1,"amount":51})", "amount");
}

TEST_CASE("companions") {
  for (const char* action : {"click", "double_click", "right_click", "middle_click"}) {
    const std::string word = action;
    refuses(R"({"action":")" + word + R"("})",
            word + " needs element (the number of a mark of the newest capture) or coordinate");
    refuses(R"({"action":")" + word + R"(","element":1,"coordinate":[4,5]})",
            "coordinate: expected either element or coordinate, got both");
  }
  refuses(R"({"action":"scroll","element":1,"coordinate":[4,5]})", "got both");
  refuses(R"({"action":"drag"})", "drag needs from_element");
  refuses(R"({"action":"drag","from_element":1})", "drag needs to_element");
  refuses(R"({"action":"drag","to_coordinate":[1,2]})", "drag needs from_element");
  refuses(R"({"action":"drag","from_element":1,"from_coordinate":[1,2],"to_element":2})",
          "from_coordinate: expected either");
  refuses(R"({"action":"type"})", "type needs text");
  refuses(R"({"action":"type","text":""})", "type needs text");
  refuses(R"({"action":"key"})", "key needs keys");
  refuses(R"({"action":"set_value","value":"a"})", "set_value needs element");
  refuses(R"({"action":"set_value","element":1})", "set_value needs value");
  refuses(R"({"action":"focus_app"})", "focus_app needs app");
  refuses(R"({"action":"focus_app","app":""})", "focus_app needs app");
  refuses(R"({"action":"request_handoff"})", "request_handoff needs reason");
  refuses(R"({"action":"capture","mode":"ax","app":"Screen"})", "mode: ax does not go with app 'screen'");
  CHECK(accepted(R"({"action":"capture","mode":"som","app":"screen"})").app == "screen");
}

TEST_CASE("bring_to_front needs foreground") {
  refuses(R"({"action":"click","element":1,"bring_to_front":true})", "delivery_mode foreground",
          Code::BringToFrontRequiresForeground);
  refuses(R"({"action":"type","text":"a","bring_to_front":true,"delivery_mode":"background"})", "foreground",
          Code::BringToFrontRequiresForeground);
  CHECK(accepted(R"({"action":"click","element":1,"bring_to_front":false})").bring_to_front == false);
}

TEST_CASE("modifiers and their other names") {
  CHECK(accepted(R"({"action":"click","element":1,"modifiers":["option"]})").modifiers == std::vector{Modifier::Alt});
  for (const char* name : {"cmd", "win", "windows", "super", "meta"}) {
    const Request r = accepted(R"({"action":"click","element":1,"modifiers":[")" + std::string(name) + "\"]}");
    CHECK(r.modifiers == std::vector{Modifier::Super});
  }
  CHECK(accepted(R"({"action":"click","element":1,"modifiers":["cmd","win","alt","option"]})").modifiers ==
        std::vector{Modifier::Super, Modifier::Alt});
  refuses(R"({"action":"click","element":1,"modifiers":["ctrl","fn"]})", "fn", Code::UnsupportedModifier);
  CHECK(accepted(R"({"action":"type","text":"a","modifiers":["fn"]})").modifiers.empty());
}

TEST_CASE("what does not apply is dropped with a warning") {
  const Request r =
      accepted(R"({"action":"capture","element":5,"text":"abc","coordinate":[1,2],"delivery_mode":"foreground"})");
  CHECK_FALSE(r.element.has_value());
  CHECK_FALSE(r.text.has_value());
  CHECK_FALSE(r.coordinate.has_value());
  CHECK(r.delivery == Delivery::Background);
  CHECK(r.warnings.size() == 4);
  for (const std::string& warning : r.warnings) CHECK(warning.find("does not apply to capture") != std::string::npos);

  const Request m = accepted(R"({"action":"click","element":5,"mode":"ax"})");
  CHECK_FALSE(m.mode.has_value());
  CHECK(m.warnings.size() == 1);
  CHECK(accepted(R"({"action":"click","element":5,"mode":"ax","capture_after":true})").mode == Mode::Ax);
}

TEST_CASE("text: NUL, length in characters, encoding") {
  Json request{{"action", "type"}};
  request["text"] = std::string("a\0b", 3);
  CHECK(refused(request).message.find("text: contains a NUL") == 0);
  request["text"] = "\xff\xfe";
  CHECK(refused(request).message == "text: expected valid UTF-8");
  request["text"] = "\xed\xa0\x80";  // a surrogate
  CHECK(refused(request).message == "text: expected valid UTF-8");

  std::string wide;
  for (int i = 0; i < 100'000; ++i) wide += "😀";
  request["text"] = wide;
  CHECK(std::holds_alternative<Request>(parse_request(request)));
  request["text"] = wide + "a";
  CHECK(refused(request).message == "text: expected a string of at most 100000 characters, got 100001");
  CHECK(refused({{"action", "capture"}, {"app", std::string("a\0b", 3)}}).message.find("app: contains a NUL") == 0);
}

TEST_CASE("hostile arguments: a short clear answer") {
  for (const char* text : {"null", "[]", "[1,2]", "\"capture\"", "3", "true"})
    refuses(text, "arguments: expected an object with action");
  CHECK(refused(Json(Json::value_t::discarded)).code == Code::InvalidRequest);

  Json deep = Json::array();
  for (int i = 0; i < 2000; ++i) deep = Json::array({std::move(deep)});
  CHECK(refused({{"action", "click"}, {"coordinate", deep}}).message.find("coordinate: expected") == 0);
  CHECK(refused({{"action", "capture"}, {"app", deep}}).message.find("app: expected") == 0);
  CHECK(refused({{"action", deep}}).message.find("action: expected") == 0);

  const Json many = std::vector<std::string>(1'000'000, "ctrl");
  CHECK(refused({{"action", "click"}, {"element", 1}, {"modifiers", many}}).message.find("modifiers: expected") == 0);

  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  CHECK(refused({{"action", "wait"}, {"seconds", nan}}).message ==
        "seconds: expected a number from 0 to 1800, got a number that is not finite");
  CHECK(refused({{"action", "wait"}, {"seconds", inf}}).code == Code::InvalidRequest);
  CHECK(refused({{"action", "click"}, {"element", nan}}).code == Code::InvalidRequest);
  CHECK(refused({{"action", "click"}, {"coordinate", {nan, 1}}}).code == Code::InvalidRequest);

  const std::string huge(1'000'000, 'x');
  CHECK(refused({{"action", huge}}).message.size() < 700);
  CHECK(refused({{"action", "capture"}, {huge, 1}}).message.size() < 700);
  CHECK(refused({{"action", "capture"}, {"\xff\xff", 1}}).code == Code::InvalidRequest);
  CHECK(refused({{"action", "capture"}, {"mode", huge}}).message.size() < 700);
}
