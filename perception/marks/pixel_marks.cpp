#include "perception/marks/pixel_marks.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "perception/marks/reading_order.hpp"
#include "perception/marks/words.hpp"

namespace deskmark {
namespace {

struct Guess {
  Role role;
  std::string_view word;
};

Guess guess(RegionKind kind) {
  switch (kind) {
    case RegionKind::Button: return {Role::PushButton, role_name(Role::PushButton)};
    case RegionKind::Field: return {Role::Entry, role_name(Role::Entry)};
    case RegionKind::TextArea: return {Role::Text, "text area"};
    case RegionKind::Terminal: return {Role::Terminal, role_name(Role::Terminal)};
    case RegionKind::ComboBox: return {Role::ComboBox, role_name(Role::ComboBox)};
    case RegionKind::CheckBox: return {Role::CheckBox, role_name(Role::CheckBox)};
    case RegionKind::RadioButton: return {Role::RadioButton, role_name(Role::RadioButton)};
    case RegionKind::Switch: return {Role::ToggleButton, "switch"};
    case RegionKind::Tab: return {Role::PageTab, role_name(Role::PageTab)};
    case RegionKind::MenuItem: return {Role::MenuItem, role_name(Role::MenuItem)};
    case RegionKind::ListRow: return {Role::ListItem, role_name(Role::ListItem)};
    case RegionKind::Link: return {Role::Link, role_name(Role::Link)};
    case RegionKind::Slider: return {Role::Slider, role_name(Role::Slider)};
    case RegionKind::ScrollBar: return {Role::ScrollBar, role_name(Role::ScrollBar)};
    case RegionKind::ProgressBar: return {Role::ProgressBar, role_name(Role::ProgressBar)};
    case RegionKind::Icon: return {Role::Icon, role_name(Role::Icon)};
    case RegionKind::Picture: return {Role::Image, role_name(Role::Image)};
    case RegionKind::Container:
    case RegionKind::Text: break;
  }
  return {Role::Label, "text"};
}

PictureRect picture_rect(const DeviceRect& r) { return {r.x, r.y, r.w, r.h}; }
DeviceRect device_rect(const PictureRect& r) { return {r.x, r.y, r.w, r.h}; }

double share(const PictureRect& part, const PictureRect& of) {
  const auto all = static_cast<double>(of.area());
  return all > 0 ? static_cast<double>(intersect(part, of).area()) / all : 0;
}

/// OCR makes something of every icon; only what has a letter or digit, or is one of the signs buttons carry, is text.
bool legible(const TextLine& line) {
  if (line.confidence < 0.3 || line.text.empty()) return false;
  const bool word = std::any_of(line.text.begin(), line.text.end(),
                                [](unsigned char c) { return std::isalnum(c) != 0 || c >= 0x80; });
  if (word) return line.text.size() > 1 || line.confidence >= 0.5;
  return line.text.size() <= 3 && line.confidence >= 0.6 && line.text.find_first_of("+-=*/%<>.,()?!#&") == 0;
}

/// The OCR lines with what they were used for.
class Reading {
 public:
  explicit Reading(const std::vector<TextLine>& lines) : lines_(lines), used_(lines.size(), false) {}

  /// Text of the lines that lie in `r`, in reading order; marks them used.
  std::string take(const PictureRect& r) {
    std::vector<std::size_t> in;
    std::vector<DeviceRect> rects;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (!legible(lines_[i]) || share(r, picture_rect(lines_[i].bounds)) <= 0.6) continue;
      in.push_back(i);
      rects.push_back(lines_[i].bounds);
    }
    std::string text;
    for (const int k : reading_order(rects)) {
      const std::size_t i = in[static_cast<std::size_t>(k)];
      if (!text.empty()) text += ' ';
      text += lines_[i].text;
      used_[i] = true;
    }
    return clean_line(text);
  }
  /// The unused line left of `r` on its level, else right above it: what a form calls the field.
  std::string take_beside(const PictureRect& r, double scale) {
    int best = -1;
    int nearest = static_cast<int>(220 * scale);
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const DeviceRect& b = lines_[i].bounds;
      if (used_[i] || !legible(lines_[i])) continue;
      const int gap = r.x - b.right();
      const int off = std::abs((b.y + b.bottom()) - (r.y + r.bottom())) / 2;
      if (gap < 0 || gap >= nearest || off > std::max(r.h / 2, b.h)) continue;
      nearest = gap;
      best = static_cast<int>(i);
    }
    if (best < 0) {
      nearest = static_cast<int>(10 * scale);
      for (std::size_t i = 0; i < lines_.size(); ++i) {
        const DeviceRect& b = lines_[i].bounds;
        if (used_[i] || !legible(lines_[i])) continue;
        const int gap = r.y - b.bottom();
        if (gap < 0 || gap >= nearest || std::abs(b.x - r.x) > 12 * scale) continue;
        nearest = gap;
        best = static_cast<int>(i);
      }
    }
    if (best < 0) return {};
    used_[static_cast<std::size_t>(best)] = true;
    std::string text = clean_line(lines_[static_cast<std::size_t>(best)].text);
    while (!text.empty() && (text.back() == ':' || text.back() == ' ')) text.pop_back();
    return text;
  }
  template <class F>
  void each_unused(F f) const {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (!used_[i] && legible(lines_[i])) f(lines_[i]);
    }
  }

 private:
  const std::vector<TextLine>& lines_;
  std::vector<bool> used_;
};

bool is_explained(const PictureRect& r, const std::vector<PictureRect>& explained) {
  return std::any_of(explained.begin(), explained.end(), [&](const PictureRect& e) {
    // Either the accessible covers it, or it frames the accessible.
    return share(e, r) > 0.5 || share(r, e) > 0.6;
  });
}

bool allowed(const PictureRect& r, const std::vector<PictureRect>& within) {
  return within.empty() ||
         std::any_of(within.begin(), within.end(), [&](const PictureRect& w) { return share(w, r) > 0.8; });
}

bool within_a_caption(const std::string& text) {
  return text.size() <= 28 && std::count(text.begin(), text.end(), ' ') <= 3 && !text.empty() && text.back() != ':' &&
         text.back() != '.' && text.back() != ',';
}

PixelCandidate candidate(const Region& region) {
  PixelCandidate c;
  const Guess g = guess(region.kind);
  c.bounds = region.bounds;
  c.kind = region.kind;
  c.role = g.role;
  c.role_word = std::string(g.word);
  c.confidence = region.confidence;
  c.mark = interactable(region.kind);
  const bool from_text = region.kind == RegionKind::Link || region.kind == RegionKind::MenuItem ||
                         region.kind == RegionKind::Tab || region.kind == RegionKind::ListRow;
  c.source = from_text && !region.text.empty() ? Source::Ocr : Source::Vision;
  if (region.checked) c.states.emplace_back("checked");
  return c;
}

/// Ink the size of an icon that was taken for a text, and in which OCR, though it read other lines, found none: an icon
/// after all.
bool unread_symbol(const PictureParts& parts, const Region& region, const std::vector<TextLine>& text) {
  const PictureRect& r = region.bounds;
  const auto px = [&](int logical) { return static_cast<int>(logical * parts.scale); };
  if (region.kind != RegionKind::Text || text.empty()) return false;
  if (std::min(r.w, r.h) < px(10) || std::max(r.w, r.h) > px(36) || r.w > 2 * r.h) return false;
  return std::none_of(text.begin(), text.end(), [&](const TextLine& line) {
    return legible(line) && !intersect(picture_rect(line.bounds), r).empty();
  });
}

}  // namespace

std::vector<PixelCandidate> pixel_marks(const PictureParts& parts, const std::vector<TextLine>& text,
                                        const std::vector<PictureRect>& explained,
                                        const std::vector<PictureRect>& within) {
  std::vector<PixelCandidate> found;
  Reading reading{text};
  std::vector<std::size_t> fields;
  std::vector<PictureRect> documents;
  for (const Region& part : parts.regions) {
    Region region = part;
    if (unread_symbol(parts, region, text)) {
      region.kind = RegionKind::Icon;
      region.confidence = 0.35;
      region.text.clear();
      const int margin = static_cast<int>(4 * parts.scale);
      region.bounds = region.bounds.inflated(margin);
    }
    if (!interactable(region.kind) || region.bounds.empty()) continue;
    if (!allowed(region.bounds, within) || is_explained(region.bounds, explained)) continue;
    PixelCandidate c = candidate(region);
    const bool typed = c.kind == RegionKind::Field || c.kind == RegionKind::TextArea || c.kind == RegionKind::ComboBox;
    std::string inside;
    // The lines of a document stay lines.
    const bool document = c.kind == RegionKind::Terminal || (c.kind == RegionKind::TextArea && region.text.size() > 2);
    if (document) documents.push_back(c.bounds);
    if (!document && c.kind != RegionKind::Slider && c.kind != RegionKind::ScrollBar) inside = reading.take(c.bounds);
    if (typed) {
      if (!inside.empty()) c.value = cut_line(std::move(inside));
      fields.push_back(found.size());
    } else {
      c.label = cut_line(std::move(inside));
    }
    found.push_back(std::move(c));
  }
  // Fields after all else has its own text, so that a button's caption never becomes a field's label.
  for (const std::size_t i : fields) {
    found[i].label = cut_line(reading.take_beside(found[i].bounds, parts.scale));
    if (found[i].label.empty() && found[i].value) found[i].label = *found[i].value;
  }
  for (PixelCandidate& c : found) {
    if (c.label.empty() && (c.kind == RegionKind::Slider || c.kind == RegionKind::Switch)) {
      c.label = cut_line(reading.take_beside(c.bounds, parts.scale));
    }
  }
  reading.each_unused([&](const TextLine& line) {
    PixelCandidate c;
    c.bounds = picture_rect(line.bounds);
    if (!allowed(c.bounds, within) || is_explained(c.bounds, explained)) return;
    const Guess g = guess(RegionKind::Text);
    c.role = g.role;
    c.role_word = std::string(g.word);
    c.label = clean_line(line.text);
    c.source = Source::Ocr;
    c.confidence = line.confidence;
    // A short text on its own may be something to click (a list item, a link without an underline); a sentence or the
    // caption of a field is not.
    const bool in_document =
        std::any_of(documents.begin(), documents.end(), [&](const PictureRect& d) { return share(d, c.bounds) > 0.8; });
    if (!in_document && within_a_caption(c.label) && line.confidence >= 0.6) {
      c.mark = true;
      c.confidence = 0.3 * line.confidence;
    }
    if (!c.label.empty()) found.push_back(std::move(c));
  });
  std::vector<DeviceRect> rects;
  rects.reserve(found.size());
  for (const PixelCandidate& c : found) rects.push_back(device_rect(c.bounds));
  std::vector<PixelCandidate> ordered;
  ordered.reserve(found.size());
  for (const int i : reading_order(rects)) ordered.push_back(std::move(found[static_cast<std::size_t>(i)]));
  return ordered;
}

}  // namespace deskmark
