// deskmark perceive PICTURE: marks from pixels alone, no display needed.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <utility>

#include "perception/marks/encode.hpp"
#include "perception/marks/overlay.hpp"
#include "perception/marks/picture_file.hpp"
#include "perception/ocr/tesseract.hpp"
#include "perception/perceive.hpp"
#include "src/commands/command.hpp"
#include "src/commands/interrupt.hpp"
#include "src/commands/output.hpp"
#include "src/engine/observe.hpp"
#include "src/engine/replies.hpp"

namespace deskmark {
namespace {

struct Perceive {
  std::string picture;
  std::string out;
  std::string languages = "eng";
  bool json = false;
  bool text = true;
  int max_elements = 300;
  int max_image_dimension = 0;
  double timeout = 30;
};

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return std::round(ms * 10) / 10;
}

int run(const Perceive& p) {
  const auto start = std::chrono::steady_clock::now();
  LoadedPicture loaded = load_picture(p.picture);
  OrderedJson body;
  if (!loaded.ok()) {
    body = failure_reply("perceive", {Code::InvalidRequest, p.picture + ": " + loaded.error});
    if (p.json)
      std::printf("%s\n", body.dump(2).c_str());
    else
      print_reply(body, {});
    return kNotOk;
  }
  Snapshot snapshot;
  Observation& o = snapshot.observation;
  o.area = o.screen = {0, 0, loaded.image.width, loaded.image.height};
  o.pixels = std::make_shared<const Image>(std::move(loaded.image));
  o.tree = TreeStatus::None;
  o.app = p.picture.substr(p.picture.find_last_of('/') + 1);
  const Interrupt interrupt;
  const Deadline deadline =
      Deadline::in(std::chrono::milliseconds{static_cast<std::int64_t>(p.timeout * 1000)}, interrupt.token());
  const auto reading = std::chrono::steady_clock::now();
  if (p.text) read_text(*make_tesseract_source({p.languages, {}, 0, 4000}), o, deadline, deadline.left());
  const double text_ms = milliseconds_since(reading);
  PerceiveOptions options;
  options.max_elements = p.max_elements;
  options.max_image_dimension = p.max_image_dimension;
  snapshot.scene = perceive(o, options);
  snapshot.mode = Mode::Som;
  body = capture_reply(snapshot, render_summary(snapshot.scene));
  body["action"] = "perceive";

  if (!p.out.empty()) {
    const EncodedPicture png = encode_png(draw_marks(*o.pixels, snapshot.scene).picture);
    std::string error;
    if (!write_file(p.out, png.bytes, error)) {
      std::fprintf(stderr, "%s\n", error.c_str());
      return kNotOk;
    }
    body["screenshot_path"] = p.out;
  }
  body["timing"] = {{"total_ms", milliseconds_since(start)}, {"text_ms", text_ms}};
  if (p.json)
    std::printf("%s\n", body.dump(2).c_str());
  else
    print_reply(body, p.out);
  return kOk;
}

}  // namespace

void add_perceive_command(CLI::App& app, Chosen& chosen) {
  auto p = std::make_shared<Perceive>();
  CLI::App* command = app.add_subcommand("perceive", "marks from the pixels of a picture alone: PNG, JPEG or WebP");
  command->add_option("picture", p->picture, "file to look at")->required();
  command->add_option("--out", p->out, "leave the picture with its marks here (PNG)");
  command->add_flag("--json", p->json, "print the reply as JSON");
  command->add_flag("--text,!--no-text", p->text, "read text (default)");
  command->add_option("--lang", p->languages, "languages of the text, Tesseract names joined by '+' (eng+deu)");
  command->add_option("--max-elements", p->max_elements, "marks at most")->check(CLI::Range(1, 100000));
  command
      ->add_option("--max-image-dimension", p->max_image_dimension, "longer side of the picture in pixels; 0: no limit")
      ->check(CLI::Range(0, 32768));
  command->add_option("--timeout", p->timeout, "seconds for reading text at most")->check(CLI::Range(0.1, 600.0));
  command->callback([p, &chosen] { chosen.run = [p] { return run(*p); }; });
}

}  // namespace deskmark
