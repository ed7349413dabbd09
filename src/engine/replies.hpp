// Replies of the contract as JSON. Pure.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "perception/sources.hpp"
#include "schema/request.hpp"
#include "src/engine/client.hpp"

namespace deskmark {

using OrderedJson = nlohmann::ordered_json;

/// The reply to a capture, without the picture. `text` is `tree` in ax mode, `summary` else.
[[nodiscard]] OrderedJson capture_reply(const Snapshot& snapshot, const std::string& text);

/// {ok: false, action, message, code, …}: for an action with the full verdict block, for a read-only one without.
[[nodiscard]] OrderedJson failure_reply(const std::string& action, const Failure& failure);

/// JSON text is UTF-8; what programs publish need not be. Invalid bytes become U+FFFD.
[[nodiscard]] std::string valid_utf8(const std::string& text);

[[nodiscard]] OrderedJson windows_reply(const WindowList& list, const std::vector<AccessibleApp>& apps);
[[nodiscard]] OrderedJson apps_reply(const WindowList& list, const std::vector<AccessibleApp>& apps);

}  // namespace deskmark
