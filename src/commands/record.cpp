// deskmark record DIR: one look at a window, written down to be replayed.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>
#include <variant>

#include "perception/atspi/source.hpp"
#include "perception/fixture/mask.hpp"
#include "perception/ocr/tesseract.hpp"
#include "perception/vision/regions.hpp"
#include "perception/x11/screen.hpp"
#include "src/commands/command.hpp"
#include "src/commands/fixtures.hpp"
#include "src/commands/interrupt.hpp"
#include "src/commands/output.hpp"
#include "src/engine/observe.hpp"

namespace deskmark {
namespace {

struct Record {
  EngineOptions options;
  std::string folder;
  std::string app;
  int pid = 0;
  std::uint32_t window_id = 0;
  bool mask_text = false;
  bool json = false;
};

TextPlaces text_places(const Image& picture) {
  TextPlaces places;
  const PictureParts parts = find_parts(picture);
  for (const TextRegion& t : parts.text) places.lines.push_back(t.bounds);
  for (const Region& r : parts.regions) {
    if (r.kind == RegionKind::Picture) places.pictures.push_back(r.bounds);
  }
  return places;
}

/// A folder with something else in it is not ours to fill.
FixtureError usable(const std::string& folder) {
  std::error_code status;
  const std::filesystem::path path{folder};
  if (!std::filesystem::exists(path, status) || std::filesystem::exists(path / kObservationFile, status)) return {};
  if (std::filesystem::is_directory(path, status) && std::filesystem::is_empty(path, status)) return {};
  return {"fixture_not_written", folder, {}, "is there and is no fixture; choose a new folder"};
}

using Looked = std::variant<Recording, OrderedJson>;

Looked look(const Record& r) {
  const auto fail = [](const Failure& failure) { return failure_reply("record", failure); };
  const Interrupt interrupt;
  const Deadline deadline = Deadline::in(std::chrono::milliseconds{r.options.timeout_ms}, interrupt.token());
  auto screen = open_x11(r.options.display);
  if (!screen) return fail(failure_of(screen.error));
  const auto accessibles = open_atspi();
  auto list = (*screen.value)->windows(deadline);
  if (!list) return fail(failure_of(list.error));
  const auto read_apps = accessibles->applications(deadline);
  const auto apps = read_apps ? *read_apps.value : std::vector<AccessibleApp>{};
  TargetQuery query;
  if (!r.app.empty()) query.app = r.app;
  if (r.pid != 0) query.pid = r.pid;
  if (r.window_id != 0) query.window_id = r.window_id;
  const auto chosen = choose_target(query, *list.value, apps);
  if (const auto* failure = std::get_if<TargetFailure>(&chosen)) return fail(failure->failure);
  const Target& target = std::get<Target>(chosen);
  if (target.window.minimized)
    return fail({Code::WindowMinimized, "The window is minimised and has no picture: restore the window."});

  // Text apart, with all the time there is: what is recorded shall be complete.
  const Sources sources{screen.value->get(), accessibles.get(), nullptr};
  auto seen = observe(sources, target, *list.value, {}, deadline);
  if (const auto* failure = std::get_if<Failure>(&seen)) return fail(*failure);
  auto& [observation, timing] = std::get<Observed>(seen);
  const auto reading = std::chrono::steady_clock::now();
  if (target.kind == TargetKind::Window && observation.pixels)
    read_text(*make_tesseract_source({r.options.languages, {}, 0, 4000}), observation, deadline, deadline.left());
  const std::chrono::duration<double, std::milli> text_time = std::chrono::steady_clock::now() - reading;

  Recording recording;
  recording.deskmark = DESKMARK_VERSION;
  recording.languages = r.options.languages;
  const auto whole = [](double ms) { return static_cast<double>(static_cast<long long>(ms + 0.5)); };
  recording.timings = {{"grab", whole(timing.grab)}, {"tree", whole(timing.tree)}, {"text", whole(text_time.count())}};
  for (const AccessibleApp& a : apps) {
    if (!observation.nodes.empty() && a.bus == observation.nodes.front().ref.bus)
      recording.toolkit_version = a.toolkit_version;
  }
  mask_passwords(observation);
  if (r.mask_text) {
    mask_text(observation, observation.pixels ? text_places(*observation.pixels) : TextPlaces{});
    recording.masked = "text";
  }
  recording.observation = std::move(observation);
  return recording;
}

int run(Record& r) {
  OrderedJson body;
  if (const FixtureError error = usable(r.folder)) {
    body = fixture_failure("record", error);
  } else {
    find_display(r.options);
    auto looked = look(r);
    if (auto* failure = std::get_if<OrderedJson>(&looked)) {
      body = std::move(*failure);
    } else {
      const Recording& recording = std::get<Recording>(looked);
      const Observation& o = recording.observation;
      if (const FixtureError failed = write_fixture(r.folder, recording)) {
        body = fixture_failure("record", failed);
      } else {
        body = {{"ok", true}, {"action", "record"}};
        body["message"] = valid_utf8("Recorded " + o.app + ": " + std::to_string(o.area.w) + "x" +
                                     std::to_string(o.area.h) + " pixels, " + std::to_string(o.nodes.size()) +
                                     " nodes, " + std::to_string(o.text.size()) + " lines of text, in " + r.folder);
        body["path"] = valid_utf8(r.folder);
        body["complete"] = o.complete;
        body["warnings"] = OrderedJson::array();
        for (const Warning& w : o.warnings)
          body["warnings"].push_back({{"code", w.code}, {"message", valid_utf8(w.message)}});
      }
    }
  }
  if (r.json)
    std::printf("%s\n", body.dump(2).c_str());
  else
    print_reply(body, {});
  return exit_code(body);
}

}  // namespace

void add_record_command(CLI::App& app, Chosen& chosen) {
  auto r = std::make_shared<Record>();
  CLI::App* command = app.add_subcommand("record", "write all that one look at a window reads into a folder");
  command->add_option("dir", r->folder, "folder to write; it is created")->required();
  command->add_option("--app", r->app, "application name, WM_CLASS, desktop id or part of a title");
  command->add_option("--pid", r->pid, "process id");
  command->add_option("--window-id", r->window_id, "native window id (decimal or 0x…)");
  command->add_flag("--mask-text", r->mask_text, "hide all text, in the tree and in the pixels (passwords always are)");
  command->add_flag("--json", r->json, "print the result as JSON");
  command->add_option("--display", r->options.display, "X display (default: $DISPLAY, else a desktop of ours)");
  command->add_option("--lang", r->options.languages, "languages of text in pixels, joined by '+' (eng+deu)");
  command
      ->add_option_function<double>(
          "--timeout", [r](double seconds) { r->options.timeout_ms = static_cast<int>(seconds * 1000); },
          "seconds at most (1..120, default 30)")
      ->check(CLI::Range(1.0, 120.0));
  command->callback([r, &chosen] { chosen.run = [r] { return run(*r); }; });
}

}  // namespace deskmark
