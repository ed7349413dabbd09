#include "src/engine/capture.hpp"

#include <chrono>
#include <cmath>
#include <utility>

#include "perception/marks/encode.hpp"
#include "perception/perceive.hpp"
#include "src/engine/receipt.hpp"
#include "src/engine/replies.hpp"

namespace deskmark {
namespace {

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double rounded(double ms) { return std::round(ms * 100) / 100; }

OrderedJson label_boxes(const Overlay& overlay) {
  OrderedJson out = OrderedJson::array();
  for (const PlacedLabel& l : overlay.labels) {
    out.push_back({{"index", l.index}, {"box", {l.box.x, l.box.y, l.box.w, l.box.h}}, {"leader", l.leader}});
  }
  return out;
}

ObserveOptions observe_options(const Target& target, Mode mode) {
  ObserveOptions options;
  options.tree = mode != Mode::Vision;
  // A minimised window has no picture; its tree can still be read.
  options.pixels = !(mode == Mode::Ax && (target.window.minimized || target.window.off_screen));
  return options;
}

}  // namespace

Reply capture(const Sources& sources, const Target& target, const WindowList& list, Mode mode,
              const CaptureSettings& settings, Engine::Client& client, const Deadline& deadline) {
  Reply reply;
  const auto start = std::chrono::steady_clock::now();
  const auto fail = [&](const Failure& failure) {
    client.disarm();
    reply.body = failure_reply("capture", failure);
    return reply;
  };
  if (target.kind == TargetKind::Screen && mode == Mode::Ax) {
    return fail({Code::InvalidRequest,
                 "app \"screen\" has no accessible tree: use mode som or vision, or name an application."});
  }
  if (target.window.minimized && mode != Mode::Ax) {
    return fail(
        {Code::WindowMinimized, "The window is minimised and has no picture: use mode ax, or restore the window."});
  }

  auto read = observe(sources, target, list, observe_options(target, mode), deadline);
  if (const Failure* failure = std::get_if<Failure>(&read)) return fail(*failure);
  Observed observed = std::move(std::get<Observed>(read));

  auto snapshot = std::make_shared<Snapshot>();
  snapshot->id = client.next_id();
  snapshot->mode = mode;
  snapshot->target = target;
  snapshot->windows = list.windows;
  // They take part in what lies where, so that a pixel of theirs is not taken for what is below.
  snapshot->windows.insert(snapshot->windows.end(), list.excluded.begin(), list.excluded.end());
  snapshot->observation = std::move(observed.observation);

  const auto perceiving = std::chrono::steady_clock::now();
  PerceiveOptions options;
  options.max_elements = settings.max_elements;
  options.max_image_dimension = settings.max_image_dimension;
  snapshot->scene = perceive(snapshot->observation, options);
  const double perceive_ms = since(perceiving);

  double draw_ms = 0;
  double encode_ms = 0;
  OrderedJson boxes;
  if (mode != Mode::Ax && snapshot->observation.pixels) {
    const auto drawing = std::chrono::steady_clock::now();
    Scene plain;
    plain.width = snapshot->scene.width;
    plain.height = snapshot->scene.height;
    Overlay overlay = draw_marks(*snapshot->observation.pixels, mode == Mode::Som ? snapshot->scene : plain);
    draw_ms = since(drawing);
    if (overlay.left_off > 0) {
      snapshot->scene.warnings.push_back(
          {"labels_left_off",
           std::to_string(overlay.left_off) + " numbers found no room in the picture; the elements are listed."});
    }
    if (settings.label_boxes) boxes = label_boxes(overlay);
    const auto encoding = std::chrono::steady_clock::now();
    EncodedPicture encoded = encode_within(overlay.picture, settings.max_image_bytes);
    encode_ms = since(encoding);
    if (encoded.mime == "image/jpeg") {
      snapshot->scene.warnings.push_back(
          {"picture_is_jpeg", "The picture exceeded the size limit as PNG and is a JPEG."});
    }
    reply.picture_mime = std::move(encoded.mime);
    reply.picture = std::move(encoded.bytes);
  }
  if (mode == Mode::Vision) {
    snapshot->scene.marks.clear();
    snapshot->scene.total = 0;
  }

  const std::string text =
      mode == Mode::Ax ? render_outline(snapshot->scene, options.outline_budget) : render_summary(snapshot->scene);
  reply.body = capture_reply(*snapshot, text);
  if (!reply.picture.empty()) reply.body["receipt"] = picture_receipt(*snapshot, reply);
  if (!boxes.is_null()) reply.body["label_boxes"] = std::move(boxes);
  reply.body["timing"] = {{"total_ms", rounded(since(start))},        {"grab_ms", rounded(observed.timing.grab)},
                          {"tree_ms", rounded(observed.timing.tree)}, {"text_ms", rounded(observed.timing.text)},
                          {"perceive_ms", rounded(perceive_ms)},      {"draw_ms", rounded(draw_ms)},
                          {"encode_ms", rounded(encode_ms)}};
  client.remember(std::move(snapshot));
  return reply;
}

}  // namespace deskmark
