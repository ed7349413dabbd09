// Keeps every window's pixels obtainable (XComposite) and knows when they changed (XDamage).
#pragma once

#include <xcb/damage.h>

#include <chrono>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "perception/x11/clients.hpp"

namespace deskmark::x11 {

/// From its start on, all top-level windows are drawn into pixmaps of their own, so that a covered window can be read.
/// Works from events: nothing is polled. All of it runs on the thread that owns the connection.
class Tracker {
 public:
  explicit Tracker(Connection& connection) : connection_(connection) {}
  ~Tracker() = default;
  Tracker(const Tracker&) = delete;
  Tracker& operator=(const Tracker&) = delete;

  /// Redirects the windows and begins to follow them. Windows that were covered then are empty where they were covered
  /// until their program has drawn again: see settle.
  void start(const Deadline& deadline);
  /// True when windows are drawn into pixmaps of their own.
  [[nodiscard]] bool redirecting() const { return redirecting_; }

  void handle(const xcb_generic_event_t& event);

  /// Waits until the windows that were just mapped, resized or uncovered have been drawn and are quiet for a moment; at
  /// most some 0.7 s after that happened. Returns those that were never drawn since they were redirected while covered:
  /// their pixels may be missing.
  [[nodiscard]] std::vector<xcb_window_t> settle(const std::vector<xcb_window_t>& clients, const Deadline& deadline);

  /// A number that is larger after each change of the pixels of `client`; 0 when the window is not followed.
  [[nodiscard]] std::uint64_t generation(xcb_window_t client);

 private:
  using Clock = Deadline::Clock;
  struct Followed {
    xcb_damage_damage_t damage = 0;
    std::uint32_t armed_at = 0;  ///< request that armed it: reports of earlier ones are not news
    bool armed = false;          ///< the server will report the next change
    std::uint64_t generation = 1;
    bool awaiting = false;    ///< its pixels are not to be trusted before it has drawn
    Clock::time_point since;  ///< when it began to wait
    bool drawn = false;       ///< since then
    bool stale = false;       ///< covered when it was redirected and never drawn since
    Clock::time_point first_drawn;
    Clock::time_point last_drawn;
    std::uint16_t width = 0;
    std::uint16_t height = 0;
  };

  void follow(xcb_window_t window, std::uint16_t width, std::uint16_t height);
  void forget(xcb_window_t window);
  void arm(Followed& followed);
  static void await_drawing(Followed& followed);
  [[nodiscard]] bool settled(Followed& followed, Clock::time_point now, Clock::time_point& look_again);

  Connection& connection_;
  bool redirecting_ = false;
  std::unordered_map<xcb_window_t, Followed> followed_;
  std::unordered_map<xcb_damage_damage_t, xcb_window_t> by_damage_;
};

}  // namespace deskmark::x11
