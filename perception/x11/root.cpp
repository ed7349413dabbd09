#include "perception/x11/root.hpp"

#include <xcb/randr.h>
#include <xcb/res.h>

#include <unordered_set>

#include "perception/x11/property.hpp"

namespace deskmark::x11 {
namespace {

constexpr std::uint32_t kListWords = 32768;

xcb_window_t first_word(const Reply<xcb_get_property_reply_t>& reply) {
  const auto words = property_words(reply.get());
  return words.empty() ? 0 : words.front();
}

std::vector<DeviceRect> monitor_rects(const xcb_randr_get_monitors_reply_t* reply) {
  std::vector<DeviceRect> rects;
  if (reply == nullptr) return rects;
  for (auto it = xcb_randr_get_monitors_monitors_iterator(reply); it.rem > 0; xcb_randr_monitor_info_next(&it)) {
    const DeviceRect rect{it.data->x, it.data->y, it.data->width, it.data->height};
    if (!rect.empty()) rects.push_back(rect);
  }
  return rects;
}

void read_pids(const xcb_res_query_client_ids_reply_t* reply, std::unordered_map<std::uint32_t, int>& pids) {
  if (reply == nullptr) return;
  for (auto it = xcb_res_query_client_ids_ids_iterator(reply); it.rem > 0; xcb_res_client_id_value_next(&it)) {
    if ((it.data->spec.mask & XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID) == 0) continue;
    if (xcb_res_client_id_value_value_length(it.data) < 1) continue;
    const std::uint32_t pid = *xcb_res_client_id_value_value(it.data);
    if (pid != 0) pids[it.data->spec.client] = static_cast<int>(pid);
  }
}

}  // namespace

RootState read_root(Connection& connection, const Deadline& deadline) {
  xcb_connection_t* const c = connection.xcb();
  const Atoms& atoms = connection.atoms();
  const xcb_window_t root = connection.root();
  const Extensions& has = connection.extensions();

  const auto tree = xcb_query_tree(c, root);
  const auto geometry = xcb_get_geometry(c, root);
  const auto stacking = ask_property(connection, root, atoms.client_list_stacking, kListWords);
  const auto list = ask_property(connection, root, atoms.client_list, kListWords);
  const auto active = ask_property(connection, root, atoms.active_window, 1);
  const auto check = ask_property(connection, root, atoms.wm_check, 1);
  const auto desktop = ask_property(connection, root, atoms.current_desktop, 1);
  const auto focus = xcb_get_input_focus(c);
  xcb_randr_get_monitors_cookie_t monitors{};
  if (has.monitors) monitors = xcb_randr_get_monitors(c, root, 1);
  xcb_res_query_client_ids_cookie_t clients{};
  if (has.resource_ids) {
    const xcb_res_client_id_spec_t everyone{XCB_NONE, XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID};
    clients = xcb_res_query_client_ids(c, 1, &everyone);
  }

  RootState state;
  if (const auto reply = connection.take<xcb_query_tree_reply_t>(tree.sequence, deadline)) {
    const xcb_window_t* children = xcb_query_tree_children(reply.get());
    state.tops.assign(children, children + xcb_query_tree_children_length(reply.get()));
  }
  if (const auto reply = connection.take<xcb_get_geometry_reply_t>(geometry.sequence, deadline)) {
    state.screen = {0, 0, reply->width, reply->height};
  }
  std::unordered_set<xcb_window_t> seen;
  for (const auto sequence : {stacking, list}) {
    const auto reply = connection.take<xcb_get_property_reply_t>(sequence, deadline);
    for (const xcb_window_t id : property_words(reply.get())) {
      if (id != 0 && seen.insert(id).second) state.listed.push_back(id);
    }
  }
  state.active = first_word(connection.take<xcb_get_property_reply_t>(active, deadline));
  const xcb_window_t checker = first_word(connection.take<xcb_get_property_reply_t>(check, deadline));
  const auto workspace = property_words(connection.take<xcb_get_property_reply_t>(desktop, deadline).get());
  if (!workspace.empty()) state.desktop = workspace.front();
  if (const auto reply = connection.take<xcb_get_input_focus_reply_t>(focus.sequence, deadline)) {
    const bool real = reply->focus > XCB_INPUT_FOCUS_POINTER_ROOT && reply->focus != root;
    state.focus = real ? reply->focus : 0;
  }
  if (has.monitors) {
    state.outputs = monitor_rects(connection.take<xcb_randr_get_monitors_reply_t>(monitors.sequence, deadline).get());
  }
  if (state.outputs.empty()) state.outputs.push_back(state.screen);
  if (has.resource_ids) {
    read_pids(connection.take<xcb_res_query_client_ids_reply_t>(clients.sequence, deadline).get(), state.pids);
  }

  // Properties of a window manager that is gone stay behind; a live one has a window that points to itself.
  if (checker != 0) {
    const auto again = ask_property(connection, checker, atoms.wm_check, 1);
    state.window_manager = first_word(connection.take<xcb_get_property_reply_t>(again, deadline)) == checker;
  }
  if (!state.window_manager) {
    state.listed.clear();
    state.active = 0;
    state.desktop.reset();
  }
  return state;
}

}  // namespace deskmark::x11
