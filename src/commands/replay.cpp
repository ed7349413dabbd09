// deskmark replay DIR: what the core makes of a recorded interface, no display needed.
#include <cstdio>
#include <memory>
#include <utility>

#include "perception/perceive.hpp"
#include "src/commands/command.hpp"
#include "src/commands/fixtures.hpp"
#include "src/commands/output.hpp"

namespace deskmark {
namespace {

struct Replay {
  std::string folder;
  std::string out;
  std::string mode = "som";
  bool json = false;
  int max_elements = 300;
};

int run(const Replay& r) {
  auto read = read_fixture(r.folder);
  OrderedJson body;
  if (const auto* error = std::get_if<FixtureError>(&read)) {
    body = fixture_failure("replay", *error);
    if (r.json)
      std::printf("%s\n", body.dump(2).c_str());
    else
      print_reply(body, {});
    return kNotOk;
  }
  Snapshot snapshot;
  snapshot.observation = std::move(std::get<Recording>(read).observation);
  snapshot.scene = replayed(snapshot.observation, r.max_elements);
  snapshot.mode = r.mode == "ax" ? Mode::Ax : Mode::Som;
  body = capture_reply(snapshot, snapshot.mode == Mode::Ax
                                     ? render_outline(snapshot.scene, PerceiveOptions{}.outline_budget)
                                     : render_summary(snapshot.scene));
  body["action"] = "replay";
  if (!r.out.empty()) {
    const auto png = marked_picture(snapshot.observation, snapshot.scene);
    std::string error = r.folder + " has no pixels to draw on";
    if (png.empty() || !write_file(r.out, png, error)) {
      std::fprintf(stderr, "%s\n", error.c_str());
      return kNotOk;
    }
    body["screenshot_path"] = r.out;
  }
  if (r.json)
    std::printf("%s\n", body.dump(2).c_str());
  else
    print_reply(body, r.out);
  return kOk;
}

}  // namespace

void add_replay_command(CLI::App& app, Chosen& chosen) {
  auto r = std::make_shared<Replay>();
  CLI::App* command = app.add_subcommand("replay", "marks of a recorded interface; needs no display");
  command->add_option("dir", r->folder, "folder that record wrote")->required();
  command->add_option("--mode", r->mode, "som: numbered picture and elements; ax: text")
      ->check(CLI::IsMember({"som", "ax"}));
  command->add_option("--out", r->out, "leave the picture with its marks here (PNG)");
  command->add_flag("--json", r->json, "print the reply as JSON");
  command->add_option("--max-elements", r->max_elements, "marks at most")->check(CLI::Range(1, 100000));
  command->callback([r, &chosen] { chosen.run = [r] { return run(*r); }; });
}

}  // namespace deskmark
