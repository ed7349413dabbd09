#include "perception/x11/placement.hpp"

#include <xcb/shape.h>

#include <algorithm>

#include "perception/x11/compose.hpp"
#include "perception/x11/property.hpp"
#include "perception/x11/window_rules.hpp"

namespace deskmark::x11 {
namespace {

constexpr int kFrameLevels = 6;
constexpr int kLeastSide = 2;  // pixels of a window that are not worth a picture
/// A shape of more pieces than this is drawn as what it bounds: no real window is that ragged.
constexpr int kMostPieces = 4096;

DeviceRect outer_of(const xcb_get_geometry_reply_t& g) {
  return {g.x, g.y, g.width + 2 * g.border_width, g.height + 2 * g.border_width};
}

void read_client(Place& place, const xcb_get_window_attributes_reply_t* attributes,
                 const xcb_get_geometry_reply_t* geometry, const xcb_translate_coordinates_reply_t* position,
                 const xcb_get_property_reply_t* extents) {
  if (attributes == nullptr || geometry == nullptr || position == nullptr) return;
  const bool shown = attributes->map_state == XCB_MAP_STATE_VIEWABLE;
  place.state = shown ? Place::State::Shown : Place::State::Unmapped;
  place.surface = {position->dst_x, position->dst_y, geometry->width, geometry->height};
  place.bounds = without_shadow(place.surface, property_words(extents));
}

void read_clients(Connection& connection, std::vector<Place>& places, const Deadline& deadline) {
  xcb_connection_t* const c = connection.xcb();
  struct Asked {
    unsigned int attributes, geometry, position, extents;
  };
  std::vector<Asked> asked;
  for (const Place& place : places) {
    asked.push_back({xcb_get_window_attributes(c, place.client).sequence, xcb_get_geometry(c, place.client).sequence,
                     xcb_translate_coordinates(c, place.client, connection.root(), 0, 0).sequence,
                     ask_property(connection, place.client, connection.atoms().frame_extents, 4)});
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto attributes = connection.take<xcb_get_window_attributes_reply_t>(asked[i].attributes, deadline);
    const auto geometry = connection.take<xcb_get_geometry_reply_t>(asked[i].geometry, deadline);
    const auto position = connection.take<xcb_translate_coordinates_reply_t>(asked[i].position, deadline);
    const auto extents = connection.take<xcb_get_property_reply_t>(asked[i].extents, deadline);
    read_client(places[i], attributes.get(), geometry.get(), position.get(), extents.get());
  }
}

void find_tops(Connection& connection, std::vector<Place>& places, const Deadline& deadline) {
  std::vector<std::pair<Place*, xcb_window_t>> climbing;
  for (Place& place : places) {
    if (place.state == Place::State::Shown) climbing.emplace_back(&place, place.client);
  }
  for (int level = 0; level < kFrameLevels && !climbing.empty(); ++level) {
    std::vector<unsigned int> asked;
    for (const auto& [place, at] : climbing) asked.push_back(xcb_query_tree(connection.xcb(), at).sequence);
    std::vector<std::pair<Place*, xcb_window_t>> further;
    for (std::size_t i = 0; i < climbing.size(); ++i) {
      const auto [place, at] = climbing[i];
      const auto tree = connection.take<xcb_query_tree_reply_t>(asked[i], deadline);
      if (!tree) {
        place->state = Place::State::Gone;
      } else if (tree->parent == connection.root()) {
        place->top = at;
      } else {
        further.emplace_back(place, tree->parent);
      }
    }
    climbing = std::move(further);
  }
  for (const auto& [place, at] : climbing) place->state = Place::State::Gone;
}

/// The bounding shape of a window whose inside begins at `origin`; `whole` when it is a plain rectangle.
std::vector<DeviceRect> shape_rects(Connection& connection, xcb_window_t window, DevicePoint origin,
                                    const DeviceRect& whole, const Deadline& deadline) {
  const auto asked = xcb_shape_get_rectangles(connection.xcb(), window, XCB_SHAPE_SK_BOUNDING);
  const auto reply = connection.take<xcb_shape_get_rectangles_reply_t>(asked.sequence, deadline);
  const int count = reply ? xcb_shape_get_rectangles_rectangles_length(reply.get()) : 0;
  if (!reply || count > kMostPieces) return {whole};
  std::vector<DeviceRect> rects;
  const xcb_rectangle_t* all = xcb_shape_get_rectangles_rectangles(reply.get());
  for (int i = 0; i < count; ++i) {
    rects.push_back({origin.x + all[i].x, origin.y + all[i].y, all[i].width, all[i].height});
  }
  return rects;
}

bool is_shaped(Connection& connection, unsigned int asked, const Deadline& deadline) {
  const auto reply = connection.take<xcb_shape_query_extents_reply_t>(asked, deadline);
  return reply && reply->bounding_shaped != 0;
}

void read_shape(Connection& connection, Place& place, bool top_shaped, bool client_shaped, int border,
                const Deadline& deadline) {
  if (!top_shaped && !client_shaped) return;
  std::vector<DeviceRect> top{place.outer};
  std::vector<DeviceRect> client{place.surface};
  if (top_shaped) {
    const DevicePoint inside{place.outer.x + border, place.outer.y + border};
    top = shape_rects(connection, place.top, inside, place.outer, deadline);
  }
  if (client_shaped && place.client != place.top) {
    client = shape_rects(connection, place.client, {place.surface.x, place.surface.y}, place.surface, deadline);
  }
  for (const DeviceRect& a : top) {
    for (const DeviceRect& b : client) {
      if (const DeviceRect both = intersect(a, b); !both.empty()) place.shape.push_back(both);
    }
  }
  if (place.shape.empty()) place.shape.push_back({place.surface.x, place.surface.y, 0, 0});
}

void read_tops(Connection& connection, std::vector<Place>& places, const Deadline& deadline) {
  xcb_connection_t* const c = connection.xcb();
  const bool shape = connection.extensions().shape;
  struct Asked {
    unsigned int attributes, geometry, top_shape, client_shape;
  };
  std::vector<Asked> asked(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].state != Place::State::Shown) continue;
    asked[i].attributes = xcb_get_window_attributes(c, places[i].top).sequence;
    asked[i].geometry = xcb_get_geometry(c, places[i].top).sequence;
    if (!shape) continue;
    asked[i].top_shape = xcb_shape_query_extents(c, places[i].top).sequence;
    asked[i].client_shape = xcb_shape_query_extents(c, places[i].client).sequence;
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    Place& place = places[i];
    if (place.state != Place::State::Shown) continue;
    const auto attributes = connection.take<xcb_get_window_attributes_reply_t>(asked[i].attributes, deadline);
    const auto geometry = connection.take<xcb_get_geometry_reply_t>(asked[i].geometry, deadline);
    const bool top_shaped = shape && is_shaped(connection, asked[i].top_shape, deadline);
    const bool client_shaped = shape && is_shaped(connection, asked[i].client_shape, deadline);
    if (!attributes || !geometry) {
      place.state = Place::State::Gone;
      continue;
    }
    place.outer = outer_of(*geometry);
    // Rolled up to its title bar, with at most a border's worth of it left.
    const DeviceRect inside = intersect(place.bounds, place.outer);
    if (inside.w <= kLeastSide || inside.h <= kLeastSide) {
      if (!intersect(place.bounds, place.outer.inflated(kLeastSide)).contains(place.bounds)) {
        place.state = Place::State::Unmapped;
        continue;
      }
    }
    place.depth = geometry->depth;
    place.visual = attributes->visual;
    read_shape(connection, place, top_shaped, client_shaped, geometry->border_width, deadline);
  }
}

}  // namespace

std::vector<Place> locate(Connection& connection, const std::vector<Window>& windows, const Deadline& deadline) {
  std::vector<Place> places(windows.size());
  for (std::size_t i = 0; i < windows.size(); ++i) places[i].client = windows[i].id;
  read_clients(connection, places, deadline);
  find_tops(connection, places, deadline);
  read_tops(connection, places, deadline);
  return places;
}

PlaceCheck::PlaceCheck(Connection& connection, const std::vector<Place>& places)
    : connection_(connection), places_(places), asked_(places.size()) {
  xcb_connection_t* const c = connection.xcb();
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].state != Place::State::Shown) continue;
    asked_[i] = {xcb_get_geometry(c, places[i].client).sequence,
                 xcb_translate_coordinates(c, places[i].client, connection.root(), 0, 0).sequence,
                 xcb_get_geometry(c, places[i].top).sequence};
  }
}

bool PlaceCheck::unchanged(const Deadline& deadline) {
  bool same = true;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].state != Place::State::Shown) continue;
    const auto client = connection_.take<xcb_get_geometry_reply_t>(asked_[i].client, deadline);
    const auto position = connection_.take<xcb_translate_coordinates_reply_t>(asked_[i].position, deadline);
    const auto top = connection_.take<xcb_get_geometry_reply_t>(asked_[i].top, deadline);
    if (!client || !position || !top) {
      same = false;
      continue;
    }
    const DeviceRect surface{position->dst_x, position->dst_y, client->width, client->height};
    same = same && surface == places_[i].surface && outer_of(*top) == places_[i].outer;
  }
  return same;
}

}  // namespace deskmark::x11
