// GTK 4 (4.8) reports the CSS content box of a widget: a button drawn 90x34 says 56x24. These find the drawn edge
// around it.
#pragma once

#include "perception/model/geometry.hpp"
#include "perception/model/image.hpp"

namespace deskmark {

/// `content` grown to the border of the box drawn around it, never beyond `limit` (picture pixels, unscaled). Unchanged
/// when no box is drawn there: a flat button on its bar, a label.
[[nodiscard]] PictureRect snapped(const Image& image, const PictureRect& content, const PictureRect& limit);

/// `content` grown to the box of one colour that it stands in, when that ends as far away on opposite sides within
/// `limit`: a button like a pill, whose sides are no straight edges. Unchanged otherwise. Picture pixels, unscaled.
[[nodiscard]] PictureRect filled(const Image& image, const PictureRect& content, const PictureRect& limit);

/// `reported` without the empty margin around the frame drawn in it, which has four sides and as much margin on
/// opposite ones. Unchanged when the frame is at its edge, or none is drawn. Picture pixels, unscaled.
[[nodiscard]] PictureRect without_margin(const Image& image, const PictureRect& reported);

/// `box` cut to the lines of pixels in which something is drawn, from its top to the first gap, with the same margin
/// below as above: the header of a collapsed expander that was given more room than it draws in. Unchanged when nothing
/// is drawn, or all of it is.
[[nodiscard]] PictureRect first_lines(const Image& image, const PictureRect& box);

}  // namespace deskmark
