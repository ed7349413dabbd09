#include "src/engine/targets.hpp"

#include <doctest/doctest.h>

namespace deskmark {
namespace {

Window window(std::uint32_t id, const std::string& wm_class, int pid, const std::string& title = "") {
  Window w;
  w.id = id;
  w.wm_class = wm_class;
  if (pid) w.pid = pid;
  w.title = title;
  w.bounds = {0, 0, 100, 100};
  return w;
}

WindowList list_of(std::vector<Window> windows) {
  WindowList list;
  list.screen = {0, 0, 1000, 800};
  list.windows = std::move(windows);
  for (std::size_t i = 0; i < list.windows.size(); ++i) list.windows[i].z = static_cast<int>(list.windows.size() - i);
  return list;
}

std::uint32_t chosen(const TargetQuery& query, const WindowList& list, const std::vector<AccessibleApp>& apps = {}) {
  const auto result = choose_target(query, list, apps);
  const auto* target = std::get_if<Target>(&result);
  return target ? target->window.id : 0;
}

Code refused(const TargetQuery& query, const WindowList& list) {
  const auto result = choose_target(query, list, {});
  REQUIRE(std::holds_alternative<TargetFailure>(result));
  return std::get<TargetFailure>(result).failure.code;
}

TargetQuery app(const std::string& name) { return {name, {}, {}}; }

}  // namespace

TEST_CASE("a bare capture takes the active window, else the topmost, never the shell's") {
  auto list = list_of({window(1, "Panel", 1), window(2, "Top", 2), window(3, "Active", 3), window(4, "Desk", 4)});
  list.windows[0].type = WindowType::Dock;
  list.windows[3].type = WindowType::Desktop;
  CHECK(chosen({}, list) == 2);
  list.windows[2].focused = true;
  CHECK(chosen({}, list) == 3);
  list.windows[3].focused = true;
  list.windows[2].focused = false;
  CHECK(chosen({}, list) == 2);
  CHECK(chosen(app("desktop"), list) == 4);
}

TEST_CASE("an open menu is not the frontmost window") {
  auto list = list_of({window(9, "Edit", 2), window(2, "Edit", 2)});
  list.windows[0].type = WindowType::PopupMenu;
  list.windows[0].owner = 2;
  CHECK(chosen({}, list) == 2);
}

TEST_CASE("app matches in tiers: exact name or class before parts before titles") {
  const auto list =
      list_of({window(1, "Viewer", 1, "kcalc manual"), window(2, "kcalculator", 2), window(3, "KCalc", 3)});
  CHECK(chosen(app("kcalc"), list) == 3);
  CHECK(chosen(app("calculat"), list) == 2);
  CHECK(chosen(app("MANUAL"), list) == 1);
  CHECK(refused(app("nothing"), list) == Code::AppNotFound);
}

TEST_CASE("the accessible application's name counts as its name") {
  const auto list = list_of({window(1, "org.x.Thing", 7)});
  AccessibleApp thing;
  thing.name = "Rechner";
  thing.pid = 7;
  thing.windows = 1;
  CHECK(chosen(app("rechner"), list, {thing}) == 1);
}

TEST_CASE("several windows of one application mean the topmost; several applications are ambiguous") {
  const auto same = list_of({window(1, "XTerm", 10, "a"), window(2, "XTerm", 11, "b")});
  CHECK(chosen(app("xterm"), same) == 1);
  const auto several = list_of({window(1, "gedit", 1), window(2, "medit", 2)});
  const auto result = choose_target(app("edit"), several, {});
  REQUIRE(std::holds_alternative<TargetFailure>(result));
  CHECK(std::get<TargetFailure>(result).failure.code == Code::AmbiguousTarget);
  CHECK(std::get<TargetFailure>(result).candidates.size() == 2);
}

TEST_CASE("a shown window of an application is preferred to its minimised one") {
  auto list = list_of({window(1, "Edit", 1), window(2, "Edit", 1)});
  list.windows[0].minimized = true;
  CHECK(chosen(app("edit"), list) == 2);
  list.windows[1].minimized = true;
  CHECK(chosen(app("edit"), list) == 1);
}

TEST_CASE("window_id is exact, also for a popup; an unknown one is gone") {
  auto list = list_of({window(5, "Edit", 1), window(6, "Edit", 1)});
  list.windows[0].override_redirect = true;
  CHECK(chosen({{}, {}, 5}, list) == 5);
  CHECK(refused({{}, {}, 99}, list) == Code::WindowGone);
  CHECK(refused({{}, 3, {}}, list) == Code::AppNotFound);
}

TEST_CASE("screen is the composited screen") {
  const auto list = list_of({window(1, "A", 1)});
  const auto result = choose_target(app("Screen"), list, {});
  REQUIRE(std::holds_alternative<Target>(result));
  CHECK(std::get<Target>(result).kind == TargetKind::Screen);
  CHECK(refused(app("desktop"), list) == Code::AppNotFound);
}

TEST_CASE("the picture holds the window's own popups and dialogs, and a dialog's owner, bottom to top") {
  auto list = list_of({window(4, "Menu", 1), window(3, "Dialog", 1), window(9, "Other", 2), window(1, "Main", 1)});
  list.windows[0].owner = 3;
  list.windows[1].owner = 1;
  list.windows[1].bounds = {50, 50, 200, 100};
  const auto ids = [](const std::vector<Window>& windows) {
    std::vector<std::uint32_t> out;
    for (const Window& w : windows) out.push_back(w.id);
    return out;
  };
  const auto all = std::vector<std::uint32_t>{1, 3, 4};
  CHECK(ids(picture_windows(list.windows[3], list)) == all);
  CHECK(ids(picture_windows(list.windows[1], list)) == all);
  CHECK(picture_area(picture_windows(list.windows[3], list)) == DeviceRect{0, 0, 250, 150});
}

TEST_CASE("windows that own each other do not loop") {
  auto list = list_of({window(1, "A", 1), window(2, "A", 1)});
  list.windows[0].owner = 2;
  list.windows[1].owner = 1;
  CHECK(picture_windows(list.windows[0], list).size() == 2);
}

}  // namespace deskmark
