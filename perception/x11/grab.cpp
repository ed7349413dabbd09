#include "perception/x11/grab.hpp"

#include <xcb/composite.h>

#include <algorithm>
#include <cstdio>

namespace deskmark::x11 {
namespace {

constexpr int kTries = 3;  // a window that moves while it is read is read again, the last time with the server held
constexpr std::int64_t kMostPixels = 100'000'000;

/// Holds the server for this client alone: a few milliseconds in which nothing moves.
class ServerGrab {
 public:
  ServerGrab(Connection& connection, bool wanted) : c_(wanted ? connection.xcb() : nullptr) {
    if (c_ != nullptr) xcb_grab_server(c_);
  }
  ~ServerGrab() {
    if (c_ == nullptr) return;
    xcb_ungrab_server(c_);
    xcb_flush(c_);
  }
  ServerGrab(const ServerGrab&) = delete;
  ServerGrab& operator=(const ServerGrab&) = delete;

 private:
  xcb_connection_t* c_;
};

std::string name_of(const Window& window) {
  char id[16];
  std::snprintf(id, sizeof id, "0x%x", window.id);
  return window.title.empty() ? "window " + std::string{id} : "window \"" + window.title + "\" (" + id + ")";
}

std::optional<EdgeError> unusable(const DeviceRect& area) {
  if (!area.empty() && area.area() <= kMostPixels) return std::nullopt;
  return EdgeError{"internal",
                   "a picture of " + std::to_string(area.w) + "x" + std::to_string(area.h) + " pixels cannot be taken"};
}

EdgeError no_pixels(const Window& window, Place::State state) {
  if (state == Place::State::Gone) return {"window_gone", name_of(window) + " was closed; capture again"};
  return {"window_minimized",
          name_of(window) + " is minimised or on another workspace and has no picture; use mode ax or restore it"};
}

}  // namespace

/// Reads the pixmaps of all shown places; false when a window moved or changed its size meanwhile.
bool Grabber::read_pixmaps(const std::vector<Place>& places, std::vector<Piece>& pieces, std::vector<Block>& blocks,
                           const Deadline& deadline) {
  xcb_connection_t* const c = connection_.xcb();
  blocks.clear();
  std::vector<xcb_pixmap_t> named;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Place& place = places[i];
    pieces[i].block = -1;
    const DeviceRect wanted = intersect(pieces[i].wanted, place.outer);
    if (place.state != Place::State::Shown || wanted.empty() || !tracker_.redirecting()) continue;
    const xcb_pixmap_t pixmap = xcb_generate_id(c);
    auto block =
        reader_.block(pixmap, place.depth, place.visual, wanted, wanted.x - place.outer.x, wanted.y - place.outer.y);
    if (!block) continue;
    xcb_composite_name_window_pixmap(c, place.top, pixmap);
    named.push_back(pixmap);
    pieces[i].block = static_cast<int>(blocks.size());
    blocks.push_back(*std::move(block));
  }
  reader_.ask(blocks, deadline);
  for (const xcb_pixmap_t pixmap : named) xcb_free_pixmap(c, pixmap);
  PlaceCheck check{connection_, places};
  reader_.take(blocks, deadline);
  return check.unchanged(deadline);
}

void Grabber::draw_piece(Image& picture, const DeviceRect& area, const Place& place, const Block& block,
                         const std::vector<DeviceRect>& leave_out) {
  RawPixels from = reader_.pixels(block);
  if (from.format.alpha && !alpha_is_meant(from)) from.format.alpha = false;
  std::vector<DeviceRect> pieces{block.rect};
  if (!place.shape.empty()) {
    pieces = place.shape;
    for (DeviceRect& piece : pieces) piece = intersect(piece, block.rect);
  }
  for (const DeviceRect& part : uncovered(std::move(pieces), leave_out)) {
    if (part.empty()) continue;
    draw(picture, part.x - area.x, part.y - area.y, from,
         PictureRect{part.x - block.rect.x, part.y - block.rect.y, part.w, part.h});
  }
}

/// What is left for windows without a pixmap: the screen where nothing covers them.
void Grabber::read_visible_parts(const std::vector<Place>& places, const std::vector<Piece>& pieces, Image& picture,
                                 std::vector<DeviceRect>& grabbed, const DeviceRect& area, const Deadline& deadline) {
  const RootState root = read_root(connection_, deadline);
  const ClientSearch search = find_clients(connection_, root, deadline);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].state != Place::State::Shown || !grabbed[i].empty()) continue;
    std::vector<DeviceRect> covers;
    bool above = false;
    for (const TopWindow& top : search.tops) {
      if (above && top.viewable && top.drawable) covers.push_back(top.outer);
      above = above || top.id == places[i].top;
    }
    std::vector<Block> blocks;
    for (const DeviceRect& part : uncovered(intersect(pieces[i].wanted, root.screen), covers)) {
      auto block = reader_.block(connection_.root(), connection_.screen().root_depth, connection_.screen().root_visual,
                                 part, part.x, part.y);
      if (block) blocks.push_back(*std::move(block));
    }
    reader_.ask(blocks, deadline);
    reader_.take(blocks, deadline);
    for (const Block& block : blocks) {
      if (!block.answered) continue;
      draw_piece(picture, area, places[i], block, {});
      grabbed[i] = unite(grabbed[i], block.rect);
    }
  }
}

Reading<Grab> Grabber::windows(const std::vector<Window>& windows, const DeviceRect& area, const Deadline& deadline) {
  if (auto error = unusable(area)) return {std::nullopt, *std::move(error), {}};
  Reading<Grab> reading;

  std::vector<xcb_window_t> clients;
  for (const Window& window : windows) clients.push_back(window.id);
  tracker_.settle(clients, deadline);

  std::vector<Place> places;
  std::vector<Piece> pieces(windows.size());
  std::vector<Block> blocks;
  for (int tries = 0; tries < kTries && !connection_.fault(); ++tries) {
    const ServerGrab still{connection_, tries == kTries - 1};
    places = locate(connection_, windows, deadline);
    for (std::size_t i = 0; i < places.size(); ++i) pieces[i].wanted = intersect(places[i].bounds, area);
    if (read_pixmaps(places, pieces, blocks, deadline)) break;
  }
  if (auto fault = connection_.fault()) return {std::nullopt, *std::move(fault), {}};

  const bool any_shown =
      std::any_of(places.begin(), places.end(), [](const Place& p) { return p.state == Place::State::Shown; });
  if (!any_shown && !places.empty()) return {std::nullopt, no_pixels(windows.front(), places.front().state), {}};

  Image picture{area.w, area.h, kGapColour};
  std::vector<DeviceRect> grabbed(windows.size());
  bool missing = false;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].state != Place::State::Shown) {
      const EdgeError why = no_pixels(windows[i], places[i].state);
      reading.warnings.push_back({why.code, why.message});
      continue;
    }
    const bool answered = pieces[i].block >= 0 && blocks[static_cast<std::size_t>(pieces[i].block)].answered;
    if (answered) {
      const Block& block = blocks[static_cast<std::size_t>(pieces[i].block)];
      std::vector<DeviceRect> foreign;
      for (const LocalRect& r : tracker_.untrusted(windows[i].id)) {
        foreign.push_back({places[i].surface.x + r.x, places[i].surface.y + r.y, r.w, r.h});
      }
      draw_piece(picture, area, places[i], block, foreign);
      grabbed[i] = block.rect;
      if (!foreign.empty()) {
        reading.warnings.push_back(
            {"stale_pixels", name_of(windows[i]) +
                                 " has not drawn itself since it was shown or uncovered: parts of its "
                                 "picture are missing"});
      }
    } else if (!pieces[i].wanted.empty()) {
      missing = true;
    }
  }
  if (missing) {
    read_visible_parts(places, pieces, picture, grabbed, area, deadline);
    reading.warnings.push_back({"stale_pixels", "a window could be read only where nothing covers it"});
  }
  if (auto fault = connection_.fault()) return {std::nullopt, *std::move(fault), {}};
  reading.value = Grab{std::make_shared<const Image>(std::move(picture)), std::move(grabbed)};
  return reading;
}

Reading<Grab> Grabber::screen(const DeviceRect& area, const Deadline& deadline) {
  if (auto error = unusable(area)) return {std::nullopt, *std::move(error), {}};
  const auto asked = xcb_get_geometry(connection_.xcb(), connection_.root());
  const auto geometry = connection_.take<xcb_get_geometry_reply_t>(asked.sequence, deadline);
  Image picture{area.w, area.h, kGapColour};
  DeviceRect grabbed;
  if (geometry) {
    const DeviceRect part = intersect(area, DeviceRect{0, 0, geometry->width, geometry->height});
    std::vector<Block> blocks;
    if (!part.empty()) {
      auto block =
          reader_.block(connection_.root(), geometry->depth, connection_.screen().root_visual, part, part.x, part.y);
      if (!block)
        return {std::nullopt, {"display_unavailable", "displays with a colour map (8 bits) cannot be read"}, {}};
      blocks.push_back(*std::move(block));
    }
    reader_.ask(blocks, deadline);
    reader_.take(blocks, deadline);
    for (const Block& block : blocks) {
      if (!block.answered) continue;
      RawPixels from = reader_.pixels(block);
      from.format.alpha = false;  // nothing lies behind the screen
      draw(picture, part.x - area.x, part.y - area.y, from, PictureRect{0, 0, part.w, part.h});
      grabbed = part;
    }
  }
  if (auto fault = connection_.fault()) return {std::nullopt, *std::move(fault), {}};
  return {Grab{std::make_shared<const Image>(std::move(picture)), {grabbed}}, {}, {}};
}

}  // namespace deskmark::x11
