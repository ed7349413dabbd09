// Reading properties of windows: one request each, decoded from the reply.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "perception/x11/connection.hpp"

namespace deskmark::x11 {

/// Asks for at most `words` 32-bit words of a property of any type.
[[nodiscard]] unsigned int ask_property(const Connection& connection, xcb_window_t window, xcb_atom_t property,
                                        std::uint32_t words);

/// The value as it came; empty when the property is not set. Valid as long as the reply.
[[nodiscard]] std::string_view property_bytes(const xcb_get_property_reply_t* reply);
/// 32-bit items; empty when the property is not set or has another format.
[[nodiscard]] std::vector<std::uint32_t> property_words(const xcb_get_property_reply_t* reply);
/// Text in UTF-8 by the property's type (UTF8_STRING, STRING, COMPOUND_TEXT).
[[nodiscard]] std::string property_text(const Atoms& atoms, const xcb_get_property_reply_t* reply);

}  // namespace deskmark::x11
