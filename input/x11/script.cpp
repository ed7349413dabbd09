#include "input/x11/script.hpp"

#include <algorithm>

namespace deskmark::x11_input {
namespace {

std::u32string decoded(const std::string& text) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    char32_t c = length == 1 ? lead : lead & (0x7fU >> length);
    for (std::size_t k = 1; k < length && i + k < text.size(); ++k)
      c = c << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3fU);
    out += c;
    i += length;
  }
  return out;
}

}  // namespace

std::optional<Script> write_script(const std::string& text, const Layout& layout) {
  Script script;
  script.parts.emplace_back();
  const std::u32string all = decoded(text);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const char32_t c = all[i];
    if (c == U'\r' && i + 1 < all.size() && all[i + 1] == U'\n') continue;
    std::optional<Stroke> stroke;
    if (c == U'\n' || c == U'\r')
      stroke = layout.keysym(XK_Return, layout.group());
    else if (c == U'\t')
      stroke = layout.keysym(XK_Tab, layout.group());
    else if (c < 0x20 || c == 0x7f)
      return std::nullopt;
    else
      stroke = layout.character(c, layout.group());
    if (!stroke) {
      const KeySym sym = c == U'\n' || c == U'\r' ? XK_Return : c == U'\t' ? XK_Tab : keysym_of(c);
      if (sym == NoSymbol || layout.spare().empty()) return std::nullopt;
      std::vector<KeySym>* mapped = &script.parts.back().mapped;
      auto found = std::find(mapped->begin(), mapped->end(), sym);
      if (found == mapped->end()) {
        if (mapped->size() == layout.spare().size()) {
          script.parts.emplace_back();
          mapped = &script.parts.back().mapped;
        }
        mapped->push_back(sym);
        found = mapped->end() - 1;
      }
      stroke = Stroke{layout.spare()[static_cast<std::size_t>(found - mapped->begin())], false, false};
    }
    script.parts.back().strokes.push_back(*stroke);
    ++script.length;
  }
  return script;
}

std::optional<std::vector<Piece>> pieces_for_pasting(const std::string& text) {
  std::vector<Piece> out;
  bool open = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '\n' || c == '\r' || c == '\t') {
      if (c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
      out.push_back({{}, static_cast<KeySym>(c == '\t' ? XK_Tab : XK_Return), 1});
      open = false;
      continue;
    }
    if (c < 0x20 || c == 0x7f) return std::nullopt;
    if (!open) out.emplace_back();
    open = true;
    out.back().text += text[i];
    if ((c & 0xc0U) != 0x80) ++out.back().length;
  }
  return out;
}

}  // namespace deskmark::x11_input
