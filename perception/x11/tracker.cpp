#include "perception/x11/tracker.hpp"

#include <xcb/composite.h>

#include <algorithm>

#include "perception/x11/compose.hpp"

namespace deskmark::x11 {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kDrawingBound{700};    // how long a program may take to draw before we look all the same
constexpr milliseconds kUnwatchedBound{300};  // the same when it may have drawn before we could see it
constexpr milliseconds kQuiet{40};            // without a change: the drawing is done
constexpr milliseconds kAnimated{200};        // it never gets quiet: a moving picture is as good as it will be
constexpr std::size_t kMostPieces = 200;      // a region more ragged than this is taken for what it bounds

template <class Space>
void simplify(std::vector<Rect<Space>>& region) {
  if (region.size() <= kMostPieces) return;
  Rect<Space> all;
  for (const auto& piece : region) all = unite(all, piece);
  region.assign(1, all);
}

/// The parts of `whole`, a rectangle on the screen, that were not seen: beyond the screen or below a higher window.
std::vector<LocalRect> unseen(const DeviceRect& whole, const TopWindow& of, const ClientSearch& search,
                              const DeviceRect& screen) {
  std::vector<DeviceRect> covers;
  bool above = false;
  for (const TopWindow& top : search.tops) {
    if (above && top.viewable && top.drawable) covers.push_back(top.outer);
    above = above || top.id == of.id;
  }
  const std::vector<DeviceRect> seen = uncovered(intersect(whole, screen), covers);
  std::vector<LocalRect> rest;
  for (const DeviceRect& r : uncovered(whole, seen)) rest.push_back({r.x - whole.x, r.y - whole.y, r.w, r.h});
  simplify(rest);
  return rest;
}

}  // namespace

void Tracker::start(const Deadline& deadline) {
  xcb_connection_t* const c = connection_.xcb();
  const std::uint32_t children = XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY;
  xcb_change_window_attributes(c, connection_.root(), XCB_CW_EVENT_MASK, &children);
  const RootState root = read_root(connection_, deadline);
  const ClientSearch search = find_clients(connection_, root, deadline);
  if (connection_.fault()) return;
  redirecting_ = connection_.extensions().composite;
  follow_all(search, root, deadline);
  // Other clients may be served before us: only an answered request proves that the windows are redirected.
  (void)connection_.sync(deadline);
}

void Tracker::follow_all(const ClientSearch& search, const RootState& root, const Deadline& deadline) {
  xcb_connection_t* const c = connection_.xcb();
  std::vector<std::pair<unsigned int, unsigned int>> asked;
  for (const Client& client : search.clients) {
    asked.emplace_back(xcb_get_geometry(c, client.id).sequence,
                       xcb_translate_coordinates(c, client.id, connection_.root(), 0, 0).sequence);
  }
  std::vector<DeviceRect> rects;
  for (const auto& [geometry_asked, position_asked] : asked) {
    const auto geometry = connection_.take<xcb_get_geometry_reply_t>(geometry_asked, deadline);
    const auto position = connection_.take<xcb_translate_coordinates_reply_t>(position_asked, deadline);
    rects.push_back(geometry && position
                        ? DeviceRect{position->dst_x, position->dst_y, geometry->width, geometry->height}
                        : DeviceRect{});
  }
  std::vector<std::vector<LocalRect>> hidden = hidden_parts(search, rects, root.screen, deadline);
  // One uninterrupted sequence: a program that draws again because it was redirected must find its damage watched.
  xcb_grab_server(c);
  for (std::size_t i = 0; i < rects.size(); ++i) {
    const Client& client = search.clients[i];
    if (rects[i].empty()) continue;
    // An unmapped window will have everything to draw when it is mapped.
    const bool exact = !hidden[i].empty() || !client.top.viewable;
    Followed& followed = follow(client.id, rects[i].w, rects[i].h, exact ? Watch::Everything : Watch::FirstChange);
    if (client.top.id != client.id) followed.parent = client.top.id;
    if (hidden[i].empty() || followed.damage == 0) continue;
    followed.untrusted = std::move(hidden[i]);
    await_drawing(followed, kDrawingBound);
  }
  if (redirecting_) {
    xcb_composite_redirect_subwindows(c, connection_.root(), XCB_COMPOSITE_REDIRECT_AUTOMATIC);
  }
  xcb_ungrab_server(c);
}

std::vector<std::vector<LocalRect>> Tracker::hidden_parts(const ClientSearch& search,
                                                          const std::vector<DeviceRect>& rects,
                                                          const DeviceRect& screen, const Deadline& deadline) {
  std::vector<std::vector<LocalRect>> hidden(rects.size());
  if (!redirecting_) return hidden;
  xcb_connection_t* const c = connection_.xcb();
  std::vector<std::pair<std::size_t, xcb_void_cookie_t>> asked;
  for (std::size_t i = 0; i < rects.size(); ++i) {
    const TopWindow& top = search.clients[i].top;
    if (!top.viewable) continue;
    hidden[i] = unseen(rects[i], top, search, screen);
    if (hidden[i].empty()) continue;
    const xcb_pixmap_t pixmap = xcb_generate_id(c);
    asked.emplace_back(i, xcb_composite_name_window_pixmap_checked(c, top.id, pixmap));
    xcb_free_pixmap(c, pixmap);
  }
  (void)connection_.sync(deadline);
  for (const auto& [i, cookie] : asked) {
    if (connection_.succeeded(cookie, deadline)) hidden[i].clear();
  }
  return hidden;
}

Tracker::Followed& Tracker::follow(xcb_window_t window, int width, int height, Watch what) {
  Followed& followed = followed_[window];
  followed.width = width;
  followed.height = height;
  const std::uint32_t own = XCB_EVENT_MASK_STRUCTURE_NOTIFY;
  xcb_change_window_attributes(connection_.xcb(), window, XCB_CW_EVENT_MASK, &own);
  watch(window, followed, what);
  return followed;
}

void Tracker::forget(xcb_window_t window) {
  const auto found = followed_.find(window);
  if (found == followed_.end()) return;
  by_damage_.erase(found->second.damage);  // the server freed it with the window
  followed_.erase(found);
}

void Tracker::watch(xcb_window_t window, Followed& followed, Watch what) {
  if (!connection_.extensions().damage) return;
  xcb_connection_t* const c = connection_.xcb();
  if (followed.damage != 0) {
    if (followed.watch == what) return;
    by_damage_.erase(followed.damage);
    xcb_damage_destroy(c, followed.damage);
  }
  followed.watch = what;
  followed.damage = xcb_generate_id(c);
  by_damage_[followed.damage] = window;
  xcb_damage_create(
      c, followed.damage, window,
      what == Watch::Everything ? XCB_DAMAGE_REPORT_LEVEL_RAW_RECTANGLES : XCB_DAMAGE_REPORT_LEVEL_NON_EMPTY);
  // A new damage object reports the whole window at once, which is not news: only what comes after this request is.
  arm(followed);
}

void Tracker::arm(Followed& followed) {
  if (followed.damage == 0) return;
  followed.armed_at = xcb_damage_subtract(connection_.xcb(), followed.damage, XCB_NONE, XCB_NONE).sequence;
  followed.armed = true;
}

void Tracker::await_drawing(Followed& followed, Clock::duration bound) {
  followed.awaiting = true;
  followed.bound = bound;
  followed.since = Clock::now();
  followed.drawn = false;
  ++followed.generation;
}

void Tracker::damaged(const xcb_damage_notify_event_t& event, std::uint32_t sequence) {
  const auto window = by_damage_.find(event.damage);
  if (window == by_damage_.end()) return;
  Followed& followed = followed_[window->second];
  // Sequence numbers wrap: compare by difference.
  if (static_cast<std::int32_t>(sequence - followed.armed_at) < 0) return;
  const auto now = Clock::now();
  ++followed.generation;
  // A program that was stuck draws again: it gets its time to draw all of it.
  if (!followed.untrusted.empty() && !followed.awaiting) await_drawing(followed, kDrawingBound);
  if (!followed.drawn) followed.first_drawn = now;
  followed.drawn = true;
  followed.last_drawn = now;
  if (followed.watch == Watch::FirstChange) {
    followed.armed = false;
    return;
  }
  const LocalRect area{event.area.x, event.area.y, event.area.width, event.area.height};
  followed.untrusted = uncovered(followed.untrusted, {area});
  simplify(followed.untrusted);
  if (followed.untrusted.empty() && !followed.awaiting) watch(window->second, followed, Watch::FirstChange);
}

void Tracker::mapped(xcb_window_t window, std::uint32_t sequence) {
  for (auto& [id, followed] : followed_) {
    if (id != window && followed.parent != window) continue;
    // Mapped before we watched it: it may have drawn already and never will again.
    const bool watched = followed.damage != 0 && followed.watch == Watch::Everything &&
                         static_cast<std::int32_t>(sequence - followed.armed_at) >= 0;
    followed.untrusted.clear();
    if (watched) followed.untrusted.push_back({0, 0, followed.width, followed.height});
    await_drawing(followed, watched ? kDrawingBound : kUnwatchedBound);
    if (!followed.armed) arm(followed);
  }
}

void Tracker::unmapped(xcb_window_t window) {
  for (auto& [id, followed] : followed_) {
    if (id != window && followed.parent != window) continue;
    watch(id, followed, Watch::Everything);
    followed.untrusted.clear();
    followed.awaiting = false;
  }
}

void Tracker::configured(xcb_window_t window, int width, int height) {
  for (auto& [id, followed] : followed_) {
    if (id != window && followed.parent != window) continue;
    ++followed.generation;  // moved, if nothing else
    if (id == window) resized(followed, width, height);
  }
}

void Tracker::resized(Followed& followed, int width, int height) {
  if (followed.width == width && followed.height == height) return;
  const LocalRect before{0, 0, followed.width, followed.height};
  const LocalRect after{0, 0, width, height};
  followed.width = width;
  followed.height = height;
  if (!followed.untrusted.empty()) {
    for (LocalRect& piece : followed.untrusted) piece = intersect(piece, after);
    for (const LocalRect& piece : uncovered(after, {before})) followed.untrusted.push_back(piece);
    std::erase_if(followed.untrusted, [](const LocalRect& piece) { return piece.empty(); });
  }
  await_drawing(followed, kUnwatchedBound);
  if (!followed.armed) arm(followed);
}

void Tracker::handle(const xcb_generic_event_t& event) {
  const auto type = static_cast<std::uint8_t>(event.response_type & 0x7f);
  if (connection_.extensions().damage && type == connection_.extensions().damage_event) {
    damaged(reinterpret_cast<const xcb_damage_notify_event_t&>(event), event.full_sequence);
    return;
  }
  switch (type) {
    case XCB_CREATE_NOTIFY: {
      const auto& created = reinterpret_cast<const xcb_create_notify_event_t&>(event);
      if (created.parent == connection_.root()) {
        follow(created.window, created.width, created.height, Watch::Everything);
      }
      break;
    }
    case XCB_DESTROY_NOTIFY: forget(reinterpret_cast<const xcb_destroy_notify_event_t&>(event).window); break;
    case XCB_REPARENT_NOTIFY: {
      const auto& moved = reinterpret_cast<const xcb_reparent_notify_event_t&>(event);
      const auto found = followed_.find(moved.window);
      if (found != followed_.end()) found->second.parent = moved.parent == connection_.root() ? 0 : moved.parent;
      break;
    }
    case XCB_MAP_NOTIFY:
      mapped(reinterpret_cast<const xcb_map_notify_event_t&>(event).window, event.full_sequence);
      break;
    case XCB_UNMAP_NOTIFY: unmapped(reinterpret_cast<const xcb_unmap_notify_event_t&>(event).window); break;
    case XCB_CONFIGURE_NOTIFY: {
      const auto& notice = reinterpret_cast<const xcb_configure_notify_event_t&>(event);
      // One that was sent, not reported (bit 7), is the window manager's and tells a place, for the frame moved.
      const bool reported = (event.response_type & 0x80) == 0;
      if (reported) configured(notice.window, notice.width, notice.height);
      break;
    }
    default: break;
  }
}

bool Tracker::settled(xcb_window_t window, Followed& followed, Clock::time_point now, Clock::time_point& look_again) {
  if (!followed.awaiting) return true;
  const Clock::time_point give_up = followed.since + followed.bound;
  Clock::time_point due = give_up;
  if (followed.drawn && followed.untrusted.empty()) {
    if (!followed.armed) arm(followed);  // further drawing must be seen, or quiet means nothing
    due = std::min({followed.last_drawn + kQuiet, followed.first_drawn + kAnimated, give_up});
  }
  if (now < due) {
    look_again = std::min(look_again, due);
    return false;
  }
  followed.awaiting = false;
  // It drew what it had to draw: what is left over (outside a shape, say) is nobody's. If it drew nothing, none of that
  // region is its own.
  if (followed.drawn) followed.untrusted.clear();
  if (followed.untrusted.empty()) watch(window, followed, Watch::FirstChange);
  return true;
}

void Tracker::settle(const std::vector<xcb_window_t>& clients, const Deadline& until) {
  const Deadline deadline = until.at_most(kDrawingBound);  // also for a window that changes its size all the time
  const auto handler = [this](const xcb_generic_event_t& event) { handle(event); };
  connection_.drain(handler);
  while (!connection_.dead() && !deadline.passed()) {
    const auto now = Clock::now();
    Clock::time_point look_again = deadline.at();
    bool all = true;
    for (const xcb_window_t client : clients) {
      const auto found = followed_.find(client);
      if (found != followed_.end()) all = settled(client, found->second, now, look_again) && all;
    }
    if (all) break;
    if (connection_.drain(handler)) continue;  // also sends what settled asked for
    (void)connection_.wait_readable(Deadline{look_again, deadline.stop()});
    connection_.drain(handler);
  }
}

std::vector<LocalRect> Tracker::untrusted(xcb_window_t client) const {
  const auto found = followed_.find(client);
  return found == followed_.end() ? std::vector<LocalRect>{} : found->second.untrusted;
}

std::vector<std::uint64_t> Tracker::generations(const std::vector<xcb_window_t>& clients, const Deadline& deadline) {
  const auto handler = [this](const xcb_generic_event_t& event) { handle(event); };
  const auto known = [&](xcb_window_t client) { return followed_.contains(client) && followed_[client].damage != 0; };
  // What is asked for from here on is reported anew; the answer to a request behind it comes after all reports before
  // it.
  const auto arm_all = [&] {
    for (const xcb_window_t client : clients) {
      if (known(client) && !followed_[client].armed) arm(followed_[client]);
    }
  };
  connection_.drain(handler);
  arm_all();
  (void)connection_.sync(deadline);
  connection_.drain(handler);
  arm_all();
  std::vector<std::uint64_t> numbers;
  for (const xcb_window_t client : clients) numbers.push_back(known(client) ? followed_[client].generation : 0);
  return numbers;
}

}  // namespace deskmark::x11
