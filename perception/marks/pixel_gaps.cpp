#include <algorithm>
#include <array>
#include <cstdlib>

#include "perception/marks/pixel_marks.hpp"
#include "perception/marks/tree.hpp"
#include "perception/marks/visibility.hpp"
#include "perception/marks/words.hpp"
#include "perception/vision/symbols.hpp"

namespace deskmark {
namespace {

/// Smallest area worth looking into for what no accessible accounts for, device pixels.
constexpr int kGapWidth = 40;
constexpr int kGapHeight = 24;

/// Roles that only hold others: a picture in one of them is not explained by it.
bool holds_only(Role role) {
  static constexpr std::array kHolders{
      Role::Application, Role::Canvas,      Role::DesktopFrame, Role::Dialog,        Role::DocumentFrame,
      Role::DocumentWeb, Role::DrawingArea, Role::Embedded,     Role::Filler,        Role::Form,
      Role::Frame,       Role::GlassPane,   Role::Grouping,     Role::HtmlContainer, Role::InternalFrame,
      Role::Landmark,    Role::LayeredPane, Role::Page,         Role::PageTabList,   Role::Panel,
      Role::RootPane,    Role::ScrollPane,  Role::Section,      Role::SplitPane,     Role::Unknown,
      Role::Viewport,    Role::Window,      Role::DirectoryPane};
  return std::find(kHolders.begin(), kHolders.end(), role) != kHolders.end();
}

/// Controls whose meaning is in their name: without one a reader needs what is drawn.
bool needs_name(const Accessible& node) {
  switch (node.role) {
    case Role::PushButton:
    case Role::ToggleButton:
    case Role::CheckBox:
    case Role::RadioButton:
    case Role::Icon:
    case Role::Link:
    case Role::MenuItem:
    case Role::PageTab:
    case Role::ListItem:
    case Role::TableCell:
    case Role::PushButtonMenu: return true;
    default: return false;
  }
}

PictureRect to_picture(const Observation& o, const DeviceRect& r) { return {r.x - o.area.x, r.y - o.area.y, r.w, r.h}; }

/// One colour all over: nothing to find.
bool blank(const Image& image, const PictureRect& r) {
  const std::uint32_t first = image.rgb(r.x, r.y);
  for (int y = r.y; y < r.bottom(); ++y) {
    for (int x = r.x; x < r.right(); ++x) {
      if (image.rgb(x, y) != first) return false;
    }
  }
  return true;
}

bool takes_input(const Window& window) {
  switch (window.type) {
    case WindowType::Menu:
    case WindowType::DropdownMenu:
    case WindowType::PopupMenu:
    case WindowType::Combo: return true;
    default: return window.modal;
  }
}

/// Shown to be read only: nothing in it is acted on.
bool only_tells(const Window& window) {
  return window.type == WindowType::Tooltip || window.type == WindowType::Notification ||
         window.type == WindowType::Dnd;
}

/// Tool tips have no marks; and while a menu or a modal dialog is open, what lies in the windows below it cannot be
/// acted on.
void lock_windows(const Observation& observation, std::vector<PixelCandidate>& candidates) {
  const std::vector<Surface>& surfaces = observation.surfaces;
  int top = -1;
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    if (takes_input(surfaces[i].window)) top = static_cast<int>(i);
  }
  for (PixelCandidate& c : candidates) {
    const DevicePoint p{c.bounds.center().x + observation.area.x, c.bounds.center().y + observation.area.y};
    int at = -1;
    for (std::size_t i = 0; i < surfaces.size(); ++i) {
      if (surfaces[i].window.bounds.contains(p)) at = static_cast<int>(i);
    }
    if (at < top || (at >= 0 && only_tells(surfaces[static_cast<std::size_t>(at)].window))) c.mark = false;
  }
}

}  // namespace

PixelGaps pixel_gaps(const Observation& observation) {
  PixelGaps gaps;
  if (!observation.pixels || observation.pixels->empty() || observation.tree == TreeStatus::NotAsked) return gaps;
  const PictureRect picture{0, 0, observation.pixels->width, observation.pixels->height};
  if (observation.tree != TreeStatus::Read || observation.nodes.empty()) {
    gaps.areas.push_back(picture);
    return gaps;
  }
  const Tree tree{observation};
  const std::vector<Sight> sights = look(tree);
  const auto n = static_cast<std::size_t>(tree.size());
  std::vector<bool> explains(n, false);  // itself or something in it
  std::vector<bool> gap(n, false);
  const auto& order = tree.preorder();
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const auto i = static_cast<std::size_t>(*it);
    const Sight& sight = sights[i];
    const bool visible = sight.shown && !sight.visible.empty();
    if (visible && !holds_only(tree.role(*it))) explains[i] = true;
    if (explains[i] && tree.parent(*it) >= 0) explains[static_cast<std::size_t>(tree.parent(*it))] = true;
    if (visible && !explains[i] && sight.visible.w >= kGapWidth && sight.visible.h >= kGapHeight) gap[i] = true;
  }
  for (const int i : order) {
    const auto k = static_cast<std::size_t>(i);
    const int parent = tree.parent(i);
    if (gap[k] && (parent < 0 || !gap[static_cast<std::size_t>(parent)])) {
      gaps.areas.push_back(intersect(to_picture(observation, sights[k].visible), picture));
    }
  }
  // Windows in the picture that no toplevel accessible belongs to.
  for (const Surface& surface : observation.surfaces) {
    if (surface.root < 0 && !surface.grabbed.empty()) {
      gaps.areas.push_back(intersect(to_picture(observation, surface.grabbed), picture));
    }
  }
  std::erase_if(gaps.areas, [&](const PictureRect& r) { return r.empty() || blank(*observation.pixels, r); });
  for (const int i : order) {
    const auto k = static_cast<std::size_t>(i);
    const Sight& sight = sights[k];
    if (!sight.shown || sight.visible.empty()) continue;
    const Accessible& node = tree.node(i);
    const PictureRect r = to_picture(observation, sight.visible);
    if (!holds_only(node.role)) {
      const bool in_gap = std::any_of(gaps.areas.begin(), gaps.areas.end(),
                                      [&](const PictureRect& g) { return !intersect(g, r).empty(); });
      if (in_gap) gaps.explained.push_back(r);
    }
    if (!needs_name(node) || node.child_count > 3 || !node.labelled_by.empty()) continue;
    const auto named = [](const std::string& name) { return !clean_line(name).empty() && !is_class_name(name); };
    if (named(node.name) || named(node.description) || named(node.text)) continue;
    bool inner = false;  // a label within names it
    for (int c = tree.first_child(i); c >= 0 && !inner; c = tree.next_sibling(c)) {
      inner = named(tree.node(c).name) || named(tree.node(c).text);
    }
    if (!inner && r.w <= 400 && r.h <= 200) gaps.nameless.push_back(i);
  }
  return gaps;
}

std::vector<PictureRect> text_areas_needed(const Observation& observation) {
  std::vector<PictureRect> first;
  std::vector<PictureRect> then;
  const PixelGaps gaps = pixel_gaps(observation);
  if (gaps.areas.empty() && gaps.nameless.empty()) return first;
  const auto parts = parts_of(observation.pixels, gaps.areas);
  std::vector<bool> in_widget(parts->text.size(), false);
  std::vector<bool> symbol(parts->text.size(), false);
  for (const Region& region : parts->regions) {
    for (const int t : region.text) {
      const auto k = static_cast<std::size_t>(t);
      if (interactable(region.kind)) in_widget[k] = true;
      // An icon that was taken for a letter, a drawing of lines: nothing to read.
      if (region.kind == RegionKind::Icon && (parts->text[k].glyphs <= 2 || region.text.size() > 2)) symbol[k] = true;
    }
  }
  for (const int i : gaps.nameless) {
    const PictureRect r =
        intersect(to_picture(observation, sane(observation.nodes[static_cast<std::size_t>(i)].extents)),
                  PictureRect{0, 0, observation.pixels->width, observation.pixels->height});
    if (r.empty()) continue;
    for (const TextRegion& text : find_text_regions(crop(*observation.pixels, r))) {
      // A compact single piece is an icon.
      if (text.glyphs < 2 && text.bounds.w < 2 * text.bounds.h) continue;
      first.push_back(text.bounds.inflated(2).translated(r.x, r.y));
    }
  }
  // A digit on a key looks like an icon when most keys carry words: keys as large as several with text are read too.
  for (const Region& region : parts->regions) {
    if (region.kind != RegionKind::Button || !region.text.empty() || region.bounds.h > 80) continue;
    const auto alike = std::count_if(parts->regions.begin(), parts->regions.end(), [&](const Region& other) {
      return other.kind == RegionKind::Button && !other.text.empty() &&
             std::abs(other.bounds.w - region.bounds.w) <= 2 && std::abs(other.bounds.h - region.bounds.h) <= 2;
    });
    const int margin = std::min(region.bounds.w, region.bounds.h) / 6;
    if (alike >= 3) first.push_back(region.bounds.inflated(-margin));
  }
  const auto holds = [](const std::vector<PictureRect>& areas, const PictureRect& r) {
    return std::any_of(areas.begin(), areas.end(), [&](const PictureRect& a) { return a.contains(r.center()); });
  };
  for (std::size_t k = 0; k < parts->text.size(); ++k) {
    const TextRegion& text = parts->text[k];
    if (symbol[k] || holds(gaps.explained, text.bounds)) continue;
    (in_widget[k] ? first : then).push_back(text.bounds.inflated(2));
  }
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

PixelReading read_pixels(const Observation& observation) {
  PixelReading out;
  const PixelGaps gaps = pixel_gaps(observation);
  if (gaps.areas.empty() && gaps.nameless.empty()) return out;
  std::vector<TextLine> text = observation.text;
  const auto move = [&](DeviceRect& r) { r = r.translated(-observation.area.x, -observation.area.y); };
  for (TextLine& line : text) {
    move(line.bounds);
    for (TextWord& word : line.words) move(word.bounds);
  }
  if (!gaps.areas.empty()) {
    out.candidates = pixel_marks(*parts_of(observation.pixels, gaps.areas), text, gaps.explained, gaps.areas);
  }
  for (PixelCandidate& c : out.candidates) {
    // Better than nothing to tell tool buttons apart by; the colour alone would only repeat itself.
    if (!c.label.empty() || (c.kind != RegionKind::Icon && c.kind != RegionKind::Button)) continue;
    if (c.bounds.w <= 64 && c.bounds.h <= 64) c.label = symbol_word(*observation.pixels, c.bounds);
  }
  lock_windows(observation, out.candidates);
  if (!gaps.nameless.empty()) out.names.resize(observation.nodes.size());
  for (const int i : gaps.nameless) {
    const PictureRect r = to_picture(observation, sane(observation.nodes[static_cast<std::size_t>(i)].extents));
    std::string name;
    for (const TextLine& line : text) {
      const PictureRect b{line.bounds.x, line.bounds.y, line.bounds.w, line.bounds.h};
      if (line.confidence < 0.5 || !r.contains(b.center()) || b.w > r.w + 4) continue;
      if (!name.empty()) name += ' ';
      name += line.text;
    }
    name = cut_line(clean_line(name));
    if (name.empty() && r.w <= 96 && r.h <= 96) name = symbol_word(*observation.pixels, r);
    out.names[static_cast<std::size_t>(i)] = std::move(name);
  }
  return out;
}

}  // namespace deskmark
