// One accessible object as read from the tree, in our own terms: numbers are the AT-SPI protocol's (atspi-constants.h),
// but nothing here needs D-Bus or libatspi.
#pragma once

#include <bitset>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perception/model/geometry.hpp"

namespace deskmark {

/// AtspiRole numbers, at-spi2-core 2.46 and later (the protocol only ever appends).
enum class Role : std::uint16_t {
#define DESKMARK_ROLE(number, id, name) id = number,
#include "perception/model/roles.inc"
#undef DESKMARK_ROLE
};

/// Our canonical English word for a role, whatever the toolkit calls it ("push button"); "unknown" for a number we
/// do not know. Keyed by the number alone, so a renamed role string changes nothing.
[[nodiscard]] std::string_view role_name(Role role);

/// AtspiStateType numbers: bit positions of GetState's 64 bits.
enum class State : std::uint8_t {
  Invalid = 0,
  Active = 1,
  Armed = 2,
  Busy = 3,
  Checked = 4,
  Collapsed = 5,
  Defunct = 6,
  Editable = 7,
  Enabled = 8,
  Expandable = 9,
  Expanded = 10,
  Focusable = 11,
  Focused = 12,
  HasTooltip = 13,
  Horizontal = 14,
  Iconified = 15,
  Modal = 16,
  MultiLine = 17,
  Multiselectable = 18,
  Opaque = 19,
  Pressed = 20,
  Resizable = 21,
  Selectable = 22,
  Selected = 23,
  Sensitive = 24,
  Showing = 25,
  SingleLine = 26,
  Stale = 27,
  Transient = 28,
  Vertical = 29,
  Visible = 30,
  ManagesDescendants = 31,
  Indeterminate = 32,
  Required = 33,
  Truncated = 34,
  Animated = 35,
  InvalidEntry = 36,
  SupportsAutocompletion = 37,
  SelectableText = 38,
  IsDefault = 39,
  Visited = 40,
  Checkable = 41,
  HasPopup = 42,
  ReadOnly = 43,
};

class StateSet {
 public:
  StateSet() = default;
  explicit StateSet(std::uint64_t bits) : bits_(bits) {}
  [[nodiscard]] bool has(State s) const { return (bits_ >> static_cast<unsigned>(s)) & 1U; }
  void set(State s, bool on = true) {
    const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(s);
    bits_ = on ? bits_ | bit : bits_ & ~bit;
  }
  [[nodiscard]] std::uint64_t bits() const { return bits_; }
  friend bool operator==(const StateSet&, const StateSet&) = default;

 private:
  std::uint64_t bits_ = 0;
};

/// AT-SPI interfaces an object implements, as bits.
enum class Iface : std::uint16_t {
  Action = 1,
  Component = 2,
  Text = 4,
  EditableText = 8,
  Value = 16,
  Selection = 32,
  Table = 64,
  TableCell = 128,
  Image = 256,
  Hypertext = 512,
  Hyperlink = 1024,
  Document = 2048,
  Collection = 4096,
};

class IfaceSet {
 public:
  IfaceSet() = default;
  explicit IfaceSet(std::uint16_t bits) : bits_(bits) {}
  [[nodiscard]] bool has(Iface i) const { return (bits_ & static_cast<std::uint16_t>(i)) != 0; }
  void set(Iface i) { bits_ = static_cast<std::uint16_t>(bits_ | static_cast<std::uint16_t>(i)); }
  [[nodiscard]] std::uint16_t bits() const { return bits_; }
  friend bool operator==(const IfaceSet&, const IfaceSet&) = default;

 private:
  std::uint16_t bits_ = 0;
};

/// Which toolkit's rules apply (states, coordinates, names). Told by Application.ToolkitName and version.
enum class Toolkit : std::uint8_t {
  Unknown,
  Gtk3,
  Gtk4,
  Qt5,
  Qt6,
  Chromium,
  Firefox,
  LibreOffice,
  WebKit,
  Java,
  Other
};
[[nodiscard]] std::string_view toolkit_name(Toolkit toolkit);

/// Address of an accessible object: unique bus name and object path. What a mark is bound to.
struct ObjectRef {
  std::string bus;
  std::string path;
  friend auto operator<=>(const ObjectRef&, const ObjectRef&) = default;
  [[nodiscard]] bool null() const { return path.empty(); }
};

/// Value interface, as reported; NaN and infinities are dropped at the edge.
struct ValueRange {
  double current = 0;
  double minimum = 0;
  double maximum = 0;
  double increment = 0;
  friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

struct Accessible {
  ObjectRef ref;
  int parent = -1;  ///< index of the parent in the same vector (always smaller than the own index), -1: a root
  int index_in_parent = -1;
  int child_count = 0;  ///< as the object claims; children may have been pruned
  Role role = Role::Unknown;
  StateSet states;
  IfaceSet interfaces;
  Toolkit toolkit = Toolkit::Unknown;
  std::uint32_t surface = 0;  ///< X window (Window::id) it is drawn on, 0: not known
  std::string name;
  std::string description;
  std::string accessible_id;
  /// Rectangle on the screen in device pixels, after the toolkit's rules (scale, origin). Empty: no usable extents
  /// (sentinel, not realised). For GTK 4 it is the content box until perceive snaps it.
  DeviceRect extents;
  /// Action names in the order of the object's indices, normalised to lower case with dashes; never localised.
  std::vector<std::string> actions;
  std::optional<ValueRange> value;
  /// Text interface content, the visible part, cut at a limit. Never read from password fields.
  std::string text;
  int text_length = 0;                            ///< character count of the whole text, also when not read
  int caret = -1;                                 ///< caret offset in characters, -1: none
  std::map<std::string, std::string> attributes;  ///< a chosen few: placeholder-text, tag, xml-roles, text-input-type…
  std::vector<int> labelled_by;                   ///< indices in the same vector
};

}  // namespace deskmark
