// Boxes become widgets: what is in a box, and the rules that say which kind of widget it is. Each rule takes what it
// explains and says whether it applied. Internal to this folder.
#pragma once

#include <vector>

#include "perception/vision/arrange.hpp"
#include "perception/vision/units.hpp"

namespace deskmark::vision {

// What is in a box (box_content.cpp).

/// Everything inside a box, at any depth.
struct Content {
  std::vector<int> lines;
  std::vector<int> icons;
  int boxes = 0;  // boxes that are more than a part of this one
  PictureRect bounds;
};
[[nodiscard]] Content content(const Arrangement& a, int index);
/// The line of text right of `r` on the fill `on` that starts within reach and is level with it, -1: none.
[[nodiscard]] int text_beside(const Arrangement& a, const PictureRect& r, int on);
/// Largest difference in one channel.
[[nodiscard]] int colour_distance(std::uint32_t a, std::uint32_t b);
/// Makes a box one widget: what lies inside is explained by it.
void take(Arrangement& a, int index, Draft draft);
/// What lies within `r` is explained.
void cover(Arrangement& a, const PictureRect& r);

// Small things (small_widgets.cpp).

/// A check box or radio button with the text beside it, or a small button.
bool indicator(Arrangement& a, int index);
/// Grooves with a knob.
void sliders(Arrangement& a);
/// A round knob at one end of a pill.
bool switch_knob(Arrangement& a, int index);
/// A small box with something in it, in one column with empty check boxes of its size, is a checked one.
void checked_boxes(Arrangement& a);
/// Keys of a keypad are alike: a box as large as others that are buttons, in their colour, is one too, however little
/// is drawn on it.
void keypad_keys(Arrangement& a);

// One box, one widget (box_widgets.cpp).

/// A box as high as one line of widgets with at most one row of content.
bool single_row(Arrangement& a, int index);
/// A button higher than a line of widgets: a large icon over its text, or one thing in its very middle.
bool tall_button(Arrangement& a, int index);
/// A long field that holds small buttons at its ends (an address bar).
bool long_field(Arrangement& a, int index);
/// A large box of its own colour that holds only text, or nothing: something to type into or to read.
bool text_area(Arrangement& a, int index);

// Boxes that are rows, tabs or segments (box_rows.cpp).

/// A box of the same left and right edge touches it above or below: rows of a list where one is selected.
[[nodiscard]] bool stacked_row(const Arrangement& a, int index);
/// A strip of several captions evenly spaced is as many tabs or segments.
bool segments_of(Arrangement& a, int index, const Content& c);
/// The same, one below the other.
bool stacked_segments(Arrangement& a, int index, const Content& c);
/// The selected row of a list cuts its paper in two: the part above or below it is rows of the same height, counted
/// from where they touch.
bool rows_beside_selected(Arrangement& a, int index);
/// One of several boxes of equal width stacked in a card: a row, whatever controls it holds.
bool card_row(Arrangement& a, int index);

// Several boxes, one widget (joined_widgets.cpp).

/// Two empty troughs of one height with a small thing between them are one slider.
void join_troughs(Arrangement& a);
/// A field that touches a small button with an arrow is one combo box.
void join_combo_boxes(Arrangement& a);

}  // namespace deskmark::vision
