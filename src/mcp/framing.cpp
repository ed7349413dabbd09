#include "src/mcp/framing.hpp"

#include <algorithm>

namespace deskmark::mcp {

void LineSplitter::append(std::string_view bytes) {
  if (skipping_) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) return;
    bytes.remove_prefix(end + 1);
    skipping_ = false;
  }
  buffer_ += bytes;
}

std::optional<Line> LineSplitter::next() {
  const std::size_t end = buffer_.find('\n', scanned_);
  const std::size_t length = (end == std::string::npos ? buffer_.size() : end) - head_;
  if (length > max_line_) {
    if (end == std::string::npos) {
      skipping_ = true;
      buffer_ = std::string{};  // gives the memory back
      head_ = scanned_ = 0;
    } else {
      head_ = scanned_ = end + 1;
    }
    return Line{{}, true};
  }
  if (end == std::string::npos) {
    buffer_.erase(0, head_);
    head_ = 0;
    scanned_ = buffer_.size();
    return std::nullopt;
  }
  Line line{buffer_.substr(head_, length)};
  head_ = scanned_ = end + 1;
  return line;
}

std::optional<Line> LineSplitter::rest() {
  Line line{buffer_.substr(head_)};
  buffer_.clear();
  head_ = scanned_ = 0;
  if (line.text.empty()) return std::nullopt;
  return line;
}

}  // namespace deskmark::mcp
