// What the commands print and the files they leave.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace deskmark {

/// Writes `bytes` to `path` by way of a private temporary file beside it (0600, then renamed). False with `error` set
/// when that fails.
[[nodiscard]] bool write_file(const std::string& path, const std::vector<std::uint8_t>& bytes, std::string& error);

/// A reply for people: a table of elements, windows or applications, the tree, or the refusal.
void print_reply(const nlohmann::ordered_json& reply, const std::string& picture_path);

}  // namespace deskmark
