#include "perception/x11/property.hpp"

#include <cstring>

#include "perception/x11/text.hpp"

namespace deskmark::x11 {

unsigned int ask_property(const Connection& connection, xcb_window_t window, xcb_atom_t property, std::uint32_t words) {
  return xcb_get_property(connection.xcb(), 0, window, property, XCB_GET_PROPERTY_TYPE_ANY, 0, words).sequence;
}

std::string_view property_bytes(const xcb_get_property_reply_t* reply) {
  if (reply == nullptr) return {};
  return {static_cast<const char*>(xcb_get_property_value(reply)),
          static_cast<std::size_t>(xcb_get_property_value_length(reply))};
}

std::vector<std::uint32_t> property_words(const xcb_get_property_reply_t* reply) {
  if (reply == nullptr || reply->format != 32) return {};
  const std::string_view bytes = property_bytes(reply);
  std::vector<std::uint32_t> words(bytes.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

std::string property_text(const Atoms& atoms, const xcb_get_property_reply_t* reply) {
  if (reply == nullptr || reply->format != 8) return {};
  const std::string_view bytes = property_bytes(reply);
  if (reply->type == atoms.compound_text) return from_compound_text(bytes);
  if (reply->type == atoms.utf8) return valid_utf8(bytes);
  if (reply->type != XCB_ATOM_STRING) return {};
  // STRING is Latin-1 by the book, but programs put UTF-8 there; text that is valid UTF-8 is hardly ever anything else.
  std::string text = valid_utf8(bytes);
  return text.find("\xef\xbf\xbd") == std::string::npos ? text : from_latin1(bytes);
}

}  // namespace deskmark::x11
