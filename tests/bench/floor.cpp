// The floor of a capture: what no engine can do without. Grab and encode the same picture, and read the extents of what
// is visible once, pipelined. Usage: floor WINDOW ROUNDS; prints {"grab": [...], "som": [...], "ax": [...]} in
// milliseconds.
#include <gio/gio.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "perception/atspi/source.hpp"
#include "perception/marks/encode.hpp"
#include "perception/x11/screen.hpp"
#include "src/engine/targets.hpp"

namespace {

using namespace deskmark;

GDBusConnection* accessibility_bus() {
  GDBusConnection* session = g_bus_get_sync(G_BUS_TYPE_SESSION, nullptr, nullptr);
  if (!session) return nullptr;
  GVariant* reply = g_dbus_connection_call_sync(session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress",
                                                nullptr, nullptr, G_DBUS_CALL_FLAGS_NONE, 2000, nullptr, nullptr);
  if (!reply) return nullptr;
  const char* address = nullptr;
  g_variant_get(reply, "(&s)", &address);
  GDBusConnection* bus = g_dbus_connection_new_for_address_sync(
      address,
      static_cast<GDBusConnectionFlags>(G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                        G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION),
      nullptr, nullptr, nullptr);
  g_variant_unref(reply);
  return bus;
}

void count_down(GObject* source, GAsyncResult* result, gpointer left) {
  GVariant* reply = g_dbus_connection_call_finish(G_DBUS_CONNECTION(source), result, nullptr);
  if (reply) g_variant_unref(reply);
  --*static_cast<std::size_t*>(left);
}

void read_extents(GDBusConnection* bus, const std::vector<Accessible>& nodes) {
  std::size_t left = nodes.size();
  for (const Accessible& node : nodes) {
    g_dbus_connection_call(bus, node.ref.bus.c_str(), node.ref.path.c_str(), "org.a11y.atspi.Component", "GetExtents",
                           g_variant_new("(u)", 0U), nullptr, G_DBUS_CALL_FLAGS_NONE, 2000, nullptr, count_down, &left);
  }
  while (left > 0) g_main_context_iteration(nullptr, TRUE);
}

double milliseconds(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const auto id = static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 0));
  const int rounds = std::atoi(argv[2]);
  auto screen = open_x11("");
  if (!screen) return 3;
  const auto accessibles = open_atspi();
  const Deadline deadline = Deadline::in(std::chrono::minutes{5});
  auto list = (*screen.value)->windows(deadline);
  if (!list) return 3;
  const auto target = choose_target({{}, {}, id}, *list.value, {});
  if (!std::holds_alternative<Target>(target)) return 1;
  TreeRequest request;
  request.windows = picture_windows(std::get<Target>(target).window, *list.value);
  request.area = picture_area(request.windows);
  TreeReading tree;
  if (accessibles) tree = accessibles->tree(request, deadline);
  GDBusConnection* bus = tree.nodes.empty() ? nullptr : accessibility_bus();

  nlohmann::json out{
      {"grab", nlohmann::json::array()}, {"som", nlohmann::json::array()}, {"ax", nlohmann::json::array()}};
  for (int i = -2; i < rounds; ++i) {
    auto start = std::chrono::steady_clock::now();
    auto grab = (*screen.value)->grab(request.windows, request.area, deadline);
    if (!grab) return 1;
    const double grab_ms = milliseconds(start);
    const auto encoded = encode_png(*grab.value->pixels);
    const double encoded_ms = milliseconds(start);
    start = std::chrono::steady_clock::now();
    if (bus) read_extents(bus, tree.nodes);
    const double read_ms = milliseconds(start);
    if (i < 0 || encoded.bytes.empty()) continue;
    out["grab"].push_back(grab_ms);
    out["som"].push_back(encoded_ms + read_ms);
    out["ax"].push_back(read_ms);
  }
  std::printf("%s\n", out.dump().c_str());
  return 0;
}
