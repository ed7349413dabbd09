// What is never sent, whoever approved it (contract, Rules that are always on). Pure.
#pragma once

#include <optional>
#include <string>

#include "input/keys.hpp"

namespace deskmark {

/// blocked_key_combo when `combo` contains one that locks, logs out or kills: whatever other modifiers are held.
[[nodiscard]] std::optional<Failure> blocked_combo(const KeyCombo& combo);

/// The same for a combination as it is spelled, look-alike letters and invisible characters included. Nothing for one
/// that is no combination at all.
[[nodiscard]] std::optional<Failure> blocked_keys(const std::string& keys);

/// blocked_text when typing or setting `text` (UTF-8) would pipe a download into a shell, remove recursively as root or
/// the root, or start a fork bomb. Compared as a shell would read it (plain_text.hpp), so that quotes, escapes,
/// look-alike letters and invisible characters do not hide it.
[[nodiscard]] std::optional<Failure> blocked_text(const std::string& text);

}  // namespace deskmark
