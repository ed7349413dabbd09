// Newline-delimited messages out of a byte stream, with bounded memory.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace deskmark::mcp {

/// Longest line taken, bytes without the newline.
inline constexpr std::size_t kMaxLine = std::size_t{16} << 20;

struct Line {
  std::string text;
  bool oversized = false;  ///< longer than allowed: its text was thrown away
};

class LineSplitter {
 public:
  explicit LineSplitter(std::size_t max_line = kMaxLine) : max_line_(max_line) {}

  void append(std::string_view bytes);
  /// The next whole line. An oversized one is told as soon as it is too long, and then skipped up to its newline.
  [[nodiscard]] std::optional<Line> next();
  /// What is left at the end of the stream, if it is anything.
  [[nodiscard]] std::optional<Line> rest();

 private:
  std::size_t max_line_;
  std::string buffer_;
  std::size_t head_ = 0;     ///< start of the first line not yet handed out
  std::size_t scanned_ = 0;  ///< no newline before here
  bool skipping_ = false;
};

}  // namespace deskmark::mcp
