// The connection to the accessibility bus. Everything here runs on the one thread that owns it (bus_thread.hpp) except
// the receiving of replies, which GDBus does on its own thread and hands over.
#pragma once

#include <gio/gio.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "perception/atspi/caller.hpp"
#include "perception/atspi/wire.hpp"
#include "perception/deadline.hpp"
#include "perception/sources.hpp"

namespace deskmark::atspi {

class Bus {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Bus(GMainContext* context);
  ~Bus();
  Bus(const Bus&) = delete;
  Bus& operator=(const Bus&) = delete;

  /// Connected, or why not. Connects when there is no live connection: address from AT_SPI_BUS_ADDRESS, else from
  /// org.a11y.Bus on the session bus. A bus that hung is not tried again for some seconds, so that it costs its budget
  /// once.
  std::optional<EdgeError> connect(const Deadline& deadline);
  [[nodiscard]] bool connected() const;
  /// Counts connections; what was remembered about unique bus names is void when it changes.
  [[nodiscard]] std::uint64_t epoch() const { return epoch_; }

  /// Sends a call; 0 when it could not be sent (the call's arguments are released all the same).
  std::uint32_t send(const Call& call, OnReply on_reply);
  /// A later reply to this call is dropped unseen.
  void forget(std::uint32_t serial);
  /// Hands out the replies that have come; when there are none waits for one, until `until` or a stop.
  void pump(Clock::time_point until);
  /// Ends a wait in pump; from any thread.
  void wake() { g_main_context_wakeup(context_); }

 private:
  struct Inbox;
  std::optional<EdgeError> open(const std::string& address, const Deadline& deadline);
  std::optional<EdgeError> register_events(const Deadline& deadline);
  void close();

  GMainContext* context_;
  GDBusConnection* connection_ = nullptr;
  std::shared_ptr<Inbox> inbox_;  // shared with the filter, which may outlive this object by a moment
  std::uint64_t epoch_ = 0;
  Clock::time_point hung_until_{};
};

}  // namespace deskmark::atspi
