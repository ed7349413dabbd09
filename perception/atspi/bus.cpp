#include "perception/atspi/bus.hpp"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace deskmark::atspi {
namespace {

using namespace std::chrono_literals;

constexpr auto kConnectBudget = 900ms;  // one step of connecting may take this long
constexpr auto kHungPause = 5s;         // a bus that hung is left alone this long

const GDBusConnectionFlags kClientFlags = static_cast<GDBusConnectionFlags>(
    G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION);

EdgeError unavailable(const std::string& what) { return {"accessibility_unavailable", what}; }

/// Result of an asynchronous GIO operation; outlives the wait for it.
template <class T>
struct Pending {
  bool done = false;
  T result{};
  std::string error;
  bool hung = false;
};

/// Iterates the context until `pending` is done; false and `hung` when the budget ran out first.
template <class T>
bool wait_for(GMainContext* context, Pending<T>& pending, const Deadline& deadline) {
  while (!pending.done) {
    if (deadline.passed()) {
      pending.hung = !deadline.cancelled();
      return false;
    }
    GSource* timer = g_timeout_source_new(static_cast<guint>(deadline.left().count() + 1));
    g_source_set_callback(
        timer, [](gpointer) -> gboolean { return G_SOURCE_REMOVE; }, nullptr, nullptr);
    g_source_attach(timer, context);
    const std::stop_callback wake(deadline.stop(), [context] { g_main_context_wakeup(context); });
    g_main_context_iteration(context, TRUE);
    g_source_destroy(timer);
    g_source_unref(timer);
  }
  return true;
}

using PendingConnection = Pending<GDBusConnection*>;

/// A private connection to the message bus at `address`, or null with the reason in `pending`.
GDBusConnection* connect_to(GMainContext* context, const std::string& address, const Deadline& deadline,
                            std::string& why, bool& hung) {
  auto pending = std::make_shared<PendingConnection>();
  GCancellable* cancellable = g_cancellable_new();
  g_dbus_connection_new_for_address(
      address.c_str(), kClientFlags, nullptr, cancellable,
      [](GObject*, GAsyncResult* result, gpointer data) {
        const std::unique_ptr<std::shared_ptr<PendingConnection>> self(
            static_cast<std::shared_ptr<PendingConnection>*>(data));
        GError* error = nullptr;
        GDBusConnection* connection = g_dbus_connection_new_for_address_finish(result, &error);
        PendingConnection& p = **self;
        if (error != nullptr) {
          p.error = error->message;
          g_error_free(error);
        }
        if (p.hung && connection != nullptr) {  // nobody waits any more
          g_object_unref(connection);
          connection = nullptr;
        }
        p.result = connection;
        p.done = true;
      },
      new std::shared_ptr<PendingConnection>(pending));
  if (!wait_for(context, *pending, deadline)) {
    pending->hung = true;
    hung = true;
    why = "no answer in time";
    g_cancellable_cancel(cancellable);
  } else {
    why = pending->error;
  }
  g_object_unref(cancellable);
  if (pending->result != nullptr) g_dbus_connection_set_exit_on_close(pending->result, FALSE);
  return pending->result;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// Where the session bus is, without ever starting one.
std::string session_address() {
  if (std::string address = environment("DBUS_SESSION_BUS_ADDRESS"); !address.empty()) return address;
  const std::string runtime = environment("XDG_RUNTIME_DIR");
  if (runtime.empty()) return {};
  const std::string socket = runtime + "/bus";
  if (g_file_test(socket.c_str(), G_FILE_TEST_EXISTS) == FALSE) return {};
  gchar* escaped = g_dbus_address_escape_value(socket.c_str());
  std::string address = std::string("unix:path=") + escaped;
  g_free(escaped);
  return address;
}

/// org.a11y.Bus.GetAddress on the session bus.
std::string accessibility_address(GMainContext* context, const Deadline& deadline, std::string& why, bool& hung) {
  const std::string session = session_address();
  if (session.empty()) {
    why = "no session bus: DBUS_SESSION_BUS_ADDRESS is not set and XDG_RUNTIME_DIR has no bus";
    return {};
  }
  GDBusConnection* connection = connect_to(context, session, deadline.at_most(kConnectBudget), why, hung);
  if (connection == nullptr) {
    why = "the session bus at " + session + " cannot be reached: " + why;
    return {};
  }
  auto pending = std::make_shared<Pending<std::string>>();
  g_dbus_connection_call(
      connection, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", nullptr, G_VARIANT_TYPE("(s)"),
      G_DBUS_CALL_FLAGS_NONE, static_cast<gint>(std::chrono::milliseconds(kConnectBudget).count()), nullptr,
      [](GObject* source, GAsyncResult* result, gpointer data) {
        const std::unique_ptr<std::shared_ptr<Pending<std::string>>> self(
            static_cast<std::shared_ptr<Pending<std::string>>*>(data));
        GError* error = nullptr;
        GVariant* reply = g_dbus_connection_call_finish(G_DBUS_CONNECTION(source), result, &error);
        Pending<std::string>& p = **self;
        if (reply != nullptr) {
          const Variant owned(reply);
          p.result = decode_text(reply).value_or("");
        } else {
          p.error = error->message;
          p.hung = g_error_matches(error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT) != FALSE;
          g_error_free(error);
        }
        p.done = true;
      },
      new std::shared_ptr<Pending<std::string>>(pending));
  if (!wait_for(context, *pending, deadline.at_most(kConnectBudget)) || pending->hung) {
    hung = true;
    pending->error = "no answer in time";
  }
  g_dbus_connection_close(connection, nullptr, nullptr, nullptr);
  g_object_unref(connection);
  if (pending->result.empty()) {
    why = "the session bus has no accessibility service (org.a11y.Bus, package at-spi2-core): " + pending->error;
  }
  return pending->result;
}

}  // namespace

/// Replies between GDBus's receiving thread and ours.
struct Bus::Inbox {
  explicit Inbox(GMainContext* c) : context(g_main_context_ref(c)) {}
  ~Inbox() { g_main_context_unref(context); }
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;

  GMainContext* context;
  std::mutex mutex;
  std::unordered_map<std::uint32_t, OnReply> awaited;  // by serial
  std::vector<std::pair<std::uint32_t, GDBusMessage*>> arrived;
  std::atomic<bool> closed{false};

  void clear() {
    std::vector<std::pair<std::uint32_t, GDBusMessage*>> drop;
    {
      const std::lock_guard lock(mutex);
      awaited.clear();
      drop.swap(arrived);
    }
    for (auto& [serial, message] : drop) g_object_unref(message);
  }
};

Bus::Bus(GMainContext* context) : context_(context), inbox_(std::make_shared<Inbox>(context)) {}

Bus::~Bus() { close(); }

bool Bus::connected() const {
  return connection_ != nullptr && !inbox_->closed && g_dbus_connection_is_closed(connection_) == FALSE;
}

void Bus::close() {
  inbox_->clear();
  if (connection_ == nullptr) return;
  g_dbus_connection_close(connection_, nullptr, nullptr, nullptr);
  g_object_unref(connection_);
  connection_ = nullptr;
}

std::optional<EdgeError> Bus::connect(const Deadline& deadline) {
  if (connected()) return std::nullopt;
  close();
  if (Clock::now() < hung_until_) return unavailable("the accessibility bus did not answer a moment ago");
  std::string why;
  bool hung = false;
  std::optional<EdgeError> error;
  if (const std::string address = environment("AT_SPI_BUS_ADDRESS"); !address.empty()) {
    error = open(address, deadline);
    if (!error) return std::nullopt;
  }
  const std::string address = accessibility_address(context_, deadline, why, hung);
  if (address.empty()) {
    if (hung) hung_until_ = Clock::now() + kHungPause;
    return unavailable(why);
  }
  return open(address, deadline);
}

std::optional<EdgeError> Bus::open(const std::string& address, const Deadline& deadline) {
  std::string why;
  bool hung = false;
  connection_ = connect_to(context_, address, deadline.at_most(kConnectBudget), why, hung);
  if (connection_ == nullptr) {
    if (hung) hung_until_ = Clock::now() + kHungPause;
    return unavailable("the accessibility bus cannot be reached: " + why);
  }
  inbox_ = std::make_shared<Inbox>(context_);
  ++epoch_;
  g_dbus_connection_add_filter(
      connection_,
      [](GDBusConnection*, GDBusMessage* message, gboolean incoming, gpointer data) -> GDBusMessage* {
        if (incoming == FALSE) return message;
        const GDBusMessageType type = g_dbus_message_get_message_type(message);
        if (type != G_DBUS_MESSAGE_TYPE_METHOD_RETURN && type != G_DBUS_MESSAGE_TYPE_ERROR) return message;
        Inbox& inbox = **static_cast<std::shared_ptr<Inbox>*>(data);
        const guint32 serial = g_dbus_message_get_reply_serial(message);
        bool wake = false;
        {
          const std::lock_guard lock(inbox.mutex);
          if (inbox.awaited.find(serial) == inbox.awaited.end()) return message;
          wake = inbox.arrived.empty();
          inbox.arrived.emplace_back(serial, message);
        }
        if (wake) g_main_context_wakeup(inbox.context);
        return nullptr;  // ours: GDBus need not look for it
      },
      new std::shared_ptr<Inbox>(inbox_), [](gpointer data) { delete static_cast<std::shared_ptr<Inbox>*>(data); });
  g_signal_connect_data(
      connection_, "closed", G_CALLBACK(+[](GDBusConnection*, gboolean, GError*, gpointer data) {
        (*static_cast<std::shared_ptr<Inbox>*>(data))->closed = true;
      }),
      new std::shared_ptr<Inbox>(inbox_),
      [](gpointer data, GClosure*) { delete static_cast<std::shared_ptr<Inbox>*>(data); }, GConnectFlags{});
  return register_events(deadline);
}

// Programs of the ATK family publish cache and collection only once somebody listens; newer ones decide by it whether
// to publish a tree at all. No signal is subscribed to: this alone brings us no traffic.
std::optional<EdgeError> Bus::register_events(const Deadline& deadline) {
  int open = 0;
  for (const char* event : {"object:children-changed", "object:state-changed", "window:create"}) {
    GVariant* arguments = g_variant_new("(s@ass)", event, g_variant_new_strv(nullptr, 0), "");
    const Call call{"org.a11y.atspi.Registry", "/org/a11y/atspi/registry", "org.a11y.atspi.Registry", "RegisterEvent",
                    arguments};
    if (send(call, [&open](GVariant*) { --open; }) != 0) ++open;
  }
  const Deadline budget = deadline.at_most(700ms);
  while (open > 0 && connected() && !budget.passed()) pump(budget.at());
  if (open > 0) {  // the registry hangs: nothing can be read, but what is pending must not call back into this frame
    close();
    hung_until_ = Clock::now() + kHungPause;
    return unavailable("the accessibility registry does not answer");
  }
  return std::nullopt;
}

std::uint32_t Bus::send(const Call& call, OnReply on_reply) {
  const Variant arguments(g_variant_ref_sink(call.arguments != nullptr ? call.arguments : g_variant_new("()")));
  if (!connected()) return 0;
  // Names and paths came over the bus from other programs; GDBus aborts the process on malformed ones.
  if (g_dbus_is_name(call.bus.c_str()) == FALSE || g_variant_is_object_path(call.path.c_str()) == FALSE) return 0;
  GDBusMessage* message =
      g_dbus_message_new_method_call(call.bus.c_str(), call.path.c_str(), call.interface, call.method);
  g_dbus_message_set_body(message, arguments.get());
  volatile guint32 serial = 0;
  std::uint32_t sent = 0;
  {
    const std::lock_guard lock(inbox_->mutex);  // the reply may come before the next line
    if (g_dbus_connection_send_message(connection_, message, G_DBUS_SEND_MESSAGE_FLAGS_NONE, &serial, nullptr) !=
        FALSE) {
      sent = serial;
      inbox_->awaited.emplace(sent, std::move(on_reply));
    }
  }
  g_object_unref(message);
  return sent;
}

void Bus::forget(std::uint32_t serial) {
  const std::lock_guard lock(inbox_->mutex);
  inbox_->awaited.erase(serial);
}

void Bus::pump(Clock::time_point until) {
  const std::shared_ptr<Inbox> inbox = inbox_;
  std::vector<std::pair<std::uint32_t, GDBusMessage*>> batch;
  {
    const std::lock_guard lock(inbox->mutex);
    batch.swap(inbox->arrived);
  }
  if (batch.empty()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    GSource* timer = nullptr;
    if (left > 0) {
      timer = g_timeout_source_new(static_cast<guint>(left + 1));
      g_source_set_callback(
          timer, [](gpointer) -> gboolean { return G_SOURCE_REMOVE; }, nullptr, nullptr);
      g_source_attach(timer, context_);
    }
    g_main_context_iteration(context_, left > 0 ? TRUE : FALSE);
    if (timer != nullptr) {
      g_source_destroy(timer);
      g_source_unref(timer);
    }
    const std::lock_guard lock(inbox->mutex);
    batch.swap(inbox->arrived);
  } else {
    while (g_main_context_iteration(context_, FALSE) != FALSE) {
    }
  }
  for (auto& [serial, message] : batch) {
    OnReply handler;
    {
      const std::lock_guard lock(inbox->mutex);
      const auto it = inbox->awaited.find(serial);
      if (it != inbox->awaited.end()) {
        handler = std::move(it->second);
        inbox->awaited.erase(it);
      }
    }
    if (handler) {
      const bool failed = g_dbus_message_get_message_type(message) == G_DBUS_MESSAGE_TYPE_ERROR;
      GVariant* body = g_dbus_message_get_body(message);
      // An answer without arguments (Properties.Set) is an answer, and has no body.
      const Variant empty(failed || body ? nullptr : g_variant_ref_sink(g_variant_new("()")));
      handler(failed ? nullptr : body ? body : empty.get());
    }
    g_object_unref(message);
  }
}

}  // namespace deskmark::atspi
