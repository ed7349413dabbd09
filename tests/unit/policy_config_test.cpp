#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "src/policy/config.hpp"

namespace deskmark {
namespace {

EngineOptions applied(const char* text) {
  const auto parsed = parse_config(text);
  if (const auto* problem = std::get_if<std::string>(&parsed)) FAIL(*problem);
  EngineOptions options;
  for (const auto& apply : std::get<Configuration>(parsed).settings) apply(options);
  return options;
}

std::string problem_of(const std::string& text) {
  const auto parsed = parse_config(text);
  const auto* problem = std::get_if<std::string>(&parsed);
  return problem ? *problem : "none";
}

}  // namespace

TEST_CASE("a configuration sets what it names and leaves the rest") {
  const EngineOptions options = applied(
      R"({"approve": {"*": "background", "Calculator": "all"}, "profile": "desktop-only", "allow": ["capture", "click"],
          "exclude_apps": ["KeePassXC"], "languages": ["eng", "deu"], "timeout": 12.5, "max_image_bytes": 0})");
  CHECK(options.approve == "background");
  REQUIRE(options.approve_apps.size() == 1);
  CHECK(options.approve_apps[0] == std::pair<std::string, std::string>{"Calculator", "all"});
  CHECK(allowed_actions(options) == ActionSet{Action::Capture, Action::Click});
  CHECK(options.exclude_apps == std::vector<std::string>{"KeePassXC"});
  CHECK(options.languages == "eng+deu");
  CHECK(options.timeout_ms == 12'500);
  CHECK(options.max_image_bytes == 0);
  CHECK(options.max_elements == EngineOptions{}.max_elements);
  CHECK(applied("{}").approve == "none");
  CHECK(applied(R"({"approve": {"Calculator": "all"}})").approve == "none");
}

TEST_CASE("what a configuration does not understand is refused, naming the key") {
  const struct {
    const char* text;
    const char* named;
  } cases[] = {
      {R"({"aprove": "all"})", "approve"},
      {R"({"approve": "everything"})", "approve"},
      {R"({"approve": true})", "approve"},
      {R"({"approve": {"Calculator": "some"}})", "approve"},
      {R"({"profile": "Full"})", "profile"},
      {R"({"profile": ["full"]})", "profile"},
      {R"({"allow": []})", "allow"},
      {R"({"allow": ["click", "click"]})", "given twice"},
      {R"({"allow": ["klick"]})", "klick"},
      {R"({"allow": "click"})", "allow"},
      {R"({"exclude_apps": "KeePassXC"})", "exclude_apps"},
      {R"({"exclude_apps": [""]})", "exclude_apps"},
      {R"({"exclude_apps": ["a", "a"]})", "given twice"},
      {R"({"max_elements": 0})", "max_elements"},
      {R"({"max_elements": "300"})", "max_elements"},
      {R"({"max_elements": 1e3})", "max_elements"},
      {R"({"max_image_bytes": 18446744073709551615})", "max_image_bytes"},
      {R"({"timeout": 121})", "timeout"},
      {R"({"languages": []})", "languages"},
      {R"({"languages": ["../eng"]})", "languages"},
      {R"({"reply": "short"})", "reply"},
      {R"({"profile": null})", "profile"},
      {R"({"profile": "full", "profile": "observation-only"})", "\"profile\": given twice"},
      {R"({"approve": {"a": "all", "a": "none"}})", "given twice"},
      {R"(["full"])", "object"},
      {R"({"profile": "full",})", "JSON"},
      {"", "JSON"},
  };
  for (const auto& c : cases) {
    CAPTURE(c.text);
    const std::string problem = problem_of(c.text);
    CAPTURE(problem);
    CHECK(problem.find(c.named) != std::string::npos);
  }
  CHECK(problem_of(std::string(100'000, '[')) != "none");
}

TEST_CASE("a configuration file is trusted only when nobody else can write it") {
  std::string folder = "/tmp/deskmark-config-XXXXXX";
  REQUIRE(::mkdtemp(folder.data()) != nullptr);
  const std::string path = folder + "/config.json";
  CHECK(std::holds_alternative<Configuration>(read_config(path)));
  std::ofstream(path) << R"({"profile": "observation-only"})";
  ::chmod(path.c_str(), 0600);
  CHECK(std::get<Configuration>(read_config(path)).settings.size() == 1);
  ::chmod(path.c_str(), 0666);
  CHECK(std::get<std::string>(read_config(path)).find("chmod go-w") != std::string::npos);
  ::unlink(path.c_str());
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  CHECK(std::get<std::string>(read_config(path)).find("regular") != std::string::npos);
  ::unlink(path.c_str());
  ::rmdir(folder.c_str());
}

}  // namespace deskmark
