#include "src/desktop/registry_watch.hpp"

namespace deskmark::desktop {

void RegistryWatch::start(const std::string& bus, const std::string& name, std::function<void()> gone) {
  stop();
  gone_ = std::move(gone);
  constexpr auto kFlags = static_cast<GDBusConnectionFlags>(G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                                            G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION);
  connection_ = g_dbus_connection_new_for_address_sync(bus.c_str(), kFlags, nullptr, nullptr, nullptr);
  if (connection_ == nullptr) return;
  const auto vanished = [](GDBusConnection* connection, const gchar*, gpointer data) {
    auto* self = static_cast<RegistryWatch*>(data);
    // Closed: the bus is gone, which its own process's end tells.
    if (connection == nullptr || g_dbus_connection_is_closed(connection) != FALSE || !self->gone_) return;
    const auto call = std::move(self->gone_);
    self->gone_ = nullptr;
    call();
  };
  watch_ = g_bus_watch_name_on_connection(connection_, name.c_str(), G_BUS_NAME_WATCHER_FLAGS_NONE, nullptr, vanished,
                                          this, nullptr);
}

void RegistryWatch::stop() {
  gone_ = nullptr;
  if (watch_ != 0) g_bus_unwatch_name(watch_);
  watch_ = 0;
  if (connection_ != nullptr) g_object_unref(connection_);
  connection_ = nullptr;
}

}  // namespace deskmark::desktop
