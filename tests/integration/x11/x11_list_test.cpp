#include "x11_harness.hpp"

namespace deskmark::test {

TEST_CASE("without a window manager: mapped windows, popups with their owner, no helpers") {
  DisplayServer server;
  Painter painter{server.name()};
  Painter stranger{server.name()};
  const auto screen = opened(server.name());

  const auto window = painter.show({.rect = {100, 80, 300, 200}, .border = 3});
  painter.set_text(window, "WM_NAME", "STRING", "Gr\xfc\xdf");
  painter.set_text(window, "WM_CLASS", "STRING", std::string{"inst\0Class\0", 11});
  const auto other = stranger.show({.rect = {300, 100, 300, 200}});
  const auto popup = painter.show({.rect = {120, 100, 80, 60}, .override_redirect = true});
  const auto combo = painter.show({.rect = {20, 10, 80, 60}, .override_redirect = true});
  painter.set_words(combo, "_NET_WM_WINDOW_TYPE", "ATOM",
                    {painter.atom("_KDE_NET_WM_WINDOW_TYPE_OVERRIDE"), painter.atom("_NET_WM_WINDOW_TYPE_COMBO")});
  painter.set_words(combo, "WM_TRANSIENT_FOR", "WINDOW", {window});
  const auto tiny = painter.show({.rect = {5, 5, 1, 1}});
  const auto parked = painter.show({.rect = {-100, -100, 10, 10}, .override_redirect = true});
  const auto unseen = painter.show({.rect = {10, 10, 400, 400}, .input_only = true});
  const auto unmapped = painter.create({});
  painter.sync();

  const WindowList list = listed(*screen);
  CHECK(list.screen == DeviceRect{0, 0, 800, 600});
  CHECK(list.outputs == std::vector<DeviceRect>{{0, 0, 800, 600}});
  CHECK_FALSE(list.window_manager);
  REQUIRE(list.windows.size() == 4);
  CHECK(list.windows[0].id == combo);
  CHECK(list.windows[1].id == popup);
  CHECK(list.windows[2].id == other);
  CHECK(list.windows[3].id == window);
  for (const auto id : {tiny, parked, unseen, unmapped}) CHECK_FALSE(find(list, id));
  for (std::size_t i = 1; i < list.windows.size(); ++i) CHECK(list.windows[i].z < list.windows[i - 1].z);

  const Window w = *find(list, window);
  CHECK(w.title == "Grüß");
  CHECK(w.wm_instance == "inst");
  CHECK(w.wm_class == "Class");
  CHECK(w.bounds == DeviceRect{103, 83, 300, 200});
  CHECK(w.type == WindowType::Normal);
  CHECK(w.pid == getpid());
  CHECK(w.process == "test_x11_windows");
  CHECK(find(list, popup)->type == WindowType::PopupMenu);
  CHECK(find(list, popup)->owner == window);
  CHECK(find(list, combo)->type == WindowType::Combo);
  CHECK(find(list, combo)->owner == window);
}

TEST_CASE("focus without a window manager is the input focus, also when a child has it") {
  DisplayServer server;
  Painter painter{server.name()};
  const auto screen = opened(server.name());
  const auto window = painter.show({});
  const auto child = xcb_generate_id(painter.xcb());
  xcb_create_window(painter.xcb(), XCB_COPY_FROM_PARENT, child, window, 5, 5, 20, 20, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT,
                    XCB_COPY_FROM_PARENT, 0, nullptr);
  xcb_map_window(painter.xcb(), child);
  xcb_set_input_focus(painter.xcb(), XCB_INPUT_FOCUS_PARENT, child, XCB_CURRENT_TIME);
  painter.sync();
  CHECK(find(*screen, window)->focused);
}

TEST_CASE("client-side shadow: bounds without it, surface with it") {
  DisplayServer server;
  Painter painter{server.name()};
  const auto screen = opened(server.name());
  const auto window = painter.show({.rect = {100, 100, 300, 200}});
  painter.set_words(window, "_GTK_FRAME_EXTENTS", "CARDINAL", {10, 12, 8, 14});
  const Window w = *find(*screen, window);
  CHECK(w.surface == DeviceRect{100, 100, 300, 200});
  CHECK(w.bounds == DeviceRect{110, 108, 278, 178});
}

TEST_CASE("a process that runs elsewhere has no pid here") {
  DisplayServer server;
  Painter painter{server.name()};
  const auto screen = opened(server.name());
  const auto window = painter.show({});
  painter.set_words(window, "_NET_WM_PID", "CARDINAL", {1});
  CHECK(find(*screen, window)->pid == getpid());  // XRes knows better
  painter.set_text(window, "WM_CLIENT_MACHINE", "STRING", "far-away.example.org");
  CHECK_FALSE(find(*screen, window)->pid);
}

TEST_CASE("1,200 windows are listed in far less than a second") {
  DisplayServer server{"1440x900x24"};
  Painter painter{server.name()};
  for (int i = 0; i < 1200; ++i) {
    const auto id = painter.create({.rect = {i % 36 * 40, i / 36 * 26, 38, 24}});
    xcb_change_property(painter.xcb(), XCB_PROP_MODE_REPLACE, id, XCB_ATOM_WM_NAME, XCB_ATOM_STRING, 8, 5, "title");
    xcb_map_window(painter.xcb(), id);
  }
  painter.sync();
  const auto screen = opened(server.name());
  const auto start = std::chrono::steady_clock::now();
  const WindowList list = listed(*screen);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  CHECK(list.windows.size() == 1200);
  MESSAGE("1200 windows: " << took.count() << " ms");
  CHECK(took.count() < 1000);
}

}  // namespace deskmark::test
