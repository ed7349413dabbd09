// What one-shot commands remember between them: the last capture, in the user's runtime directory, one file per
// display.
#pragma once

#include <string>

namespace deskmark {

/// The file for `display` (empty: $DISPLAY); its directory is made (0700) when it is missing. Empty when there is no
/// safe place.
[[nodiscard]] std::string kept_capture_path(const std::string& display);
/// Empty when there is none, or when it is not this user's own.
[[nodiscard]] std::string read_kept(const std::string& path);
/// Replaces the file (0600, by renaming); an empty text removes it.
void write_kept(const std::string& path, const std::string& text);

}  // namespace deskmark
