#include "perception/x11/window_list.hpp"

#include <algorithm>
#include <numeric>

#include "perception/x11/window_properties.hpp"

namespace deskmark::x11 {
namespace {

constexpr int kDeepestChild = 32;  // a focus window is never nested deeper; bounds the climb

/// The listed window that has `focus` somewhere inside it, 0: none.
std::uint32_t holder_of(Connection& connection, xcb_window_t focus, const std::vector<Window>& windows,
                        const Deadline& deadline) {
  for (int level = 0; focus != 0 && focus != connection.root() && level < kDeepestChild; ++level) {
    const bool found = std::any_of(windows.begin(), windows.end(), [&](const Window& w) { return w.id == focus; });
    if (found) return focus;
    const auto tree =
        connection.take<xcb_query_tree_reply_t>(xcb_query_tree(connection.xcb(), focus).sequence, deadline);
    focus = tree ? tree->parent : 0;
  }
  return 0;
}

}  // namespace

Reading<WindowList> read_windows(Connection& connection, const Deadline& deadline) {
  const RootState root = read_root(connection, deadline);
  const ClientSearch search = find_clients(connection, root, deadline);
  std::vector<DescribedClient> described = describe_clients(connection, search.clients, root, deadline);
  if (auto fault = connection.fault()) return {std::nullopt, *std::move(fault), {}};

  // What can be seen comes first, by the order of the stack; what is minimised or elsewhere follows.
  std::vector<std::size_t> order(described.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t i) { return !described[i].alive; });
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (described[a].viewable != described[b].viewable) return described[a].viewable;
    return search.clients[a].order > search.clients[b].order;
  });

  WindowList list;
  list.screen = root.screen;
  list.outputs = root.outputs;
  list.window_manager = root.window_manager;
  std::vector<Ties> ties;
  for (const std::size_t i : order) {
    list.windows.push_back(std::move(described[i].window));
    ties.push_back(described[i].ties);
  }
  const xcb_window_t focus = root.active != 0 ? root.active : root.focus;
  const std::uint32_t focused = holder_of(connection, focus, list.windows, deadline);
  int z = static_cast<int>(list.windows.size());
  for (Window& window : list.windows) {
    window.z = z--;
    window.focused = window.id == focused && focused != 0;
  }
  assign_owners(list.windows, ties);
  return {std::move(list), {}, {}};
}

}  // namespace deskmark::x11
