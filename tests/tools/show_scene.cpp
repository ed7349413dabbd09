// Observes one window and prints what was read (-n: the nodes), the marks and the outline. For developers.
//   show_scene [-n] [-o PICTURE.png] [-m PICTURE.png] [APP]      (-o: the plain picture, -m: the picture with marks)
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <variant>
#include <vector>

#include "perception/atspi/source.hpp"
#include "perception/marks/encode.hpp"
#include "perception/marks/overlay.hpp"
#include "perception/perceive.hpp"
#include "perception/x11/screen.hpp"
#include "src/engine/observe.hpp"

using namespace deskmark;

namespace {

const char* state_word(int s) {
  static const char* words[] = {
      "invalid",   "active",     "armed",    "busy",      "checked",   "collapsed", "defunct",    "editable",
      "enabled",   "expandable", "expanded", "focusable", "focused",   "tooltip",   "horiz",      "iconified",
      "modal",     "multiline",  "multisel", "opaque",    "pressed",   "resizable", "selectable", "selected",
      "sensitive", "showing",    "single",   "stale",     "transient", "vertical",  "visible",    "manages",
      "indet",     "required",   "trunc",    "anim",      "inventry",  "autocompl", "seltext",    "default",
      "visited",   "checkable",  "haspopup", "readonly"};
  return words[s];
}

void print_nodes(const Observation& seen) {
  for (const Surface& s : seen.surfaces) {
    std::printf("surface %x type=%s root=%d bounds=%d,%d,%dx%d or=%d modal=%d \"%s\"\n", s.window.id,
                std::string(window_type_name(s.window.type)).c_str(), s.root, s.window.bounds.x, s.window.bounds.y,
                s.window.bounds.w, s.window.bounds.h, s.window.override_redirect, s.window.modal,
                s.window.title.c_str());
  }
  std::vector<int> depth(seen.nodes.size());
  for (std::size_t i = 0; i < seen.nodes.size(); ++i) {
    const Accessible& n = seen.nodes[i];
    if (n.parent >= 0) depth[i] = depth[static_cast<std::size_t>(n.parent)] + 1;
    std::printf("%*s%zu %s \"%.60s\" @%d,%d,%dx%d s%x k%d i%d [", depth[i] * 2, "", i,
                std::string(role_name(n.role)).c_str(), n.name.c_str(), n.extents.x, n.extents.y, n.extents.w,
                n.extents.h, n.surface, n.child_count, n.index_in_parent);
    for (int s = 0; s < 44; ++s) {
      if (n.states.has(static_cast<State>(s))) std::printf(" %s", state_word(s));
    }
    std::printf(" ]");
    if (!n.actions.empty()) {
      std::printf(" act=");
      for (const std::string& a : n.actions) std::printf("%s,", a.c_str());
    }
    if (n.value) std::printf(" val=%g[%g..%g]", n.value->current, n.value->minimum, n.value->maximum);
    if (n.text_length > 0) std::printf(" text(%d)=\"%.60s\"", n.text_length, n.text.c_str());
    if (!n.description.empty()) std::printf(" desc=\"%s\"", n.description.c_str());
    for (const auto& [key, value] : n.attributes) std::printf(" %s=%s", key.c_str(), value.c_str());
    for (const int label : n.labelled_by) std::printf(" labelled-by=%d", label);
    std::printf("\n");
  }
}

void save(const Image& image, const char* path) {
  const EncodedPicture png = encode_png(image);
  if (std::FILE* f = std::fopen(path, "wb")) {
    std::fwrite(png.bytes.data(), 1, png.bytes.size(), f);
    std::fclose(f);
  }
}

}  // namespace

int main(int argc, char** argv) {
  bool nodes = false;
  const char* plain = nullptr;
  const char* marked = nullptr;
  TargetQuery query;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "-n") == 0)
      nodes = true;
    else if (std::strcmp(argv[i], "-o") == 0 && i + 1 < argc)
      plain = argv[++i];
    else if (std::strcmp(argv[i], "-m") == 0 && i + 1 < argc)
      marked = argv[++i];
    else
      query.app = argv[i];
  }
  const Deadline deadline = Deadline::in(std::chrono::seconds(20));
  auto screen = open_x11("");
  if (!screen) return std::fprintf(stderr, "%s\n", screen.error.message.c_str()), 3;
  auto accessibles = open_atspi();
  const auto list = (*screen.value)->windows(deadline);
  if (!list) return std::fprintf(stderr, "%s\n", list.error.message.c_str()), 3;
  const auto apps = accessibles->applications(deadline);
  const auto chosen = choose_target(query, *list.value, apps ? *apps.value : std::vector<AccessibleApp>{});
  if (const auto* failure = std::get_if<TargetFailure>(&chosen)) {
    return std::fprintf(stderr, "%s\n", failure->failure.message.c_str()), 1;
  }
  const Sources sources{screen.value->get(), accessibles.get(), nullptr};
  const auto seen = observe(sources, std::get<Target>(chosen), *list.value, {}, deadline);
  if (const auto* failure = std::get_if<Failure>(&seen))
    return std::fprintf(stderr, "%s\n", failure->message.c_str()), 1;
  const Observation& observation = std::get<Observed>(seen).observation;
  if (nodes) print_nodes(observation);

  const auto before = std::chrono::steady_clock::now();
  const Scene scene = perceive(observation, {});
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - before;
  std::printf("%s----\n%s", render_summary(scene).c_str(), render_outline(scene, 20000).c_str());
  std::fprintf(stderr, "%zu nodes, %d marks, perceive %.2f ms\n", observation.nodes.size(), scene.total, took.count());
  for (const Warning& w : scene.warnings) std::fprintf(stderr, "%s: %s\n", w.code.c_str(), w.message.c_str());
  if (plain != nullptr && observation.pixels) save(*observation.pixels, plain);
  if (marked != nullptr && observation.pixels) save(draw_marks(*observation.pixels, scene).picture, marked);
  return 0;
}
