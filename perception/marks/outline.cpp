#include <algorithm>

#include "perception/marks/outline_lines.hpp"
#include "perception/marks/outline_phrases.hpp"
#include "perception/perceive.hpp"

namespace deskmark {
namespace {

std::string line_text(const OutlineLine& line) {
  std::string text(static_cast<std::size_t>(std::max(line.depth, 0)) * 2, ' ');
  if (line.mark > 0) text += '#' + std::to_string(line.mark) + ' ';
  return text + line.text + '\n';
}

/// Bytes of UTF-8 that are characters.
std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

}  // namespace

std::string render_outline(const Scene& scene, int budget_characters) {
  const auto& lines = scene.outline;
  std::vector<std::string> texts;
  texts.reserve(lines.size());
  std::size_t size = 0;
  for (const OutlineLine& line : lines) {
    texts.push_back(line_text(line));
    size += characters(texts.back());
  }
  const std::size_t budget = budget_characters > 0 ? static_cast<std::size_t>(budget_characters) : 0;
  std::vector<bool> keep(lines.size(), true);
  std::size_t lines_out = 0;
  std::size_t marks_out = 0;
  if (size > budget) {
    // The last line has to fit too. Long text goes first, then other text, marks only when nothing else is left; each
    // from the end, so that what a reader meets first stays.
    const std::size_t room = budget > 60 ? budget - 60 : 0;
    for (int round = 0; round < 3 && size > room; ++round) {
      for (std::size_t k = lines.size(); k-- > 0 && size > room;) {
        const int worth = lines[k].actionable ? 2 : lines[k].bulk ? 0 : 1;
        if (worth != round) continue;
        keep[k] = false;
        size -= characters(texts[k]);
        ++(lines[k].actionable ? marks_out : lines_out);
      }
    }
  }
  std::string out;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (keep[k]) out += texts[k];
  }
  // Marks the element limit left out are said whether or not they had a line here.
  const std::size_t omitted = static_cast<std::size_t>(std::max(scene.total - static_cast<int>(scene.marks.size()), 0));
  if (lines_out + marks_out + omitted > 0) {
    out += "(left out:";
    if (lines_out > 0) out += ' ' + std::to_string(lines_out) + " lines of text";
    if (lines_out > 0 && marks_out > 0) out += ',';
    if (marks_out > 0) out += ' ' + std::to_string(marks_out) + " marks";
    if (omitted > 0)
      out += std::string{lines_out + marks_out > 0 ? "," : ""} + ' ' + std::to_string(omitted) +
             " elements without a number";
    out += ")\n";
  }
  return out;
}

std::string render_summary(const Scene& scene) {
  std::string out;
  for (const Mark& mark : scene.marks) {
    const PictureRect& b = mark.bounds;
    out += '#' + std::to_string(mark.index) + ' ' + control_phrase(mark.role_word, mark.label, std::nullopt, {});
    out += " (" + std::to_string(b.x) + ',' + std::to_string(b.y) + ' ' + std::to_string(b.w) + "×" +
           std::to_string(b.h) + ')';
    if (mark.value || !mark.states.empty()) {
      const std::string tail = control_phrase("", "", mark.value, mark.states);
      out += tail.substr(3);  // without the empty role and label
    }
    out += '\n';
  }
  return out;
}

}  // namespace deskmark
