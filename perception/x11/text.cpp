#include "perception/x11/text.hpp"

#include <iconv.h>

#include <cstdint>
#include <optional>

namespace deskmark::x11 {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

std::string_view until_nul(std::string_view bytes) { return bytes.substr(0, bytes.find('\0')); }

/// Length of the valid UTF-8 sequence at the start of `s`, 0 when there is none.
std::size_t sequence_length(std::string_view s) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(s[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || s.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const bool overlong = (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xf0 && byte(1) < 0x90);
  const bool surrogate = lead == 0xed && byte(1) > 0x9f;
  const bool beyond = lead == 0xf4 && byte(1) > 0x8f;
  return overlong || surrogate || beyond ? 0 : length;
}

std::string converted(std::string_view bytes, const char* charset) {
  if (bytes.empty()) return {};
  const iconv_t converter = iconv_open("UTF-8", charset);
  // iconv_open says "not there" with an all-ones handle.
  if (reinterpret_cast<std::intptr_t>(converter) == -1) return std::string{kReplacement};
  std::string in{bytes};
  std::string out(bytes.size() * 4 + 8, '\0');
  char* from = in.data();
  char* to = out.data();
  std::size_t from_left = in.size();
  std::size_t to_left = out.size();
  bool broken = false;
  if (iconv(converter, &from, &from_left, &to, &to_left) == static_cast<std::size_t>(-1)) broken = true;
  iconv_close(converter);
  out.resize(out.size() - to_left);
  if (broken) out += kReplacement;
  return out;
}

/// What a designation (ESC ...) put into the left or right half of the code table.
struct CharacterSet {
  const char* charset = nullptr;  ///< for iconv
  bool high = false;              ///< iconv wants the bytes with the top bit set (EUC and ISO 8859 right halves)
  bool ascii = false;
};

std::optional<CharacterSet> single_byte(char final, bool right) {
  if (!right) {
    if (final == 'B') return CharacterSet{nullptr, false, true};
    if (final == 'J') return CharacterSet{"JIS_X0201", false, false};
    return std::nullopt;
  }
  switch (final) {
    case 'A': return CharacterSet{"ISO-8859-1", true, false};
    case 'B': return CharacterSet{"ISO-8859-2", true, false};
    case 'C': return CharacterSet{"ISO-8859-3", true, false};
    case 'D': return CharacterSet{"ISO-8859-4", true, false};
    case 'F': return CharacterSet{"ISO-8859-7", true, false};
    case 'G': return CharacterSet{"ISO-8859-6", true, false};
    case 'H': return CharacterSet{"ISO-8859-8", true, false};
    case 'L': return CharacterSet{"ISO-8859-5", true, false};
    case 'M': return CharacterSet{"ISO-8859-9", true, false};
    case 'V': return CharacterSet{"ISO-8859-10", true, false};
    case 'Y': return CharacterSet{"ISO-8859-13", true, false};
    case '_': return CharacterSet{"ISO-8859-14", true, false};
    case 'b': return CharacterSet{"ISO-8859-15", true, false};
    case 'f': return CharacterSet{"ISO-8859-16", true, false};
    case 'T': return CharacterSet{"TIS-620", true, false};
    case 'I': return CharacterSet{"JIS_X0201", true, false};
    default: return std::nullopt;
  }
}

std::optional<CharacterSet> double_byte(char final) {
  switch (final) {
    case 'A': return CharacterSet{"GB2312", true, false};
    case 'B': return CharacterSet{"EUC-JP", true, false};
    case 'C': return CharacterSet{"EUC-KR", true, false};
    default: return std::nullopt;
  }
}

class CompoundText {
 public:
  explicit CompoundText(std::string_view bytes) : rest_(bytes) {}

  std::string decode() {
    while (!rest_.empty() && rest_[0] != '\0') {
      if (rest_[0] == '\x1b') {
        if (!escape()) {
          out_ += kReplacement;
          break;
        }
      } else if (rest_[0] == '\x9b') {  // direction of writing: no character
        rest_.remove_prefix(std::min(rest_.find(']'), rest_.size() - 1) + 1);
      } else {
        run();
      }
    }
    return std::move(out_);
  }

 private:
  /// Characters up to the next control sequence, all from one half of the code table.
  void run() {
    const bool right = (static_cast<std::uint8_t>(rest_[0]) & 0x80) != 0;
    std::size_t n = 0;
    while (n < rest_.size() && rest_[n] != '\0' && rest_[n] != '\x1b' && rest_[n] != '\x9b' &&
           ((static_cast<std::uint8_t>(rest_[n]) & 0x80) != 0) == right) {
      ++n;
    }
    std::string bytes{rest_.substr(0, n)};
    rest_.remove_prefix(n);
    const CharacterSet& set = right ? right_ : left_;
    if (set.ascii) {
      out_ += valid_utf8(bytes);
      return;
    }
    for (char& c : bytes) {
      if (c == '\n' || c == '\t') continue;
      c = static_cast<char>(set.high ? (c | 0x80) : (c & 0x7f));
    }
    out_ += converted(bytes, set.charset);
  }

  bool escape() {
    const auto at = [&](std::size_t i) { return i < rest_.size() ? rest_[i] : '\0'; };
    if (at(1) == '%') return other_coding(at(2));
    const bool wide = at(1) == '$';
    const char half = at(wide ? 2 : 1);
    const char final = at(wide ? 3 : 2);
    const bool right = half == ')' || half == '-';
    if (half != '(' && half != ')' && half != '-') return false;
    const auto set = wide ? double_byte(final) : single_byte(final, right);
    if (!set) return false;
    (right ? right_ : left_) = *set;
    rest_.remove_prefix(wide ? 4 : 3);
    return true;
  }

  bool other_coding(char kind) {
    if (kind == 'G') {  // UTF-8 until ESC % @
      rest_.remove_prefix(3);
      const std::size_t end = rest_.find("\x1b%@");
      out_ += valid_utf8(rest_.substr(0, end));
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 3);
      return true;
    }
    if (kind == '@') {
      rest_.remove_prefix(3);
      return true;
    }
    if (kind != '/' || rest_.size() < 6) return false;
    // ESC % / F M L: a segment of (M-128)*128 + (L-128) bytes: encoding name, STX, text.
    const auto high = static_cast<std::size_t>(static_cast<std::uint8_t>(rest_[4]) & 0x7f);
    const auto low = static_cast<std::size_t>(static_cast<std::uint8_t>(rest_[5]) & 0x7f);
    const std::string_view segment = rest_.substr(6, high * 128 + low);
    rest_.remove_prefix(6 + segment.size());
    const std::size_t stx = segment.find('\x02');
    if (stx == std::string_view::npos) return false;
    const std::string name{segment.substr(0, stx)};
    out_ += converted(segment.substr(stx + 1), name.c_str());
    return true;
  }

  std::string_view rest_;
  std::string out_;
  CharacterSet left_{nullptr, false, true};
  CharacterSet right_{"ISO-8859-1", true, false};
};

}  // namespace

std::string valid_utf8(std::string_view bytes) {
  bytes = until_nul(bytes);
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t length = sequence_length(bytes);
    if (length == 0) {
      out += kReplacement;
      bytes.remove_prefix(1);
    } else {
      out += bytes.substr(0, length);
      bytes.remove_prefix(length);
    }
  }
  return out;
}

std::string from_latin1(std::string_view bytes) {
  std::string out;
  for (const char c : until_nul(bytes)) {
    const auto code = static_cast<std::uint8_t>(c);
    if (code < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xc0 | (code >> 6));
      out += static_cast<char>(0x80 | (code & 0x3f));
    }
  }
  return out;
}

std::string from_compound_text(std::string_view bytes) { return CompoundText{bytes}.decode(); }

}  // namespace deskmark::x11
