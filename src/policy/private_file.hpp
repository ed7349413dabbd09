// Files that are the user's alone: read and written without following links.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace deskmark {

/// Creates `path` and its missing parents, 0700; an existing one must be a directory of this user that others cannot
/// write to. Returns the problem.
[[nodiscard]] std::optional<std::string> make_private_directory(const std::string& path);

struct PrivateText {
  bool missing = false;  ///< there is no such file
  std::string problem;   ///< a link, another user's, writable by others, too long, unreadable; empty: none
  std::string text;
};
[[nodiscard]] PrivateText read_private_file(const std::string& path, std::size_t limit);

/// Replaces `path` at once, 0600: readers see the old or the new content, a link there is replaced and not followed.
/// Returns the problem.
[[nodiscard]] std::optional<std::string> write_private_file(const std::string& path, std::string_view content);

/// Holds an advisory lock on `path` (made when missing) until destroyed.
class FileLock {
 public:
  enum class Wait { Yes, No };
  FileLock(const std::string& path, Wait wait);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  [[nodiscard]] bool held() const { return held_; }
  [[nodiscard]] bool busy() const { return busy_; }  ///< someone else holds it

 private:
  int fd_ = -1;
  bool held_ = false;
  bool busy_ = false;
};

/// Now, UTC, "2026-01-31T12:00:00.123Z".
[[nodiscard]] std::string utc_now();
/// Hexadecimal SHA-256.
[[nodiscard]] std::string sha256_hex(std::string_view bytes);
/// Lower-case letters and digits that are not mistaken for each other.
[[nodiscard]] std::string random_word(std::size_t length);

}  // namespace deskmark
