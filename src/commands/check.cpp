// deskmark check DIR…: recorded interfaces against the marks that are expected of them.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>

#include "perception/fixture/expected.hpp"
#include "perception/fixture/page.hpp"
#include "perception/fixture/png.hpp"
#include "src/commands/command.hpp"
#include "src/commands/fixtures.hpp"
#include "src/commands/output.hpp"

namespace deskmark {
namespace {

struct Check {
  std::vector<std::string> folders;
  std::string against;
  std::string html;
  bool json = false;
  bool update = false;
};

/// Every mark counts here, however many there are.
constexpr int kAll = 5000;

struct Loaded {
  Observation observation;
  Scene scene;
  std::string checksum;
};

std::optional<Loaded> load(const std::string& folder, FixtureError& error) {
  auto read = read_fixture(folder);
  if (auto* failed = std::get_if<FixtureError>(&read)) {
    error = std::move(*failed);
    return std::nullopt;
  }
  Loaded out;
  out.observation = std::move(std::get<Recording>(read).observation);
  out.scene = replayed(out.observation, kAll);
  if (out.observation.pixels) out.checksum = picture_checksum(*out.observation.pixels);
  return out;
}

/// The expected marks as a scene, to be drawn.
Scene scene_of(const Expected& expected, const Scene& like) {
  Scene scene;
  scene.mapping = like.mapping;
  scene.width = like.width;
  scene.height = like.height;
  scene.marks = expected.marks;
  return scene;
}

struct Result {
  CheckedFixture page;
  FixtureError error;
  bool updated = false;
};

Result check_one(const std::string& folder, const Check& c) {
  Result r;
  r.page.name = folder;
  auto stored = load(folder, r.error);
  if (!stored) return r;
  auto expected = read_expected(folder, r.error);
  if (r.error) return r;
  if (!expected) {
    if (!c.update && c.against.empty()) {
      r.error = {"fixture_missing", kExpectedFile, {}, "is missing; check --update writes it"};
      return r;
    }
    expected = expected_of(stored->scene, stored->checksum);
    r.updated = c.update;
  }
  std::optional<Loaded> other;
  if (!c.against.empty()) {
    other = load(c.against, r.error);
    if (!other) return r;
  }
  const Loaded& now = other ? *other : *stored;
  // Between two recordings the pixels themselves are compared, not their checksums.
  r.page.differences = compare(*expected, now.scene, other ? "" : now.checksum);
  if (other && stored->observation.pixels && other->observation.pixels) {
    const double share = differing_share(*stored->observation.pixels, *other->observation.pixels);
    if (auto d = compare_pixels(expected->tolerances, share))
      r.page.differences.insert(r.page.differences.begin(), std::move(*d));
  }
  r.page.marks = now.scene.marks.size();
  r.page.width = now.scene.width;
  r.page.height = now.scene.height;
  if (!c.html.empty() && !r.page.differences.empty()) {
    r.page.expected_png = marked_picture(stored->observation, scene_of(*expected, stored->scene));
    r.page.actual_png = marked_picture(now.observation, now.scene);
  }
  if (c.update && (r.updated || !r.page.differences.empty() || expected->picture != now.checksum)) {
    Expected accepted = expected_of(stored->scene, stored->checksum);
    accepted.tolerances = expected->tolerances;
    r.error = write_expected(folder, accepted);
    r.updated = !r.error;
  }
  return r;
}

OrderedJson bounds_json(const PictureRect& b) { return OrderedJson::array({b.x, b.y, b.w, b.h}); }

OrderedJson element_json(const Mark& m) {
  OrderedJson j{{"index", m.index}, {"role", m.role_word}, {"label", valid_utf8(m.label)}};
  j["bounds"] = bounds_json(m.bounds);
  if (m.value) j["value"] = valid_utf8(*m.value);
  if (!m.states.empty()) j["states"] = m.states;
  return j;
}

OrderedJson difference_json(const Difference& d) {
  OrderedJson j;
  for (const Change change : d.changes) j["changes"].push_back(change_word(change));
  if (d.before) j["expected"] = element_json(*d.before);
  if (d.after) j["now"] = element_json(*d.after);
  if (d.by != PicturePoint{} && (d.before || d.after)) j["moved_by"] = {d.by.x, d.by.y};
  for (const Mark& m : d.followed) j["followed"].push_back(element_json(m));
  j["text"] = valid_utf8(explain(d));
  return j;
}

OrderedJson result_json(const Result& r) {
  OrderedJson j{{"path", valid_utf8(r.page.name)}};
  if (r.error) {
    j["ok"] = false;
    j["code"] = r.error.code;
    j["message"] = valid_utf8(describe(r.error));
    j["file"] = valid_utf8(r.error.file);
    if (!r.error.field.empty()) j["field"] = valid_utf8(r.error.field);
    return j;
  }
  j["ok"] = r.page.differences.empty() || r.updated;
  j["marks"] = r.page.marks;
  if (r.updated) j["updated"] = true;
  j["differences"] = OrderedJson::array();
  for (const Difference& d : r.page.differences) j["differences"].push_back(difference_json(d));
  return j;
}

/// What a screen says must not drive the terminal it is printed on.
std::string printable(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return text;
}

void print_result(const Result& r) {
  const std::string name = printable(r.page.name);
  if (r.error) {
    std::fprintf(stderr, "%s: %s: %s\n", name.c_str(), r.error.code.c_str(), printable(describe(r.error)).c_str());
    return;
  }
  const std::size_t n = r.page.differences.size();
  if (n == 0)
    std::printf("%s: %s (%zu marks)\n", name.c_str(), r.updated ? "accepted" : "as expected", r.page.marks);
  else
    std::printf("%s: %zu difference%s%s\n", name.c_str(), n, n == 1 ? "" : "s", r.updated ? ", accepted" : "");
  for (const Difference& d : r.page.differences) std::printf("  %s\n", printable(explain(d)).c_str());
}

/// A folder without a fixture of its own stands for those in it.
std::vector<std::string> fixtures_in(const std::vector<std::string>& given) {
  namespace fs = std::filesystem;
  std::vector<std::string> out;
  for (const std::string& folder : given) {
    std::error_code status;
    std::vector<std::string> inside;
    if (!fs::exists(fs::path{folder} / kObservationFile, status)) {
      for (const auto& entry : fs::directory_iterator{folder, status}) {
        if (fs::exists(entry.path() / kObservationFile, status)) inside.push_back(entry.path().string());
      }
    }
    std::sort(inside.begin(), inside.end());
    if (inside.empty()) inside.push_back(folder);
    out.insert(out.end(), inside.begin(), inside.end());
  }
  return out;
}

int run(const Check& c) {
  if (!c.against.empty() && (c.folders.size() != 1 || c.update)) {
    std::fprintf(stderr, "check: --against compares one folder with one other, without --update\n");
    return kUsage;
  }
  int code = kOk;
  OrderedJson all = OrderedJson::array();
  std::vector<CheckedFixture> pages;
  for (const std::string& folder : c.against.empty() ? fixtures_in(c.folders) : c.folders) {
    Result r = check_one(folder, c);
    if (r.error)
      code = kUsage;
    else if (!r.page.differences.empty() && !r.updated && code == kOk)
      code = kNotOk;
    if (c.json)
      all.push_back(result_json(r));
    else
      print_result(r);
    if (r.error) r.page.problem = describe(r.error);
    if (!c.html.empty()) pages.push_back(std::move(r.page));
  }
  if (c.json) {
    const OrderedJson body{{"ok", code == kOk}, {"action", "check"}, {"fixtures", std::move(all)}};
    std::printf("%s\n", body.dump(2).c_str());
  }
  if (!c.html.empty()) {
    const std::string page = valid_utf8(check_page(pages));
    std::string error;
    if (!write_file(c.html, {page.begin(), page.end()}, error)) {
      std::fprintf(stderr, "%s\n", error.c_str());
      return kUsage;
    }
  }
  return code;
}

}  // namespace

void add_check_command(CLI::App& app, Chosen& chosen) {
  auto c = std::make_shared<Check>();
  CLI::App* command = app.add_subcommand("check", "compare recorded interfaces with the marks expected of them");
  command->add_option("dirs", c->folders, "folders that record wrote, or folders of such")->required();
  command->add_option("--against", c->against, "another recording of the same interface: what became different?");
  command->add_flag("--update", c->update, "accept what there is: write expected.json");
  command->add_option("--html", c->html, "leave a page with both pictures and the differences here");
  command->add_flag("--json", c->json, "print the result as JSON");
  command->footer("Exit codes: 0 as expected, 1 differs, 2 usage, or a fixture that cannot be read.");
  command->callback([c, &chosen] { chosen.run = [c] { return run(*c); }; });
}

}  // namespace deskmark
