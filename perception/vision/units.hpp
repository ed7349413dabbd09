// What stands on a surface: texts and icons joined to units, units in rows.
#pragma once

#include <map>
#include <vector>

#include "perception/vision/arrange.hpp"

namespace deskmark::vision {

/// Text, icon, or icon with its text: what a person points at as one thing.
struct Unit {
  PictureRect bounds;
  int line = -1;
  int icon = -1;
  bool symbol = false;  // a text line that stands among icons
  bool ghost = false;   // lies in a box of its own that is a mark already; counts for the rhythm of a list
  bool taken = false;
};

struct Surface {
  int fill = -1;
  PictureRect area;
  std::vector<Unit> units;
  std::vector<PictureRect> widgets;  // boxes on it that are widgets
};

using Row = std::vector<Unit*>;

[[nodiscard]] inline int mid_y(const PictureRect& r) { return r.y + r.h / 2; }
[[nodiscard]] inline int mid_x(const PictureRect& r) { return r.x + r.w / 2; }
/// At least half as high as the lower of the two in common.
[[nodiscard]] bool level(const PictureRect& a, const PictureRect& b);

/// Surfaces by their fill; -1 holds what lies on none.
[[nodiscard]] std::map<int, Surface> find_surfaces(const Arrangement& a);
/// Icon left of a text, icon over a text, arrow behind a text: one unit. Compact texts among icons become symbols.
void make_units(Arrangement& a, Surface& s);

/// Units not taken yet, row by row, each from left to right.
[[nodiscard]] std::vector<Row> rows_of(Surface& s);
[[nodiscard]] PictureRect span_of(const Row& row);
/// Room a unit of a row may claim: half way to its neighbours, at most `dx`; `dy` above and below.
[[nodiscard]] PictureRect widened(const Row& row, std::size_t i, const PictureRect& area, int dx, int dy);

/// Marks a unit's text and icon as explained.
void use(Arrangement& a, Unit& u);
/// Makes a unit one widget.
void emit(Arrangement& a, Unit& u, const PictureRect& bounds, RegionKind kind, double confidence,
          PictureRect mark = {});

/// Lists, trees, tables: rows at a steady pitch. Icon views: units in columns as well as rows.
void find_lists(Arrangement& a, Surface& s);
void find_grids(Arrangement& a, Surface& s);
/// Logical pixels: no text that can be read stands in lines closer than this.
inline constexpr int kReadablePitch = 8;
/// Three or more lines (their middles, pixels) of which most follow one another within `least` pixels.
[[nodiscard]] bool too_close_to_read(std::vector<int> middles, int least);
/// A surface of icon size with lines too close to be text: the drawing of a page or list. Made one icon.
[[nodiscard]] bool find_drawing(Arrangement& a, Surface& s);
/// A window that is one fill with lines of a fixed-width font: a terminal, made one region. False: it is none.
[[nodiscard]] bool find_terminal(Arrangement& a, Surface& s);
/// Tabs of which the selected one is one with its page; over all surfaces, once the texts are drafts.
void find_tab_strips(Arrangement& a);
/// Small empty boxes among the icons of a tool bar are drawn symbols as well, with the room that icons have.
void boxes_among_icons(Arrangement& a);
/// Links in running text: stretches of a line in the colour of links. True when the whole line is one.
[[nodiscard]] bool find_links(Arrangement& a, const Unit& u);

}  // namespace deskmark::vision
