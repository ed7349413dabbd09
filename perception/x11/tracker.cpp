#include "perception/x11/tracker.hpp"

#include <xcb/composite.h>

#include <algorithm>

namespace deskmark::x11 {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kDrawingBound{700};  // how long a program may take to draw before we look all the same
constexpr milliseconds kQuiet{40};          // without a change: the drawing is done
constexpr milliseconds kAnimated{200};      // it never gets quiet: a moving picture is as good as it will be

/// Was `client` seen whole on the screen, with nothing above it?
bool was_covered(const Client& client, const ClientSearch& search, const DeviceRect& screen) {
  if (!client.top.viewable) return false;
  if (!screen.contains(client.top.outer)) return true;
  bool above = false;
  for (const TopWindow& top : search.tops) {
    if (above && top.viewable && top.drawable && !intersect(top.outer, client.top.outer).empty()) return true;
    above = above || top.id == client.top.id;
  }
  return false;
}

}  // namespace

void Tracker::start(const Deadline& deadline) {
  xcb_connection_t* const c = connection_.xcb();
  const std::uint32_t children = XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY;
  xcb_change_window_attributes(c, connection_.root(), XCB_CW_EVENT_MASK, &children);
  const RootState root = read_root(connection_, deadline);
  const ClientSearch search = find_clients(connection_, root, deadline);
  if (connection_.fault()) return;

  // One uninterrupted sequence: a program that draws again because it was redirected must find its damage watched.
  xcb_grab_server(c);
  if (connection_.extensions().composite) {
    xcb_composite_redirect_subwindows(c, connection_.root(), XCB_COMPOSITE_REDIRECT_AUTOMATIC);
    redirecting_ = true;
  }
  for (const Client& client : search.clients) {
    follow(client.id, static_cast<std::uint16_t>(client.top.outer.w), static_cast<std::uint16_t>(client.top.outer.h));
    Followed& followed = followed_[client.id];
    followed.width = followed.height = 0;  // of the frame, not of the client: the first ConfigureNotify tells
    if (redirecting_ && was_covered(client, search, root.screen)) {
      followed.stale = true;
      await_drawing(followed);
    }
  }
  xcb_ungrab_server(c);
  xcb_flush(c);
}

void Tracker::follow(xcb_window_t window, std::uint16_t width, std::uint16_t height) {
  Followed& followed = followed_[window];
  followed.width = width;
  followed.height = height;
  xcb_connection_t* const c = connection_.xcb();
  const std::uint32_t own = XCB_EVENT_MASK_STRUCTURE_NOTIFY;
  xcb_change_window_attributes(c, window, XCB_CW_EVENT_MASK, &own);
  if (!connection_.extensions().damage) return;
  followed.damage = xcb_generate_id(c);
  by_damage_[followed.damage] = window;
  xcb_damage_create(c, followed.damage, window, XCB_DAMAGE_REPORT_LEVEL_NON_EMPTY);
  arm(followed);
}

void Tracker::forget(xcb_window_t window) {
  const auto found = followed_.find(window);
  if (found == followed_.end()) return;
  by_damage_.erase(found->second.damage);  // the server freed it with the window
  followed_.erase(found);
}

void Tracker::arm(Followed& followed) {
  if (followed.damage == 0) return;
  followed.armed_at = xcb_damage_subtract(connection_.xcb(), followed.damage, XCB_NONE, XCB_NONE).sequence;
  followed.armed = true;
}

void Tracker::await_drawing(Followed& followed) {
  followed.awaiting = true;
  followed.since = Clock::now();
  followed.drawn = false;
  ++followed.generation;
}

void Tracker::handle(const xcb_generic_event_t& event) {
  const auto type = static_cast<std::uint8_t>(event.response_type & 0x7f);
  if (connection_.extensions().damage && type == connection_.extensions().damage_event) {
    const auto& damage = reinterpret_cast<const xcb_damage_notify_event_t&>(event);
    const auto window = by_damage_.find(damage.damage);
    if (window == by_damage_.end()) return;
    Followed& followed = followed_[window->second];
    // Sequence numbers wrap: compare by difference. A report older than the arming is about what is known already.
    if (static_cast<std::int32_t>(event.full_sequence - followed.armed_at) < 0) return;
    const auto now = Clock::now();
    ++followed.generation;
    followed.armed = false;
    if (!followed.drawn) followed.first_drawn = now;
    followed.drawn = true;
    followed.last_drawn = now;
    followed.stale = false;
    return;
  }
  switch (type) {
    case XCB_CREATE_NOTIFY: {
      const auto& created = reinterpret_cast<const xcb_create_notify_event_t&>(event);
      if (created.parent == connection_.root()) follow(created.window, created.width, created.height);
      break;
    }
    case XCB_DESTROY_NOTIFY: forget(reinterpret_cast<const xcb_destroy_notify_event_t&>(event).window); break;
    case XCB_MAP_NOTIFY: {
      const auto found = followed_.find(reinterpret_cast<const xcb_map_notify_event_t&>(event).window);
      if (found == followed_.end()) break;
      await_drawing(found->second);
      if (!found->second.armed) arm(found->second);
      break;
    }
    case XCB_CONFIGURE_NOTIFY: {
      const auto& configured = reinterpret_cast<const xcb_configure_notify_event_t&>(event);
      const auto found = followed_.find(configured.window);
      if (found == followed_.end()) break;
      Followed& followed = found->second;
      if (followed.width == configured.width && followed.height == configured.height) break;
      const bool known = followed.width != 0;
      followed.width = configured.width;
      followed.height = configured.height;
      if (!known) break;
      await_drawing(followed);
      if (!followed.armed) arm(followed);
      break;
    }
    default: break;
  }
}

bool Tracker::settled(Followed& followed, Clock::time_point now, Clock::time_point& look_again) {
  if (!followed.awaiting) return true;
  const Clock::time_point give_up = followed.since + kDrawingBound;
  Clock::time_point due = give_up;
  if (followed.drawn) {
    if (!followed.armed) arm(followed);  // further drawing must be seen, or quiet means nothing
    due = std::min({followed.last_drawn + kQuiet, followed.first_drawn + kAnimated, give_up});
  }
  if (now >= due) {
    followed.awaiting = false;
    return true;
  }
  look_again = std::min(look_again, due);
  return false;
}

std::vector<xcb_window_t> Tracker::settle(const std::vector<xcb_window_t>& clients, const Deadline& deadline) {
  const auto handler = [this](const xcb_generic_event_t& event) { handle(event); };
  connection_.drain(handler);
  while (!connection_.dead() && !deadline.passed()) {
    const auto now = Clock::now();
    Clock::time_point look_again = deadline.at();
    bool all = true;
    for (const xcb_window_t client : clients) {
      const auto found = followed_.find(client);
      if (found != followed_.end()) all = settled(found->second, now, look_again) && all;
    }
    if (all) break;
    (void)connection_.wait_readable(Deadline{look_again, deadline.stop()});
    connection_.drain(handler);
  }
  std::vector<xcb_window_t> stale;
  for (const xcb_window_t client : clients) {
    const auto found = followed_.find(client);
    if (found != followed_.end() && found->second.stale) stale.push_back(client);
  }
  return stale;
}

std::uint64_t Tracker::generation(xcb_window_t client) {
  connection_.drain([this](const xcb_generic_event_t& event) { handle(event); });
  const auto found = followed_.find(client);
  if (found == followed_.end()) return 0;
  if (!found->second.armed) arm(found->second);
  return found->second.generation;
}

}  // namespace deskmark::x11
