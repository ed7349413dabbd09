// The recorded interfaces of fixtures/: each gives the marks that are expected of it, and changes are told as what they
// are.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "perception/fixture/compare.hpp"
#include "perception/fixture/fixture.hpp"
#include "perception/fixture/png.hpp"
#include "perception/perceive.hpp"

namespace deskmark::testing {
namespace {

const std::string kFixtures = DESKMARK_SOURCE_ROOT "/fixtures";

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator{kFixtures}) {
    if (entry.is_directory()) out.push_back(entry.path().filename().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

Recording recorded(const std::string& name) {
  auto read = read_fixture(kFixtures + "/" + name);
  if (const auto* error = std::get_if<FixtureError>(&read)) FAIL(name << ": " << describe(*error));
  return std::get<Recording>(std::move(read));
}

Expected expected(const std::string& name) {
  FixtureError error;
  const auto read = read_expected(kFixtures + "/" + name, error);
  if (!read) FAIL(name << ": " << describe(error));
  return *read;
}

Scene everything(const Observation& observation) {
  PerceiveOptions options;
  options.max_elements = 5000;
  return perceive(observation, options);
}

std::vector<Difference> differences(const std::string& name, const Observation& observation) {
  const std::string picture = observation.pixels ? picture_checksum(*observation.pixels) : "";
  return compare(expected(name), everything(observation), picture);
}

/// The shown, enabled node with that role and name.
std::size_t node(const Observation& o, Role role, const std::string& label) {
  for (std::size_t i = 0; i < o.nodes.size(); ++i) {
    if (o.nodes[i].role == role && o.nodes[i].name == label && o.nodes[i].states.has(State::Showing)) return i;
  }
  FAIL("no " << role_name(role) << " " << label);
  return 0;
}

}  // namespace

TEST_CASE("every recorded interface gives the marks that are expected of it") {
  const auto all = names();
  CHECK(all.size() >= 25);
  for (const std::string& name : all) {
    const Recording r = recorded(name);
    const auto found = differences(name, r.observation);
    for (const Difference& d : found) FAIL_CHECK(name << ": " << explain(d));
    // The colours that were accepted, whatever decodes the file.
    REQUIRE(r.observation.pixels);
    CHECK_MESSAGE(picture_checksum(*r.observation.pixels) == expected(name).picture, name);
  }
}

TEST_CASE("no password is in a recording") {
  for (const std::string& name : names()) {
    const Recording r = recorded(name);
    for (const Accessible& n : r.observation.nodes) {
      if (n.role == Role::PasswordText) CHECK_MESSAGE(n.text.empty(), name);
      CHECK_MESSAGE(n.text.find("hunter2") == std::string::npos, name);
      CHECK_MESSAGE(n.name.find("hunter2") == std::string::npos, name);
    }
  }
}

TEST_CASE("a moved button, a renamed one and a removed tab are reported as just that") {
  const std::string name = "qt5-controls";
  const Observation before = recorded(name).observation;
  {
    Observation o = before;
    o.nodes[node(o, Role::PushButton, "Apply")].extents.x += 1;
    const auto d = differences(name, o);
    REQUIRE(d.size() == 1);
    CHECK(d[0].changes == std::vector{Change::Moved});
    CHECK(d[0].by == PicturePoint{1, 0});
    CHECK(d[0].before->label == "Apply");
  }
  {
    Observation o = before;
    o.nodes[node(o, Role::PushButton, "Apply")].name = "Übernehmen";
    const auto d = differences(name, o);
    REQUIRE(d.size() == 1);
    CHECK(d[0].changes == std::vector{Change::Renamed});
    CHECK(d[0].after->label == "Übernehmen");
  }
  {
    Observation o = before;
    const std::size_t tab = node(o, Role::PageTab, "Lists");
    o.nodes[tab].states.set(State::Showing, false);
    const auto d = differences(name, o);
    REQUIRE(d.size() == 1);
    CHECK(d[0].changes == std::vector{Change::Missing});
    CHECK(d[0].before->label == "Lists");
  }
}

}  // namespace deskmark::testing
