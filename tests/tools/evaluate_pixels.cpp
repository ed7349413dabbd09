// Scores marks from pixels alone against the accessible tree of the same window: the tree is the truth, hidden from
// what is scored.
//   evaluate_pixels [--wait SECONDS] [--out PICTURE.png] [--words] [--misses] [--window ID | --fixture DIR] NAME [APP]
//   prints one line of JSON
// found: a mark with IoU >= 0.5; hit: the centre of a mark lies in the element; real: marks that are a visible
// accessible or a line of text; extra: marks from pixels although the tree was read.
#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <variant>

#include "perception/atspi/source.hpp"
#include "perception/fixture/fixture.hpp"
#include "perception/marks/encode.hpp"
#include "perception/marks/overlay.hpp"
#include "perception/marks/pixel_marks.hpp"
#include "perception/marks/visibility.hpp"
#include "perception/ocr/tesseract.hpp"
#include "perception/perceive.hpp"
#include "perception/x11/screen.hpp"
#include "src/engine/observe.hpp"

using namespace deskmark;
using Clock = std::chrono::steady_clock;

namespace {

double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double share(const DeviceRect& part, const DeviceRect& of) {
  return of.area() > 0 ? static_cast<double>(intersect(part, of).area()) / static_cast<double>(of.area()) : 0;
}

/// l, I, 1, | and the like look the same in many fonts; an ellipsis may be three dots.
std::string folded(const std::string& word) {
  std::string out;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    if (word.compare(i, 3, "…") == 0)
      i += 2;
    else if (c == 'l' || c == '1' || c == '|' || c == 'i')
      out += 'I';
    else if (c == '0' || c == 'o')
      out += 'O';
    else if (c != '.')
      out += c;
  }
  return out;
}

std::vector<std::string> split(const std::string& text) {
  std::istringstream in{text};
  std::vector<std::string> words;
  for (std::string w; in >> w;) words.push_back(w);
  return words;
}

/// Words whose rectangle lies in `r`.
std::vector<std::string> words_in(const Observation& seen, const DeviceRect& r) {
  std::vector<std::string> out;
  for (const TextLine& line : seen.text) {
    for (const TextWord& word : line.words) {
      if (share(r.inflated(2), word.bounds) > 0.6) out.push_back(word.text);
    }
  }
  return out;
}

struct Words {
  int all = 0;
  int exact = 0;
  int alike = 0;
};

/// Texts that are certainly drawn: labels and controls that show their name, not clipped.
Words score_words(const Observation& truth, const std::vector<Sight>& sights, const Observation& blind, bool list) {
  Words w;
  std::vector<DeviceRect> done;
  for (std::size_t i = 0; i < truth.nodes.size(); ++i) {
    const Accessible& node = truth.nodes[i];
    const Sight& sight = sights[i];
    if (sight.visible.empty() || sight.visible != sight.extents) continue;
    const std::string& text = node.role == Role::Label && !node.text.empty() ? node.text : node.name;
    const bool shows = node.role == Role::Label || node.role == Role::CheckBox || node.role == Role::RadioButton ||
                       node.role == Role::Link;
    if (!shows || text.empty() || text.find('\n') != std::string::npos ||
        node.name.find("\xEF\xBF\xBC") != std::string::npos)
      continue;
    if (std::any_of(done.begin(), done.end(), [&](const DeviceRect& d) { return iou(d, sight.visible) > 0.5; }))
      continue;
    // An icon that carries a name as its tooltip shows no words: the text has to fit.
    if (sight.visible.w < 4 * static_cast<int>(text.size())) continue;
    done.push_back(sight.visible);
    const std::vector<std::string> read = words_in(blind, sight.visible);
    for (const std::string& word : split(text)) {
      if (std::none_of(word.begin(), word.end(), [](unsigned char ch) { return std::isalnum(ch) != 0; })) continue;
      ++w.all;
      // A full stop after a link belongs to the text around it.
      const bool exact = std::any_of(read.begin(), read.end(), [&](const std::string& r) {
        return r == word || (r.size() == word.size() + 1 && r.compare(0, word.size(), word) == 0 &&
                             std::strchr(".,:;", r.back()) != nullptr);
      });
      w.exact += exact;
      if (list && !exact) {
        std::string all;
        for (const std::string& r : read) all += ' ' + r;
        std::fprintf(stderr, "  \"%s\" not in:%s\n", word.c_str(), all.c_str());
      }
      w.alike += exact ||
                 std::any_of(read.begin(), read.end(), [&](const std::string& r) { return folded(r) == folded(word); });
    }
  }
  return w;
}

/// What the tree and the screen say of a live window; no pixels when there is none.
Observation live_truth(const TargetQuery& query, double wait) {
  Observation truth;
  auto screen = open_x11({});
  if (!screen) {
    std::fprintf(stderr, "%s\n", screen.error.message.c_str());
    return truth;
  }
  const auto accessibles = open_atspi();
  const Sources sources{screen.value->get(), accessibles.get(), nullptr};

  // The tree of a program that has just started settles: until two looks agree.
  std::size_t last = 0;
  const auto until = Clock::now() + std::chrono::milliseconds{static_cast<int>(wait * 1000)};
  for (bool settled = false; !settled;) {
    const Deadline deadline = Deadline::in(std::chrono::seconds{10});
    auto list = (*screen.value)->windows(deadline);
    if (list) {
      auto chosen = choose_target(query, *list.value, {});
      if (const Target* target = std::get_if<Target>(&chosen)) {
        auto read = observe(sources, *target, *list.value, {}, deadline);
        if (auto* seen = std::get_if<Observed>(&read)) truth = std::move(seen->observation);
      }
    }
    settled = truth.nodes.size() > 3 && truth.nodes.size() == last;
    last = truth.nodes.size();
    if (!settled) {
      if (Clock::now() > until) break;
      std::this_thread::sleep_for(std::chrono::milliseconds{300});
    }
  }
  return truth;
}

Observation recorded_truth(const char* folder) {
  auto read = read_fixture(folder);
  if (const auto* error = std::get_if<FixtureError>(&read)) {
    std::fprintf(stderr, "%s\n", describe(*error).c_str());
    return {};
  }
  Observation truth = std::get<Recording>(std::move(read)).observation;
  truth.text.clear();
  return truth;
}

}  // namespace

int main(int argc, char** argv) {
  std::string name;
  TargetQuery query;
  const char* out = nullptr;
  double wait = 5;
  bool list_words = false;
  bool list_misses = false;
  const char* fixture = nullptr;
  std::string languages = "eng";
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--wait") == 0 && i + 1 < argc)
      wait = std::atof(argv[++i]);
    else if (std::strcmp(argv[i], "--out") == 0 && i + 1 < argc)
      out = argv[++i];
    else if (std::strcmp(argv[i], "--window") == 0 && i + 1 < argc)
      query.window_id = static_cast<std::uint32_t>(std::strtoul(argv[++i], nullptr, 0));
    else if (std::strcmp(argv[i], "--fixture") == 0 && i + 1 < argc)
      fixture = argv[++i];
    else if (std::strcmp(argv[i], "--lang") == 0 && i + 1 < argc)
      languages = argv[++i];
    else if (std::strcmp(argv[i], "--misses") == 0)
      list_misses = true;
    else if (std::strcmp(argv[i], "--words") == 0)
      list_words = true;
    else if (name.empty())
      name = argv[i];
    else
      query.app = argv[i];
  }
  if (name.empty()) {
    std::fprintf(stderr, "usage: evaluate_pixels [--wait SECONDS] [--out PICTURE.png] NAME [APP]\n");
    return 2;
  }
  const Observation truth = fixture != nullptr ? recorded_truth(fixture) : live_truth(query, wait);
  if (!truth.pixels) {
    std::fprintf(stderr, "%s: no window\n", name.c_str());
    return 1;
  }
  const auto ocr = make_tesseract_source({languages, {}, 0, 4000});

  PerceiveOptions plain;
  plain.pixel_marks = false;
  plain.max_elements = 100000;
  const Scene expected = perceive(truth, plain);
  Observation blind = truth;
  blind.nodes.clear();
  blind.tree = TreeStatus::None;
  for (Surface& s : blind.surfaces) s.root = -1;
  const auto looking = Clock::now();
  (void)text_areas_needed(blind);
  const double look_ms = since(looking);
  const auto reading = Clock::now();
  read_text(*ocr, blind, Deadline::in(std::chrono::seconds{60}), std::chrono::seconds{60});
  const double text_ms = since(reading);
  PerceiveOptions all;
  all.max_elements = 100000;
  const Scene got = perceive(blind, all);
  const Scene both = perceive(truth, all);

  const Tree tree{truth};
  const std::vector<Sight> sights = look(tree);
  int found = 0;
  int hit = 0;
  int needed = 0;
  double overlap = 0;
  for (const Mark& t : expected.marks) {
    if (t.role == Role::ScrollBar) continue;  // overlay scroll bars come and go
    ++needed;
    double best = 0;
    bool in = false;
    for (const Mark& m : got.marks) {
      best = std::max(best, iou(m.device, t.device));
      in = in || t.device.contains(m.device.center());
    }
    found += best >= 0.5;
    hit += in;
    overlap += best;
    if (list_misses && (best < 0.5 || !in)) {
      std::fprintf(stderr, "  %s %s \"%s\" at %d,%d %dx%d: best IoU %.2f\n", in ? "hit" : "MISSED", t.role_word.c_str(),
                   t.label.c_str(), t.bounds.x, t.bounds.y, t.bounds.w, t.bounds.h, best);
    }
  }
  int real = 0;
  for (const Mark& m : got.marks) {
    bool ok = m.source == Source::Ocr;
    for (const Mark& t : expected.marks) ok = ok || iou(m.device, t.device) >= 0.3 || share(t.device, m.device) > 0.8;
    for (std::size_t i = 0; i < sights.size() && !ok; ++i) {
      const DeviceRect& r = sights[i].visible;
      if (!sights[i].shown || r.empty()) continue;
      const bool leaf = tree.first_child(static_cast<int>(i)) < 0;
      ok = iou(m.device, r) >= 0.3 || (leaf && (share(r, m.device) > 0.8 || share(m.device, r) > 0.8));
    }
    for (const TextLine& line : blind.text) ok = ok || (line.confidence > 0.6 && share(m.device, line.bounds) > 0.8);
    real += ok;
  }
  const auto extra =
      std::count_if(both.marks.begin(), both.marks.end(), [](const Mark& m) { return m.source != Source::Ax; });
  const Words words = score_words(truth, sights, blind, list_words);
  if (out != nullptr) {
    const EncodedPicture png = encode_png(draw_marks(*blind.pixels, got).picture);
    if (std::FILE* f = std::fopen(out, "wb")) {
      std::fwrite(png.bytes.data(), 1, png.bytes.size(), f);
      std::fclose(f);
    }
  }
  const nlohmann::ordered_json line{{"name", name},
                                    {"toolkit", toolkit_name(truth.toolkit)},
                                    {"width", truth.area.w},
                                    {"height", truth.area.h},
                                    {"elements", needed},
                                    {"found", found},
                                    {"hit", hit},
                                    {"iou", needed > 0 ? overlap / needed : 0},
                                    {"marks", got.marks.size()},
                                    {"real", real},
                                    {"extra", extra},
                                    {"words", words.all},
                                    {"exact", words.exact},
                                    {"alike", words.alike},
                                    {"look_ms", look_ms},
                                    {"text_ms", text_ms}};
  std::printf("%s\n", line.dump().c_str());
  return 0;
}
