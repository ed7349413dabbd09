// A client's memory as text, for commands that are a process each: what resolving its marks needs, and no more. Texts
// of fields are not in it.
#pragma once

#include <string>

#include "src/engine/client.hpp"

namespace deskmark {

/// Empty when there is nothing that a later command could act on.
[[nodiscard]] std::string client_to_text(const Engine::Client& client);
/// False when `text` is none of ours, of another version, or damaged: then `client` is as before.
[[nodiscard]] bool client_from_text(Engine::Client& client, const std::string& text);

}  // namespace deskmark
