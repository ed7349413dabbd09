#include <doctest/doctest.h>
#include <glib.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "schema/advertised.hpp"
#include "src/policy/exclude.hpp"
#include "src/policy/profile.hpp"

namespace deskmark {
namespace {

using Json = nlohmann::ordered_json;

std::string sha256(const std::string& text) {
  const std::unique_ptr<char, decltype(&g_free)> sum(
      g_compute_checksum_for_string(G_CHECKSUM_SHA256, text.c_str(), static_cast<gssize>(text.size())), &g_free);
  return sum.get();
}

Window window(std::uint32_t id, int z, const char* wm_class, DeviceRect bounds, int pid = 0) {
  Window w;
  w.id = id;
  w.z = z;
  w.wm_class = wm_class;
  w.bounds = w.surface = bounds;
  if (pid) w.pid = pid;
  return w;
}

}  // namespace

TEST_CASE("each profile's schema is frozen") {
  // A model's prompt cache depends on these bytes: change one only with a deliberate change of the contract.
  CHECK(sha256(tool_schema_text(*profile_actions("full"))) ==
        "eb4b2c27cc8524fd867f5b75dc3d3b91d5558a60b6f7263b03c76ece3fcadbc7");
  CHECK(sha256(tool_schema_text(*profile_actions("desktop-only"))) ==
        "e8b2bbd4fc34afd88a855c5a6cef7b7154736284efa309a3fa9c92f4c3b0191d");
  CHECK(sha256(tool_schema_text(*profile_actions("observation-only"))) ==
        "47e21d888b995ad169cc195e42e2a692cc32d71f1ffe05eb54bd9756e08b6475");
}

TEST_CASE("a denied action is nowhere in what is advertised, and the schema stays flat") {
  for (const char* name : {"desktop-only", "observation-only"}) {
    CAPTURE(name);
    const ActionSet allowed = *profile_actions(name);
    const std::string text = tool_schema_text(allowed);
    const Json schema = Json::parse(text);
    CHECK(schema["type"] == "object");
    CHECK(schema["required"] == Json::array({"action"}));
    CHECK(schema.size() == 3);
    for (unsigned i = 0; i <= static_cast<unsigned>(Action::WaitForHuman); ++i) {
      const auto action = static_cast<Action>(i);
      const std::string word{action_word(action)};
      CAPTURE(word);
      const Json& words = schema["properties"]["action"]["enum"];
      CHECK((std::find(words.begin(), words.end(), word) != words.end()) == allowed.has(action));
      if (!allowed.has(action) && word.find('_') != std::string::npos) {
        CHECK(text.find(word) == std::string::npos);
        CHECK(tool_description(allowed).find(word) == std::string::npos);
      }
    }
  }
  const Json looking = Json::parse(tool_schema_text(*profile_actions("observation-only")))["properties"];
  for (const char* gone :
       {"element", "coordinate", "text", "keys", "value", "delivery_mode", "bring_to_front", "reason"})
    CHECK_FALSE(looking.contains(gone));
  for (const char* kept : {"mode", "app", "pid", "window_id", "seconds"}) CHECK(looking.contains(kept));
  const ActionSet blind{Action::Click, Action::ListWindows};
  CHECK_FALSE(Json::parse(tool_schema_text(blind))["properties"].contains("capture_after"));
  CHECK(tool_description(blind).find("action=click") != std::string::npos);
  CHECK(tool_description(ActionSet{Action::Capture, Action::Key}).find("action=click") == std::string::npos);
}

TEST_CASE("a denied action is refused whatever else the request says") {
  const ActionSet looking = *profile_actions("observation-only");
  CHECK(denied_by_profile({{"action", "click"}, {"element", 1}}, looking)->code == Code::PolicyDenied);
  CHECK(denied_by_profile({{"action", "click"}, {"nonsense", 1}}, looking)->code == Code::PolicyDenied);
  CHECK(denied_by_profile({{"action", "request_handoff"}}, looking));
  CHECK_FALSE(denied_by_profile({{"action", "capture"}}, looking));
  CHECK_FALSE(denied_by_profile({{"action", "unheard_of"}}, looking));
  CHECK_FALSE(denied_by_profile(nlohmann::json::array(), looking));
  const ActionSet blind{Action::Click};
  CHECK(denied_by_profile({{"action", "click"}, {"element", 1}, {"capture_after", true}}, blind));
  CHECK_FALSE(denied_by_profile({{"action", "click"}, {"element", 1}, {"capture_after", false}}, blind));
  CHECK_FALSE(profile_actions("FULL"));
  CHECK(std::holds_alternative<std::string>(allow_list({"click", "click"})));
}

TEST_CASE("excluded applications leave the lists with all they own") {
  Exclusions excluded({"KeePass*", "secret"});
  WindowList list;
  list.windows = {window(1, 5, "Editor", {0, 0, 10, 10}, 7), window(2, 4, "KeePassXC", {0, 0, 10, 10}, 9),
                  window(3, 3, "other", {0, 0, 10, 10}, 9), window(4, 2, "", {0, 0, 10, 10}),
                  window(5, 1, "keep", {0, 0, 10, 10})};
  list.windows[3].owner = 3;
  list.windows[4].process = "Secret";
  excluded.apply(list);
  REQUIRE(list.windows.size() == 1);
  CHECK(list.windows[0].id == 1);
  CHECK(list.excluded.size() == 4);
  std::vector<AccessibleApp> apps(3);
  apps[0].name = "editor";
  apps[0].pid = 7;
  apps[1].name = "passwords";
  apps[1].pid = 9;
  apps[2].name = "SECRET";
  excluded.apply(apps);
  REQUIRE(apps.size() == 1);
  CHECK(apps[0].name == "editor");
}

TEST_CASE("an excluded window is black on the screen, with its frame, but not what lies above it") {
  WindowList list;
  list.excluded = {window(1, 1, "vault", {100, 100, 200, 200})};
  list.windows = {window(2, 2, "above", {150, 0, 50, 400}), window(3, 0, "below", {0, 0, 400, 400})};
  const DeviceRect area{20, 10, 400, 400};
  Image picture(400, 400, 0xffffff);
  black_out(picture, area, hidden_areas(list));
  const auto at = [&](int x, int y) { return picture.rgb(x - area.x, y - area.y); };
  CHECK(at(100, 100) == 0);
  CHECK(at(299, 299) == 0);
  CHECK(at(120, 80) == 0);  // its title bar
  CHECK(at(149, 200) == 0);
  CHECK(at(150, 200) == 0xffffff);
  CHECK(at(199, 200) == 0xffffff);
  CHECK(at(200, 200) == 0);
  CHECK(at(350, 350) == 0xffffff);
  list.excluded[0].minimized = true;
  CHECK(hidden_areas(list).empty());
  black_out(picture, area, {{-1000, -1000, 5000, 5000}});
  CHECK(at(350, 350) == 0);
}

}  // namespace deskmark
