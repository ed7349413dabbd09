// Keeps every window's pixels obtainable (XComposite) and knows when they changed (XDamage).
#pragma once

#include <xcb/damage.h>

#include <chrono>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "perception/x11/clients.hpp"

namespace deskmark::x11 {

/// Pixels of a window, origin at the top-left of its inside.
struct WindowSpace {};
using LocalRect = Rect<WindowSpace>;

/// From its start on, all top-level windows are drawn into pixmaps of their own, so that a covered window can be read.
/// Such a pixmap begins as a copy of the screen: until the program has drawn, it holds what lay there before, be it
/// another program's. So each window has a region that is not to be trusted, which its drawing takes away.
/// Works from events: nothing is polled. All of it runs on the thread that owns the connection.
class Tracker {
 public:
  explicit Tracker(Connection& connection) : connection_(connection) {}
  Tracker(const Tracker&) = delete;
  Tracker& operator=(const Tracker&) = delete;

  /// Redirects the windows and begins to follow them.
  void start(const Deadline& deadline);
  /// True when windows are drawn into pixmaps of their own.
  [[nodiscard]] bool redirecting() const { return redirecting_; }

  void handle(const xcb_generic_event_t& event);

  /// Waits until the windows that were just redirected, mapped or resized have drawn themselves and are quiet for a
  /// moment: at most some 0.7 s, counted from when that happened.
  void settle(const std::vector<xcb_window_t>& clients, const Deadline& until);

  /// Where the pixmap of `client` does not hold its own pixels: its program has not drawn there since it was redirected
  /// or mapped. Empty for a window that is fine or not followed.
  [[nodiscard]] std::vector<LocalRect> untrusted(xcb_window_t client) const;

  /// See ScreenSource::generations.
  [[nodiscard]] std::vector<std::uint64_t> generations(const std::vector<xcb_window_t>& clients,
                                                       const Deadline& deadline);

 private:
  using Clock = Deadline::Clock;
  /// What the server reports of a window's changes.
  enum class Watch : std::uint8_t {
    FirstChange,  ///< that there was one since it was asked last
    Everything,   ///< each rectangle: while some of the window is not to be trusted
  };
  struct Followed {
    xcb_damage_damage_t damage = 0;
    Watch watch = Watch::FirstChange;
    std::uint32_t armed_at = 0;    ///< request that armed it: reports of earlier ones are not news
    bool armed = false;            ///< the server will report the next change
    std::uint64_t generation = 1;  ///< see ScreenSource::generations
    xcb_window_t parent = 0;       ///< the frame it was put into, 0: none
    int width = 0;
    int height = 0;
    std::vector<LocalRect> untrusted;
    bool awaiting = false;  ///< its program is expected to draw
    bool drawn = false;     ///< it did, since
    Clock::time_point since;
    Clock::duration bound{};  ///< how long it is waited for, from `since`
    Clock::time_point first_drawn;
    Clock::time_point last_drawn;
  };

  void follow_all(const ClientSearch& search, const RootState& root, const Deadline& deadline);
  /// Per client what of it no pixmap holds: nothing for those a compositing manager or another of our kind has
  /// redirected already.
  [[nodiscard]] std::vector<std::vector<LocalRect>> hidden_parts(const ClientSearch& search,
                                                                 const std::vector<DeviceRect>& rects,
                                                                 const DeviceRect& screen, const Deadline& deadline);
  Followed& follow(xcb_window_t window, int width, int height, Watch watch);
  void forget(xcb_window_t window);
  void watch(xcb_window_t window, Followed& followed, Watch what);
  void arm(Followed& followed);
  void mapped(xcb_window_t window, std::uint32_t sequence);
  void unmapped(xcb_window_t window);
  void configured(xcb_window_t window, int width, int height);
  void resized(Followed& followed, int width, int height);
  void damaged(const xcb_damage_notify_event_t& event, std::uint32_t sequence);
  static void await_drawing(Followed& followed, Clock::duration bound);
  [[nodiscard]] bool settled(xcb_window_t window, Followed& followed, Clock::time_point now,
                             Clock::time_point& look_again);

  Connection& connection_;
  bool redirecting_ = false;
  std::unordered_map<xcb_window_t, Followed> followed_;
  std::unordered_map<xcb_damage_damage_t, xcb_window_t> by_damage_;
};

}  // namespace deskmark::x11
