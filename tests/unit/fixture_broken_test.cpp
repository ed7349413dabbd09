#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perception/fixture/expected.hpp"
#include "perception/fixture/fixture.hpp"
#include "perception/fixture/folder.hpp"
#include "perception/fixture/limits.hpp"
#include "tests/unit/fixture_folder.hpp"
#include "tests/unit/scene_builder.hpp"

namespace deskmark::testing {
namespace {

class BrokenFixture : public TemporaryFolder {
 public:
  BrokenFixture() {
    SceneBuilder b;
    b.button(0, "Save", {10, 20, 80, 30});
    Recording r;
    r.observation = b.seen;
    r.observation.text = {{"Save", {20, 25, 40, 12}, 0.9, {}}};
    r.observation.pixels = std::make_shared<const Image>(Image{800, 600, 0xeeeeee});
    error = write_fixture(path(), r);
  }
  /// Replaces the first `from` of observation.json.
  BrokenFixture& with(const std::string& from, const std::string& to) {
    std::string json = read(kObservationFile);
    const auto at = json.find(from);
    REQUIRE_MESSAGE(at != std::string::npos, from);
    write(kObservationFile, json.replace(at, from.size(), to));
    return *this;
  }
  FixtureError reading() {
    const auto read = read_fixture(path());
    const auto* failed = std::get_if<FixtureError>(&read);
    return failed != nullptr ? *failed : FixtureError{};
  }
  FixtureError error;
};

void check(const FixtureError& error, const std::string& code, const std::string& file, const std::string& field) {
  INFO(describe(error));
  CHECK(error.code == code);
  CHECK(error.file == file);
  CHECK(error.field == field);
  CHECK_FALSE(error.message.empty());
}

}  // namespace

TEST_CASE("a broken field is named with its file") {
  struct Case {
    const char* from;
    const char* to;
    const char* field;
  };
  const Case cases[] = {
      {"\"role\":23", "\"role\":-1", "nodes[0].role"},
      {"\"role\":23", "\"role\":\"frame\"", "nodes[0].role"},
      {"\"role\":23", "\"roll\":23", "nodes[0].role"},
      {"\"role_name\"", "\"colour\":1,\"role_name\"", "nodes[0].colour"},
      {"\"parent\":0", "\"parent\":1", "nodes[1].parent"},
      {"\"parent\":0", "\"parent\":-2", "nodes[1].parent"},
      {"[110,70,80,30]", "[110,70,-80,30]", "nodes[1].extents"},
      {"[110,70,80,30]", "[110,70,80]", "nodes[1].extents"},
      {"[110,70,80,30]", "[110,70,80,3e9]", "nodes[1].extents"},
      {"[110,70,80,30]", "[110.5,70,80,30]", "nodes[1].extents"},
      {"\"focusable\"", "\"focussable\"", "nodes[1].states"},
      {"\"actions\":[\"click\"]", "\"actions\":[1]", "nodes[1].actions[0]"},
      {"\"name\":\"Save\"", "\"name\":null", "nodes[1].name"},
      {"\"name\":\"Save\"", "\"labelled_by\":[7]", "nodes[1].labelled_by"},
      {"\"name\":\"Save\"", "\"value\":{\"now\":\"5\"}", "nodes[1].value.now"},
      {"\"complete\": true", "\"complete\": 1", "complete"},
      {"\"tree\": \"read\"", "\"tree\": \"reed\"", "tree"},
      {"\"root\":0", "\"root\":2", "surfaces[0].root"},
      {"\"confidence\":0.9", "\"confidence\":1.9", "text[0].confidence"},
      {"\"target\"", "\"tarjet\"", "target"},
      {"\"format\": \"deskmark-observation\"", "\"format\": \"other\"", "format"},
      {"\"area\": [100,50,800,600]", "\"area\": [100,50,801,600]", "area"},
      {"\"app\": \"\"", "\"app\": \"\", \"extra\": 1", "extra"},
      {"\"toolkit\": \"GTK 3\"", "\"toolkit\": \"GTK 9\"", "toolkit"},
  };
  for (const Case& c : cases) {
    BrokenFixture f;
    REQUIRE_FALSE(static_cast<bool>(f.error));
    REQUIRE_FALSE(static_cast<bool>(f.reading()));
    CAPTURE(c.to);
    check(f.with(c.from, c.to).reading(), "fixture_invalid", kObservationFile, c.field);
  }
}

TEST_CASE("another version of the format is refused by its number") {
  BrokenFixture f;
  const FixtureError error = f.with("\"version\": 1", "\"version\": 2").reading();
  check(error, "fixture_version", kObservationFile, "version");
  CHECK(error.message.find("version 2") != std::string::npos);
}

TEST_CASE("files that are not what they should be") {
  BrokenFixture f;
  const std::string json = f.read(kObservationFile);
  SUBCASE("no JSON") {
    f.write(kObservationFile, json.substr(0, json.size() / 2));
    check(f.reading(), "fixture_invalid", kObservationFile, "");
  }
  SUBCASE("not an object") {
    f.write(kObservationFile, "[]");
    check(f.reading(), "fixture_invalid", kObservationFile, "");
  }
  SUBCASE("too deep") {
    f.write(kObservationFile, std::string(100'000, '['));
    check(f.reading(), "fixture_too_large", kObservationFile, "");
  }
  SUBCASE("too many values") {
    f.write(kObservationFile, "[" + std::string(fixture_limits::kJsonValues + 1, ',') + "]");
    check(f.reading(), "fixture_too_large", kObservationFile, "");
  }
  SUBCASE("too large") {
    f.write(kObservationFile, std::string(fixture_limits::kJsonBytes + 1, ' '));
    check(f.reading(), "fixture_too_large", kObservationFile, "");
  }
  SUBCASE("no picture") {
    ::unlink((f.path() + "/pixels.png").c_str());
    check(f.reading(), "fixture_missing", kPictureFile, "");
  }
  SUBCASE("half a picture") {
    const std::string png = f.read(kPictureFile);
    f.write(kPictureFile, png.substr(0, png.size() / 2));
    check(f.reading(), "fixture_invalid", kPictureFile, "");
  }
  SUBCASE("a picture that is a pipe") {
    ::unlink((f.path() + "/pixels.png").c_str());
    REQUIRE(::mkfifo((f.path() + "/pixels.png").c_str(), 0600) == 0);
    check(f.reading(), "fixture_invalid", kPictureFile, "");
  }
  SUBCASE("a picture that is a link out of the folder") {
    const BrokenFixture other;
    ::unlink((f.path() + "/pixels.png").c_str());
    REQUIRE(::symlink((other.path() + "/pixels.png").c_str(), (f.path() + "/pixels.png").c_str()) == 0);
    check(f.reading(), "fixture_invalid", kPictureFile, "");
  }
  SUBCASE("no fixture at all") {
    ::unlink((f.path() + "/observation.json").c_str());
    check(f.reading(), "fixture_missing", kObservationFile, "");
  }
}

TEST_CASE("the picture's name cannot leave the folder") {
  for (const char* name : {"../pixels.png", "/etc/passwd", "a/b.png", "..", ".hidden", "", "a b"}) {
    CAPTURE(name);
    CHECK_FALSE(plain_file_name(name));
    if (*name == 0) continue;
    BrokenFixture f;
    check(f.with("\"pixels.png\"", std::string{"\""} + name + "\"").reading(), "fixture_invalid", kObservationFile,
          "pixels");
  }
  CHECK(plain_file_name("pixels-2.PNG"));
}

TEST_CASE("a folder that cannot be made or read is named") {
  const auto read = read_fixture("/nonexistent/fixture");
  check(std::get<FixtureError>(read), "fixture_missing", "/nonexistent/fixture", "");
  check(write_fixture("/nonexistent/fixture", {}), "fixture_not_written", "/nonexistent/fixture", "");
}

TEST_CASE("expected.json is validated as well") {
  struct Case {
    const char* json;
    const char* code;
    const char* field;
  };
  const char* head = R"({"format": "deskmark-expected", "version": 1)";
  const Case cases[] = {
      {R"(, "marks": [{"role": "r", "label": "l"}]})", "fixture_invalid", "marks[0].bounds"},
      {R"(, "marks": [{"role": "r", "label": "l", "bounds": [0,0,1,1], "x": 1}]})", "fixture_invalid", "marks[0].x"},
      {R"(, "marks": [], "tolerances": {"position": -1}})", "fixture_invalid", "tolerances.position"},
      {R"(, "marks": [], "tolerances": {"label": 2}})", "fixture_invalid", "tolerances.label"},
      {R"(, "marks": [], "tolerances": {"pixels": "1"}})", "fixture_invalid", "tolerances.pixels"},
      {"}", "fixture_invalid", "marks"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.json);
    FixtureError error;
    (void)expected_from_json(std::string{head} + c.json, error);
    check(error, c.code, kExpectedFile, c.field);
  }
  FixtureError error;
  (void)expected_from_json(R"({"format": "deskmark-expected", "version": 7, "marks": []})", error);
  check(error, "fixture_version", kExpectedFile, "version");
}

}  // namespace deskmark::testing
