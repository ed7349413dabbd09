// Text as a reader and a shell may take it, whatever it is written with: for comparing with what is blocked. Pure.
#pragma once

#include <string>
#include <vector>

namespace deskmark {

/// Lower case, without accents, invisible characters and joiners; letters of other scripts and forms (full width,
/// mathematical, Cyrillic, Greek, small capitals) that look like Latin ones as those; all dashes, slashes and bars as
/// the ASCII ones, all spaces as a space.
[[nodiscard]] std::string plain_text(const std::string& text);

/// The ways a shell could read `text`, each as plain_text: without quotes, escapes and line continuations, with $IFS as
/// a space, with \x72 and \162 of $'…' as characters, and with braces ({rm,-rf,/}) taken apart.
[[nodiscard]] std::vector<std::string> shell_readings(const std::string& text);

}  // namespace deskmark
