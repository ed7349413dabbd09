#include "perception/perceive.hpp"

#include <algorithm>
#include <cmath>

#include "perception/marks/label.hpp"
#include "perception/marks/outline_lines.hpp"
#include "perception/marks/outline_phrases.hpp"
#include "perception/marks/pixel_marks.hpp"
#include "perception/marks/place.hpp"
#include "perception/marks/reading_order.hpp"
#include "perception/marks/states.hpp"
#include "perception/marks/toolkit_rules.hpp"
#include "perception/marks/words.hpp"

namespace deskmark {
namespace {

void size_picture(Scene& scene, const DeviceRect& area, int max_dimension) {
  scene.mapping.origin = {area.x, area.y};
  scene.width = std::max(area.w, 0);
  scene.height = std::max(area.h, 0);
  const int longer = std::max(scene.width, scene.height);
  if (max_dimension <= 0 || longer <= max_dimension) return;
  const double by = static_cast<double>(max_dimension) / longer;
  scene.width = std::max(1, static_cast<int>(std::lround(area.w * by)));
  scene.height = std::max(1, static_cast<int>(std::lround(area.h * by)));
  // Exact per axis: what was delivered over what it shows, not the factor asked for.
  scene.mapping.scale_x = static_cast<double>(scene.width) / area.w;
  scene.mapping.scale_y = static_cast<double>(scene.height) / area.h;
}

/// In the picture, at least one pixel, never outside it.
PictureRect in_picture(const Scene& scene, const DeviceRect& r) {
  PictureRect p = scene.mapping.to_picture(r);
  p.w = std::min(std::max(p.w, 1), std::max(scene.width, 1));
  p.h = std::min(std::max(p.h, 1), std::max(scene.height, 1));
  p.x = std::clamp(p.x, 0, std::max(scene.width - p.w, 0));
  p.y = std::clamp(p.y, 0, std::max(scene.height - p.h, 0));
  return p;
}

/// Which marks stay when there are more than `limit`: those that have the focus, then those of the topmost window and
/// of dialogs, then the first in reading order.
std::vector<int> within_limit(const Tree& tree, const std::vector<Sight>& sights, const Controls& controls,
                              const std::vector<int>& order, std::size_t limit) {
  if (order.size() <= limit) return order;
  int top = 0;
  for (const int c : order) {
    if (c >= static_cast<int>(controls.all.size())) continue;
    top = std::max(top, sights[static_cast<std::size_t>(controls.all[static_cast<std::size_t>(c)].node)].surface);
  }
  const auto rank = [&](int c) {
    if (c >= static_cast<int>(controls.all.size())) return 3;  // pixels: less sure than anything accessible
    const Control& control = controls.all[static_cast<std::size_t>(c)];
    if (tree.node(control.node).states.has(State::Focused)) return 0;
    const int surface = sights[static_cast<std::size_t>(control.node)].surface;
    if (top > 0 && surface == top) return 1;
    return 2;
  };
  std::vector<int> by_rank(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) by_rank[k] = static_cast<int>(k);
  std::stable_sort(by_rank.begin(), by_rank.end(), [&](int a, int b) {
    return rank(order[static_cast<std::size_t>(a)]) < rank(order[static_cast<std::size_t>(b)]);
  });
  by_rank.resize(limit);
  std::sort(by_rank.begin(), by_rank.end());
  std::vector<int> kept;
  kept.reserve(limit);
  for (const int k : by_rank) kept.push_back(order[static_cast<std::size_t>(k)]);
  return kept;
}

Mark make_mark(const Tree& tree, const std::vector<Sight>& sights, const Control& control, const Wording& wording,
               const Scene& scene, int index) {
  const Accessible& node = tree.node(control.node);
  Mark mark;
  mark.index = index;
  mark.source = Source::Ax;
  mark.role = node.role;
  mark.role_word = control_word(tree, control);
  mark.label = wording.label;
  mark.value = wording.value;
  mark.device = control.rect;
  mark.bounds = in_picture(scene, control.rect);
  mark.states = state_words(tree, control);
  for (const std::string& action : tree.node(control.actor).actions) {
    // Namespaced actions are GTK 4's application commands, not something the control does.
    if (action.find('.') == std::string::npos && !action.empty()) mark.actions.push_back(action);
  }
  mark.node = control.actor;
  if (control.stepper != 0) {
    // No object stands for it: it is a place on the picture.
    mark.source = Source::Vision;
    mark.role = Role::PushButton;
    mark.node = -1;
    mark.actions.clear();
  }
  const Sight& sight = sights[static_cast<std::size_t>(control.node)];
  if (sight.surface >= 0) mark.surface = tree.seen().surfaces[static_cast<std::size_t>(sight.surface)].window.id;
  return mark;
}

DeviceRect on_screen(const Observation& seen, const PictureRect& r) {
  return {r.x + seen.area.x, r.y + seen.area.y, r.w, r.h};
}

Mark make_pixel_mark(const Observation& seen, const PixelCandidate& candidate, const Scene& scene, int index) {
  Mark mark;
  mark.index = index;
  mark.source = candidate.source;
  mark.role = candidate.role;
  mark.role_word = candidate.role_word;
  mark.label = candidate.label;
  mark.value = candidate.value;
  mark.states = candidate.states;
  mark.device = on_screen(seen, candidate.bounds);
  mark.bounds = in_picture(scene, mark.device);
  mark.confidence = candidate.confidence;
  for (const Surface& surface : seen.surfaces) {  // bottom to top: the last that holds it
    if (surface.window.bounds.contains(mark.device.center())) mark.surface = surface.window.id;
  }
  return mark;
}

/// The terminal or text area that a text is part of; null: none.
const PixelCandidate* document_of(const std::vector<PixelCandidate>& candidates, const PixelCandidate& text) {
  if (text.mark) return nullptr;
  for (const PixelCandidate& c : candidates) {
    const bool document = c.mark && (c.kind == RegionKind::Terminal || c.kind == RegionKind::TextArea);
    if (document && intersect(c.bounds, text.bounds).area() * 5 > text.bounds.area() * 4) return &c;
  }
  return nullptr;
}

/// Side by side: at least half as high as the lower of the two in common.
bool same_row(const PictureRect& a, const PictureRect& b) {
  return (std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y)) * 2 >= std::min(a.h, b.h);
}

/// What the pixels add to the outline, after what the tree says. Texts of a document are its lines again.
void outline_pixels(const std::vector<PixelCandidate>& candidates, const std::vector<int>& number,
                    std::vector<OutlineLine>& outline) {
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const PixelCandidate& c = candidates[k];
    OutlineLine line;
    const PixelCandidate* document = document_of(candidates, c);
    if (document != nullptr && !c.label.empty()) {
      const bool goes_on = k > 0 && document_of(candidates, candidates[k - 1]) == document &&
                           same_row(candidates[k - 1].bounds, c.bounds);
      if (goes_on) {
        outline.back().text += ' ' + c.label;
        continue;
      }
      line.depth = 1;
      line.bulk = true;
      line.text = "| " + c.label;
      outline.push_back(std::move(line));
      continue;
    }
    line.mark = number[k];
    line.actionable = c.mark;
    line.bulk = !c.mark && c.label.size() > kLabelLimit;
    line.text = c.mark ? control_phrase(c.role_word, c.label, c.value, c.states) : quoted(c.label);
    outline.push_back(std::move(line));
  }
}

}  // namespace

Scene perceive(const Observation& observation, const PerceiveOptions& options) {
  Scene scene;
  size_picture(scene, observation.area, options.max_image_dimension);
  scene.warnings = observation.warnings;
  scene.complete = observation.complete;

  const Tree tree{observation};
  const std::vector<Sight> sights = look(tree);
  Controls controls = find_controls(tree, sights);
  Wordings wordings{tree, sights, controls};
  PixelReading pixels;
  if (options.pixel_marks) pixels = read_pixels(observation);
  for (std::size_t c = 0; c < controls.all.size() && !pixels.names.empty(); ++c) {
    wordings.name(static_cast<int>(c), pixels.names[static_cast<std::size_t>(controls.all[c].node)]);
  }

  // Entries below controls.all.size() are controls, the rest candidates from the pixels.
  const auto total_controls = static_cast<int>(controls.all.size());
  std::vector<int> live;
  std::vector<DeviceRect> rects;
  for (std::size_t c = 0; c < controls.all.size(); ++c) {
    if (!controls.all[c].live) continue;
    live.push_back(static_cast<int>(c));
    rects.push_back(controls.all[c].rect);
  }
  for (std::size_t k = 0; k < pixels.candidates.size(); ++k) {
    if (!pixels.candidates[k].mark) continue;
    live.push_back(total_controls + static_cast<int>(k));
    rects.push_back(on_screen(observation, pixels.candidates[k].bounds));
  }
  std::vector<int> order;
  order.reserve(live.size());
  for (const int k : reading_order(rects)) order.push_back(live[static_cast<std::size_t>(k)]);
  // After the order was decided: with and without pixels the numbers are the same.
  place_as_drawn(tree, sights, controls);
  scene.total = static_cast<int>(order.size());
  order = within_limit(tree, sights, controls, order, static_cast<std::size_t>(std::max(options.max_elements, 0)));

  std::vector<int> number(controls.all.size(), 0);
  std::vector<int> pixel_number(pixels.candidates.size(), 0);
  scene.marks.reserve(order.size());
  for (const int c : order) {
    const int index = static_cast<int>(scene.marks.size()) + 1;
    if (c >= total_controls) {
      const auto k = static_cast<std::size_t>(c - total_controls);
      pixel_number[k] = index;
      scene.marks.push_back(make_pixel_mark(observation, pixels.candidates[k], scene, index));
      continue;
    }
    number[static_cast<std::size_t>(c)] = index;
    scene.marks.push_back(
        make_mark(tree, sights, controls.all[static_cast<std::size_t>(c)], wordings.of(c), scene, index));
  }
  scene.outline = outline_lines(tree, sights, controls, wordings, number);
  outline_pixels(pixels.candidates, pixel_number, scene.outline);
  return scene;
}

}  // namespace deskmark
