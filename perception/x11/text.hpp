// Text as X properties carry it, to UTF-8. Pure.
#pragma once

#include <string>
#include <string_view>

namespace deskmark::x11 {

/// `bytes` with everything that is not valid UTF-8 replaced by U+FFFD, cut at the first NUL.
[[nodiscard]] std::string valid_utf8(std::string_view bytes);
/// ISO 8859-1 (an ICCCM property of type STRING), cut at the first NUL.
[[nodiscard]] std::string from_latin1(std::string_view bytes);
/// COMPOUND_TEXT (ICCCM, X.org "Compound Text Encoding"): the ISO 2022 sets, the UTF-8 segment and named segments;
/// what cannot be converted becomes U+FFFD. Cut at the first NUL outside a segment.
[[nodiscard]] std::string from_compound_text(std::string_view bytes);

}  // namespace deskmark::x11
