// GTK 4 (4.8) reports the CSS content box of a widget: a button drawn 90x34 says 56x24. These find the drawn edge
// around it.
#pragma once

#include "perception/model/geometry.hpp"
#include "perception/model/image.hpp"

namespace deskmark {

/// `content` grown to the border of the box drawn around it, never beyond `limit` (picture pixels, unscaled). Unchanged
/// when no box is drawn there: a flat button on its bar, a label.
[[nodiscard]] PictureRect snapped(const Image& image, const PictureRect& content, const PictureRect& limit);

/// Something is drawn along a thin bar: false for overlay scroll bars that are faded out.
[[nodiscard]] bool drawn_along(const Image& image, const PictureRect& bar);

}  // namespace deskmark
