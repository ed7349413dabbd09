// A word for a drawn symbol: what a person would call an icon without a text.
#pragma once

#include <string>

#include "perception/model/image.hpp"

namespace deskmark {

/// "plus", "minus", "cross", "three bars", "three dots", "arrow up/down/left/right", else its colour and "icon" ("blue
/// icon"); empty when `area` of `picture` shows nothing but its paper. Border of a button around it is not looked at.
[[nodiscard]] std::string symbol_word(const Image& picture, const PictureRect& area);

}  // namespace deskmark
