#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "src/mcp/content.hpp"

using namespace deskmark;
using namespace deskmark::mcp;
using Json = nlohmann::ordered_json;

namespace {

Json capture_body() {
  return {{"ok", true},
          {"action", "capture"},
          {"mode", "som"},
          {"width", 640},
          {"height", 480},
          {"scale", {0.5, 0.5}},
          {"origin", {10, 20}},
          {"app", "kcalc"},
          {"pid", 77},
          {"window_id", 4194311},
          {"window_title", "Calc, \"new\""},
          {"snapshot", "s1"},
          {"complete", true},
          {"elements", {{{"index", 1}, {"role", "push button"}, {"label", "Save"}, {"bounds", {1, 2, 3, 4}}}}},
          {"total_elements", 1},
          {"truncated", false},
          {"omitted", 0},
          {"warnings", {{{"code", "stale_pixels"}, {"message", "the picture may be old"}}}},
          {"summary", "#1 push button \"Save\" (1,2 3x4)"},
          {"screenshot_path", "/run/x/shot.png"},
          {"timing", {{"total_ms", 12}}}};
}

Reply with_picture(Json body) {
  Reply reply;
  reply.body = std::move(body);
  reply.picture_mime = "image/png";
  reply.picture = {0x89, 'P', 'N', 'G'};
  return reply;
}

}  // namespace

TEST_CASE("base64") {
  const auto of = [](std::string text) { return base64(std::vector<std::uint8_t>(text.begin(), text.end())); };
  CHECK(of("").empty());
  CHECK(of("f") == "Zg==");
  CHECK(of("fo") == "Zm8=");
  CHECK(of("foo") == "Zm9v");
  CHECK(of("foobar") == "Zm9vYmFy");
  CHECK(of("\xff\xfe\xfd") == "//79");
}

TEST_CASE("compact text of a capture: summary, then what is not in it") {
  CHECK(compact_text(capture_body()) ==
        "#1 push button \"Save\" (1,2 3x4)\n"
        "\n"
        "capture som: ok\n"
        "target: app kcalc, window_title \"Calc, \\\"new\\\"\", pid 77, window_id 4194311\n"
        "picture: 640x480, origin [10,20], scale [0.5,0.5]\n"
        "elements: 1\n"
        "warnings:\n"
        "- code stale_pixels, message \"the picture may be old\"\n"
        "screenshot_path: /run/x/shot.png");
}

TEST_CASE("compact text says what is missing") {
  Json body = capture_body();
  body["omitted"] = 4;
  body["total_elements"] = 5;
  body["complete"] = false;
  CHECK(compact_text(body).find("\nelements: 5, 4 of them left off; not complete, see warnings\n") !=
        std::string::npos);
}

TEST_CASE("compact text of an action, with the capture after it") {
  Json body{{"ok", false},
            {"action", "click"},
            {"message", "nothing changed"},
            {"code", "background_unavailable"},
            {"effect", "refused"},
            {"evidence", Json::array()},
            {"route", "accessibility"},
            {"delivery_mode", "background"},
            {"verified", false},
            {"verdict", {{"decision", "escalate"}, {"recommended", "foreground"}}},
            {"capture", capture_body()}};
  const std::string text = compact_text(body);
  CHECK(text.rfind("click: not done (background_unavailable), refused by accessibility. nothing changed\n"
                   "delivery_mode: background\n"
                   "verdict: decision escalate, recommended foreground\n\nAfterwards:\n#1 push",
                   0) == 0);
}

TEST_CASE("a list of windows takes a line each") {
  const Json body{{"ok", true},
                  {"action", "list_windows"},
                  {"windows", {{{"app_name", "a b"}, {"pid", nullptr}, {"bounds", {1, 2, 3, 4}}}}},
                  {"count", 1}};
  CHECK(compact_text(body) == "list_windows: ok\nwindows:\n- app_name \"a b\", bounds [1,2,3,4]\ncount: 1");
}

TEST_CASE("reply forms") {
  const Reply reply = with_picture(capture_body());
  const Json both = Json::parse(call_result(reply, ReplyForm::Both, true));
  REQUIRE(both["content"].size() == 2);
  CHECK(both["content"][0]["type"] == "text");
  CHECK(both["content"][0]["text"] == compact_text(reply.body));
  CHECK(both["content"][1] == Json{{"type", "image"}, {"data", "iVBORw=="}, {"mimeType", "image/png"}});
  CHECK(both["structuredContent"].dump() == reply.body.dump());
  CHECK(both["isError"] == false);

  const Json compact = Json::parse(call_result(reply, ReplyForm::Compact, true));
  CHECK_FALSE(compact.contains("structuredContent"));
  CHECK(compact["content"] == both["content"]);

  const Json structured = Json::parse(call_result(reply, ReplyForm::Structured, true));
  CHECK(structured["content"][0]["text"] == "capture som: ok");
  CHECK(structured["content"][1] == both["content"][1]);
  CHECK(structured["structuredContent"] == both["structuredContent"]);

  // A client that may not know structuredContent gets the whole text.
  const Json old = Json::parse(call_result(reply, ReplyForm::Structured, false));
  CHECK(old["content"] == both["content"]);
  CHECK(old["structuredContent"] == both["structuredContent"]);

  Reply no_picture;
  no_picture.body = capture_body();
  CHECK(Json::parse(call_result(no_picture, ReplyForm::Both, true))["content"].size() == 1);
}

TEST_CASE("only faults of the request and of deskmark are errors") {
  const auto is_error = [](bool ok, const char* code) {
    Reply reply;
    reply.body = {{"ok", ok}, {"action", "click"}, {"code", code}};
    return Json::parse(call_result(reply, ReplyForm::Both, true))["isError"].get<bool>();
  };
  CHECK(is_error(false, "invalid_request"));
  CHECK(is_error(false, "internal"));
  CHECK_FALSE(is_error(false, "stale_element"));
  CHECK_FALSE(is_error(false, "display_unavailable"));
  CHECK_FALSE(is_error(true, "internal"));
}

TEST_CASE("malformed text from a screen stays valid JSON") {
  Reply reply;
  reply.body = {{"ok", true}, {"action", "capture"}, {"summary", "a\xff b"}, {"window_title", "\xc3"}};
  const std::string text = call_result(reply, ReplyForm::Both, true);
  CHECK_FALSE(Json::parse(text, nullptr, false).is_discarded());
  CHECK(text.find('\n') == std::string::npos);
}

TEST_CASE("words of the reply forms") {
  CHECK(reply_form_from_word("both") == ReplyForm::Both);
  CHECK(reply_form_from_word("compact") == ReplyForm::Compact);
  CHECK(reply_form_from_word("structured") == ReplyForm::Structured);
  CHECK_FALSE(reply_form_from_word("json").has_value());
}
