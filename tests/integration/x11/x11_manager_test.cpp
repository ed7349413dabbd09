// Under a real window manager: frames, minimised windows, workspaces, dialogs.
#include "x11_harness.hpp"

namespace deskmark::test {
namespace {

struct Managed {
  DisplayServer server{"1000x700x24"};
  Process manager{{"env", "DISPLAY=" + server.name(), "openbox"}};
  Painter painter{server.name()};
  std::unique_ptr<ScreenSource> screen = opened(server.name());

  Managed() {
    // It announces itself before it listens, and loses what is mapped between: it is there when it frames one.
    const auto first = painter.create({});
    REQUIRE(eventually([&] {
      painter.map(first);
      const auto found = find(*screen, first);
      return found && found->bounds.y > 50;  // below a title bar
    }));
    painter.destroy(first);
    REQUIRE(eventually([&] { return listed(*screen).windows.empty(); }));
  }
  xcb_window_t show(const WindowSpec& spec) {
    const auto id = painter.show(spec);
    REQUIRE(eventually([&] { return find(*screen, id).has_value(); }));
    return id;
  }
  /// Its picture is all of one colour. The manager moves frame and client one after the other: a look may fall between.
  bool wholly(xcb_window_t id, std::uint32_t rgb) {
    return eventually([&] {
      const Window w = *find(*screen, id);
      const auto grab = screen->grab({w}, w.bounds, soon());
      return grab && all(*grab.value->pixels, {0, 0, w.bounds.w, w.bounds.h}, rgb);
    });
  }
};

}  // namespace

TEST_CASE("a framed client is listed as itself and grabbed without its frame") {
  Managed d;
  const auto id = d.show({.rect = {100, 100, 300, 200}, .background = 0xff0000});
  const Window w = *find(*d.screen, id);
  CHECK(w.id == id);
  CHECK(w.bounds.w == 300);
  CHECK(w.bounds.h == 200);
  CHECK(w.type == WindowType::Normal);
  CHECK(listed(*d.screen).windows.size() == 1);
  d.painter.ask_manager(id, "_NET_ACTIVE_WINDOW", {2, 0, 0});
  CHECK(eventually([&] { return find(*d.screen, id)->focused; }));
  CHECK(d.wholly(id, 0xff0000));
  CHECK(eventually([&] {  // in its place on the screen, too
    const auto shot = d.screen->grab_screen(find(*d.screen, id)->bounds, soon());
    return shot && all(*shot.value->pixels, {0, 0, 300, 200}, 0xff0000);
  }));
}

TEST_CASE("minimised, restored, shaded, on another workspace") {
  Managed d;
  const auto id = d.show({.rect = {100, 100, 300, 200}, .background = 0xff0000});
  const auto front = d.show({.rect = {120, 120, 300, 200}});
  d.painter.ask_manager(id, "WM_CHANGE_STATE", {3});
  CHECK(eventually([&] { return find(*d.screen, id)->minimized; }));
  CHECK(listed(*d.screen).windows.back().id == id);
  CHECK(d.screen->grab({*find(*d.screen, id)}, {0, 0, 10, 10}, soon()).error.code == "window_minimized");

  d.painter.ask_manager(id, "_NET_ACTIVE_WINDOW", {2, 0, 0});
  Window w;
  CHECK(eventually([&] {
    w = *find(*d.screen, id);
    return w.focused && !w.minimized && listed(*d.screen).windows.front().id == id;
  }));
  CHECK(d.wholly(id, 0xff0000));

  d.painter.ask_manager(front, "_NET_WM_DESKTOP", {1, 2});
  CHECK(eventually([&] { return find(*d.screen, front)->off_screen; }));
  CHECK_FALSE(find(*d.screen, front)->minimized);

  d.painter.ask_manager(
      id, "_NET_WM_STATE",
      {1, d.painter.atom("_NET_WM_STATE_MAXIMIZED_VERT"), d.painter.atom("_NET_WM_STATE_MAXIMIZED_HORZ"), 2});
  CHECK(eventually([&] { return find(*d.screen, id)->bounds.w > 900; }));
  CHECK(d.wholly(id, 0xff0000));
  w = *find(*d.screen, id);

  d.painter.ask_manager(id, "_NET_WM_STATE", {1, d.painter.atom("_NET_WM_STATE_SHADED"), 0, 2});
  CHECK(eventually([&] { return find(*d.screen, id)->minimized; }));
  CHECK(eventually([&] { return d.screen->grab({w}, w.bounds, soon()).error.code == "window_minimized"; }));
}

TEST_CASE("dialogs, modality and types") {
  Managed d;
  const auto main = d.show({.rect = {100, 100, 500, 400}});
  const auto dialog = d.painter.create({.rect = {200, 200, 200, 100}});
  d.painter.set_words(dialog, "WM_TRANSIENT_FOR", "WINDOW", {main});
  d.painter.set_words(dialog, "_NET_WM_STATE", "ATOM", {d.painter.atom("_NET_WM_STATE_MODAL")});
  d.painter.map(dialog);
  REQUIRE(eventually([&] { return find(*d.screen, dialog).has_value(); }));
  const auto desktop = d.painter.create({.rect = {0, 0, 1000, 700}});
  d.painter.set_words(desktop, "_NET_WM_WINDOW_TYPE", "ATOM", {d.painter.atom("_NET_WM_WINDOW_TYPE_DESKTOP")});
  d.painter.map(desktop);
  REQUIRE(eventually([&] { return find(*d.screen, desktop).has_value(); }));
  CHECK(eventually([&] { return find(*d.screen, dialog)->modal; }));
  const WindowList list = listed(*d.screen);
  CHECK(find(list, dialog)->type == WindowType::Dialog);
  CHECK(find(list, dialog)->owner == main);
  CHECK(find(list, dialog)->z > find(list, main)->z);
  CHECK(find(list, desktop)->type == WindowType::Desktop);
  CHECK(list.windows.back().id == desktop);
}

}  // namespace deskmark::test
