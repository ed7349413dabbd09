// The audit: one JSON line per request, appended to a private file that is rotated by size.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace deskmark {

class AuditLog {
 public:
  /// `path`.1 … `path`.`kept` are the older files, 1 the newest. An empty path: nothing is written.
  AuditLog(std::string path, std::int64_t max_bytes, int kept)
      : path_(std::move(path)), max_bytes_(max_bytes), kept_(kept) {}

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Appends a line (without its newline) in one write, 0600, following no link. Several processes may. Returns the
  /// problem.
  [[nodiscard]] std::optional<std::string> append(std::string_view line) const;
  /// The last `most` lines, oldest first, older files included.
  [[nodiscard]] std::vector<std::string> tail(std::size_t most) const;

 private:
  [[nodiscard]] std::string rotated(int number) const { return path_ + "." + std::to_string(number); }

  std::string path_;
  std::int64_t max_bytes_;
  int kept_;
};

}  // namespace deskmark
