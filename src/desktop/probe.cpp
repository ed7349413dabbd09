#include "src/desktop/probe.hpp"

#include <gio/gio.h>
#include <xcb/xcb.h>

#include <array>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <thread>

namespace deskmark::desktop {
namespace {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
template <class T>
using Reply = std::unique_ptr<T, Free>;

/// Carries `task` out in a thread of its own. XCB has no time limits: when a server hangs, the thread is left behind.
template <class T>
std::optional<T> within(Milliseconds limit, std::function<T()> task) {
  struct Shared {
    std::mutex mutex;
    std::condition_variable done;
    std::optional<T> result;
  };
  auto shared = std::make_shared<Shared>();
  std::thread([shared, task = std::move(task)] {
    T result = task();
    const std::lock_guard lock(shared->mutex);
    shared->result = std::move(result);
    shared->done.notify_all();
  }).detach();
  std::unique_lock lock(shared->mutex);
  shared->done.wait_for(lock, limit, [&] { return shared->result.has_value(); });
  return shared->result;
}

/// The cookie of the only entry of a file written by write_xauthority().
std::string cookie_in(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  return bytes.size() > 16 ? bytes.substr(bytes.size() - 16) : std::string{};
}

class Display {
 public:
  explicit Display(const DisplayAddress& address) {
    if (address.xauthority.empty()) {
      connection_ = xcb_connect(address.display.c_str(), nullptr);
    } else {
      std::string name = "MIT-MAGIC-COOKIE-1";
      std::string cookie = cookie_in(address.xauthority);
      xcb_auth_info_t auth{static_cast<int>(name.size()), name.data(), static_cast<int>(cookie.size()), cookie.data()};
      connection_ = xcb_connect_to_display_with_auth_info(address.display.c_str(), &auth, nullptr);
    }
  }
  ~Display() { xcb_disconnect(connection_); }
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;

  [[nodiscard]] bool connected() const { return xcb_connection_has_error(connection_) == 0; }
  [[nodiscard]] xcb_window_t root() const { return xcb_setup_roots_iterator(xcb_get_setup(connection_)).data->root; }
  [[nodiscard]] std::string property(xcb_window_t window, const char* name) const {
    const auto length = static_cast<std::uint16_t>(std::strlen(name));
    const Reply<xcb_intern_atom_reply_t> atom(
        xcb_intern_atom_reply(connection_, xcb_intern_atom(connection_, 1, length, name), nullptr));
    if (!atom || atom->atom == XCB_ATOM_NONE) return {};
    const auto asked = xcb_get_property(connection_, 0, window, atom->atom, XCB_GET_PROPERTY_TYPE_ANY, 0, 65536);
    const Reply<xcb_get_property_reply_t> reply(xcb_get_property_reply(connection_, asked, nullptr));
    if (!reply) return {};
    const auto size = static_cast<std::size_t>(xcb_get_property_value_length(reply.get()));
    return {static_cast<const char*>(xcb_get_property_value(reply.get())), size};
  }
  [[nodiscard]] std::vector<xcb_window_t> window_property(xcb_window_t window, const char* name) const {
    const std::string bytes = property(window, name);
    std::vector<xcb_window_t> ids(bytes.size() / sizeof(xcb_window_t));
    std::memcpy(ids.data(), bytes.data(), ids.size() * sizeof(xcb_window_t));
    return ids;
  }

 private:
  xcb_connection_t* connection_;
};

struct Unref {
  void operator()(GDBusConnection* connection) const {
    g_dbus_connection_close_sync(connection, nullptr, nullptr);
    g_object_unref(connection);
  }
  void operator()(GVariant* variant) const { g_variant_unref(variant); }
  void operator()(GCancellable* cancellable) const { g_object_unref(cancellable); }
};

using Variant = std::unique_ptr<GVariant, Unref>;

/// One call over a connection of its own.
Variant call_bus(const std::string& bus, const char* name, const char* path, const char* interface, const char* method,
                 GVariant* arguments, Milliseconds limit) {
  const Variant held(arguments != nullptr ? g_variant_ref_sink(arguments) : nullptr);
  using Owned = std::shared_ptr<GDBusConnection>;
  // Connecting has no time limit of its own either.
  const auto connected = within<Owned>(limit, [bus] {
    constexpr auto kFlags = static_cast<GDBusConnectionFlags>(G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                                              G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION);
    GDBusConnection* fresh = g_dbus_connection_new_for_address_sync(bus.c_str(), kFlags, nullptr, nullptr, nullptr);
    return fresh != nullptr ? Owned(fresh, Unref{}) : Owned{};
  });
  if (!connected || !*connected) return nullptr;
  return Variant(g_dbus_connection_call_sync(connected->get(), name, path, interface, method, arguments, nullptr,
                                             G_DBUS_CALL_FLAGS_NO_AUTO_START, static_cast<int>(limit.count()), nullptr,
                                             nullptr));
}

Variant call_driver(const std::string& bus, const char* method, GVariant* arguments, Milliseconds limit) {
  return call_bus(bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method, arguments,
                  limit);
}

}  // namespace

bool display_answers(const DisplayAddress& address, Milliseconds limit) {
  return within<bool>(limit, [address] { return Display(address).connected(); }).value_or(false);
}

bool window_manager_answers(const DisplayAddress& address, Milliseconds limit) {
  return within<bool>(limit,
                      [address] {
                        const Display display(address);
                        if (!display.connected()) return false;
                        const auto check = display.window_property(display.root(), "_NET_SUPPORTING_WM_CHECK");
                        // A window manager that died leaves the property on the root, but not the window it names.
                        return !check.empty() && display.window_property(check[0], "_NET_SUPPORTING_WM_CHECK") == check;
                      })
      .value_or(false);
}

std::optional<std::vector<ClientWindow>> client_windows(const DisplayAddress& address, Milliseconds limit) {
  using Windows = std::optional<std::vector<ClientWindow>>;
  return within<Windows>(limit,
                         [address]() -> Windows {
                           const Display display(address);
                           if (!display.connected()) return std::nullopt;
                           std::vector<ClientWindow> found;
                           for (const auto id : display.window_property(display.root(), "_NET_CLIENT_LIST")) {
                             std::string title = display.property(id, "_NET_WM_NAME");
                             if (title.empty()) title = display.property(id, "WM_NAME");
                             found.push_back({id, std::move(title)});
                           }
                           return found;
                         })
      .value_or(std::nullopt);
}

std::string accessibility_address(const std::string& session_bus, Milliseconds limit) {
  const Variant reply =
      call_bus(session_bus, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", nullptr, limit);
  if (!reply || !g_variant_is_of_type(reply.get(), G_VARIANT_TYPE("(s)"))) return {};
  const char* address = nullptr;
  g_variant_get(reply.get(), "(&s)", &address);
  return address;
}

bool accessibility_enabled(const std::string& session_bus, Milliseconds limit) {
  const Variant reply = call_bus(session_bus, "org.a11y.Bus", "/org/a11y/bus", "org.freedesktop.DBus.Properties", "Get",
                                 g_variant_new("(ss)", "org.a11y.Status", "IsEnabled"), limit);
  if (!reply || !g_variant_is_of_type(reply.get(), G_VARIANT_TYPE("(v)"))) return false;
  GVariant* inner = nullptr;
  g_variant_get(reply.get(), "(v)", &inner);
  const Variant value(inner);
  return g_variant_is_of_type(inner, G_VARIANT_TYPE_BOOLEAN) && g_variant_get_boolean(inner) != FALSE;
}

pid_t owner_of(const std::string& bus, const std::string& name, Milliseconds limit) {
  const Variant reply = call_driver(bus, "GetConnectionUnixProcessID", g_variant_new("(s)", name.c_str()), limit);
  if (!reply || !g_variant_is_of_type(reply.get(), G_VARIANT_TYPE("(u)"))) return 0;
  guint32 pid = 0;
  g_variant_get(reply.get(), "(u)", &pid);
  return static_cast<pid_t>(pid);
}

bool start_service(const std::string& bus, const std::string& name, Milliseconds limit) {
  return call_driver(bus, "StartServiceByName", g_variant_new("(su)", name.c_str(), 0U), limit) != nullptr;
}

}  // namespace deskmark::desktop
