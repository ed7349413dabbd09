// plan: one request on one target -> the ladder of attempts, decided before anything is sent. A value: it can be
// printed (--dry-run), tested without a desktop, and refused by policy. Only execute (src/engine/act.cpp) touches the
// desktop.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "input/keys.hpp"
#include "perception/model/scene.hpp"
#include "schema/request.hpp"

namespace deskmark {

struct SelectItem {
  ObjectRef container;  ///< has the Selection interface
  int index = 0;        ///< of the item among its children
};

/// What a request acts on, resolved and asked again just before planning.
struct ActTarget {
  Window window;                     ///< native window that receives it
  DevicePoint at;                    ///< where a pointer would go, device pixels
  std::optional<Accessible> object;  ///< the object as it is now; absent for coordinates and pixel marks
  Role role = Role::Unknown;
  std::optional<SelectItem> selects;  ///< how its container selects it, where it can
  bool covered = false;               ///< another window lies over `at`
};

// Steps of an attempt. Accessible ones name the object, pointer ones the window and the device pixel.
struct DoAction {
  ObjectRef object;
  std::string name;  ///< normalised action name; the index is looked up when it is sent
};
struct SetText {
  ObjectRef object;
  std::string text;
};
struct InsertText {
  ObjectRef object;
  std::string text;  ///< at the caret
};
struct SetNumber {
  ObjectRef object;
  double value = 0;
};
struct ChooseOption {
  ObjectRef object;  ///< combo box, list, tab list
  std::string label;
};
struct FocusObject {
  ObjectRef object;
};
struct PointerClick {
  DevicePoint at;
  Button button = Button::Left;
  int count = 1;
  std::vector<Modifier> held;
};
struct PointerDrag {
  DevicePoint from;
  DevicePoint to;
  Button button = Button::Left;
  std::vector<Modifier> held;
};
struct PointerScroll {
  DevicePoint at;
  Direction direction = Direction::Down;
  int ticks = 3;
  std::vector<Modifier> held;
};
struct PressKeys {
  KeyCombo combo;
};
struct TypeText {
  std::string text;
};
using Step = std::variant<DoAction, SetText, InsertText, SetNumber, ChooseOption, SelectItem, FocusObject, PointerClick,
                          PointerDrag, PointerScroll, PressKeys, TypeText>;

enum class Route : std::uint8_t { Accessibility, BackgroundPointer, BackgroundKeys, ForegroundInput, Clipboard };
[[nodiscard]] std::string_view route_word(Route route);

/// What must be seen to change for an action of this kind to count as done.
enum class Promise : std::uint8_t {
  None,          ///< nothing to tell by (a push button, a plain click on a canvas)
  Toggles,       ///< checked or pressed flips
  Checks,        ///< checked becomes set (radio button)
  Selects,       ///< the object becomes selected
  Expands,       ///< expanded flips, or a popup opens
  TextBecomes,   ///< text equals what was set
  TextGains,     ///< text contains what was typed
  ValueBecomes,  ///< the number is the one asked for
  Focuses,       ///< the object takes focus
};
[[nodiscard]] std::string_view promise_word(Promise promise);

struct Attempt {
  Route route = Route::Accessibility;
  std::vector<Step> steps;
};

struct Plan {
  std::vector<Attempt> ladder;  ///< tried in order, the next only while nothing was sent
  Promise promise = Promise::None;
  bool already = false;            ///< the wanted state holds: nothing to send
  std::optional<Failure> refusal;  ///< nothing can be tried
};

/// Never sends anything. `from` is the drag's start; `to` its end; other actions use `to` alone.
[[nodiscard]] Plan plan(const Request& request, const std::optional<ActTarget>& from, const ActTarget& to);

/// The name of the action that a plain left click stands for on this object, empty when it has none: chosen by name for
/// the role, never by index, never one of GTK 4's namespaced or window actions.
[[nodiscard]] std::string click_action(const Accessible& object);

/// For people and for --dry-run: one line per attempt.
[[nodiscard]] std::string describe(const Plan& plan);

}  // namespace deskmark
