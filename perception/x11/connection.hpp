// One connection to an X server, used by one thread. Requests are pipelined: send many, then take the replies; every
// wait has a deadline, a failed request is an empty reply, and a dead server is a state, never an exit.
// Private to x11/: nothing outside may include it.
#pragma once

#include <xcb/xcb.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "perception/deadline.hpp"
#include "perception/sources.hpp"

namespace deskmark::x11 {

struct Freed {
  void operator()(void* p) const { std::free(p); }
};
template <class R>
using Reply = std::unique_ptr<R, Freed>;

struct Atoms {
#define DESKMARK_ATOM(id, name) xcb_atom_t id = XCB_ATOM_NONE;
#include "perception/x11/atoms.inc"
#undef DESKMARK_ATOM
};

/// What the server offers beyond the core protocol.
struct Extensions {
  bool composite = false;  ///< 0.2 and newer: window pixmaps can be named
  bool damage = false;
  std::uint8_t damage_event = 0;  ///< event code of DamageNotify
  bool shared_memory = false;     ///< 1.2 and newer over a local socket: segments are passed as descriptors
  bool monitors = false;          ///< RandR 1.5
  bool resource_ids = false;      ///< XRes 1.2: the process behind a client
  bool shape = false;
  bool xwayland = false;  ///< the server is an X server inside a Wayland compositor
};

class Connection {
 public:
  /// Connects to `display`. Blocks as long as the server takes to answer the handshake (the caller runs it on the
  /// thread that may). On failure empty, with `error` set to display_unavailable and a sentence with the remedy.
  static std::unique_ptr<Connection> open(const std::string& display, EdgeError& error);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  [[nodiscard]] xcb_connection_t* xcb() const { return connection_; }
  [[nodiscard]] xcb_window_t root() const { return screen_->root; }
  [[nodiscard]] const xcb_screen_t& screen() const { return *screen_; }
  [[nodiscard]] const xcb_setup_t& setup() const { return *xcb_get_setup(connection_); }
  [[nodiscard]] const Atoms& atoms() const { return atoms_; }
  [[nodiscard]] const Extensions& extensions() const { return extensions_; }
  [[nodiscard]] int descriptor() const { return xcb_get_file_descriptor(connection_); }
  [[nodiscard]] bool dead() const { return xcb_connection_has_error(connection_) != 0; }
  /// The client (by its resource base) that made `id`.
  [[nodiscard]] std::uint32_t maker(std::uint32_t id) const { return id & ~setup().resource_id_mask; }

  /// Call when a new job begins: forgets that the last one ran out of time.
  void begin() { late_ = false; }
  /// Why the job cannot go on: the server is gone (display_unavailable) or did not answer in time (timeout).
  [[nodiscard]] std::optional<EdgeError> fault() const;

  /// The reply to a request; empty when the request failed, the deadline passed or the server is gone. Once a job is
  /// late all its later replies are dropped at once.
  template <class R>
  [[nodiscard]] Reply<R> take(unsigned int sequence, const Deadline& deadline) {
    return Reply<R>{static_cast<R*>(take_raw(sequence, deadline))};
  }
  /// True when a checked request without reply was carried out. Only after a later request was answered.
  [[nodiscard]] bool succeeded(xcb_void_cookie_t cookie, const Deadline& deadline);
  /// Waits until everything sent so far has been carried out; false when it was not in time.
  bool sync(const Deadline& deadline);

  /// Sends what is buffered and hands every event that has arrived to `handler`; does not wait. True when there
  /// was one.
  bool drain(const std::function<void(const xcb_generic_event_t&)>& handler);
  /// Waits until the server sends something or `until`; false on time-out. Drain first: what was read already, or is
  /// not sent yet, does not end the wait.
  bool wait_readable(const Deadline& until);

 private:
  Connection() = default;
  void* take_raw(unsigned int sequence, const Deadline& deadline);
  bool intern_atoms(const Deadline& deadline);
  void query_extensions(const Deadline& deadline);
  [[nodiscard]] bool is_xwayland(const Deadline& deadline);

  xcb_connection_t* connection_ = nullptr;
  const xcb_screen_t* screen_ = nullptr;
  std::string display_;
  Atoms atoms_;
  Extensions extensions_;
  bool late_ = false;
  bool failed_ = false;  ///< the newest taken request
};

}  // namespace deskmark::x11
