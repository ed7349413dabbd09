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
  std::optional<SelectItem> selects;   ///< how its container selects it, where it can
  std::optional<ObjectRef> container;  ///< the list, table or tab list it is a part of
  std::optional<Accessible> inner;     ///< the field within an editable combo box
  std::optional<Accessible> under;     ///< what the tree shows at a coordinate: to watch, never to act on
  bool covered = false;                ///< another window lies over `at`
  bool has_focus = false;              ///< keys for `window` reach the object already
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
  Toolkit toolkit = Toolkit::Unknown;
};
struct SetNumber {
  ObjectRef object;
  double value = 0;
};
struct ChooseOption {
  ObjectRef object;  ///< combo box, list, tab list
  std::string label;
};
/// The same where the object tells no options: opened first, then the option that shows up is clicked.
struct OpenAndChoose {
  ObjectRef object;
  DevicePoint at;
  std::string label;
  std::string open;  ///< action that opens it, empty: by pointer
};
/// Moves the choice of a closed combo box to an option by keys: where its list does not open in the background.
struct KeysToOption {
  ObjectRef object;
  std::string label;
};
/// Clicks an option of a list that is in view.
struct ClickOption {
  ObjectRef container;
  std::string label;
};
struct FocusObject {
  ObjectRef object;
};
/// Puts the caret back to where it was before a click moved it.
struct PlaceCaret {
  ObjectRef object;
  int offset = 0;  ///< characters
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
using Step =
    std::variant<DoAction, SetText, InsertText, SetNumber, ChooseOption, SelectItem, OpenAndChoose, KeysToOption,
                 ClickOption, FocusObject, PlaceCaret, PointerClick, PointerDrag, PointerScroll, PressKeys, TypeText>;

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
  /// Leading steps that only lead there (focus): when nothing of the rest was sent, nothing that matters was.
  std::size_t preparing = 0;
};

struct Plan {
  std::vector<Attempt> ladder;  ///< tried in order, the next only while nothing was sent
  Promise promise = Promise::None;
  bool repeatable = false;         ///< setting twice is setting once: the next rung may follow one that had no effect
  bool free_text = false;          ///< what is no option is taken as text
  bool already = false;            ///< the wanted state holds: nothing to send
  std::optional<Failure> refusal;  ///< nothing can be tried
};

/// Never sends anything. `from` is the drag's start; `to` its end; other actions use `to` alone.
[[nodiscard]] Plan plan(const Request& request, const std::optional<ActTarget>& from, const ActTarget& to);

/// Text goes into it by keys: fields, text areas, terminals.
[[nodiscard]] bool is_field(const Accessible& object);
/// Roles whose parts are chosen by label.
[[nodiscard]] bool is_chooser(Role role);
/// The number a value stands for ("12", "12.5", "40%"); nothing for other text.
[[nodiscard]] std::optional<double> number_of(const std::string& value);

/// The name of the action that a plain left click stands for on this object, empty when it has none: chosen by name for
/// the role, never by index, never one of GTK 4's namespaced or window actions.
[[nodiscard]] std::string click_action(const Accessible& object);

/// For people and for --dry-run: one line per attempt.
[[nodiscard]] std::string describe(const Plan& plan);

}  // namespace deskmark
