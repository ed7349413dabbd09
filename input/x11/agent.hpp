// The second master pointer and keyboard, so that background input leaves the user's alone. Made once, at the first
// background input; found again after a crash; parked outside of windows before it is removed.
#pragma once

#include <string>
#include <vector>

#include "perception/deadline.hpp"
#include "perception/model/geometry.hpp"
#include "input/x11/link.hpp"

namespace deskmark::x11_input {

class Agent {
 public:
  explicit Agent(Link& link) : link_(link) {}
  ~Agent() { retire(); }
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;

  /// True when pointer and keyboard are there; makes or adopts them. What a killed owner left pressed is released.
  bool ready(const Deadline& deadline);

  [[nodiscard]] bool exists() const { return pointer_ != 0; }
  /// Takes pointer and keyboard away from the display; ready() makes new ones. GTK 4.8 dies with XI_BadDevice when a
  /// master is removed inside one of its windows: parks first.
  void retire();
  /// Some program holds a grab on them: a menu is open.
  [[nodiscard]] bool grabbed() const;

  [[nodiscard]] int pointer() const { return pointer_; }                 ///< master device ids
  [[nodiscard]] int keyboard() const { return keyboard_; }               ///< the paired master
  [[nodiscard]] XDevice* fake_pointer() const { return fake_pointer_; }  ///< its XTEST slaves
  [[nodiscard]] XDevice* fake_keyboard() const { return fake_keyboard_; }

  /// Master and slave keyboard; empty while there are none.
  [[nodiscard]] std::vector<int> keyboards() const;

  /// Takes the keyboard's focus away from windows that a person may type into: a window in which another keyboard has
  /// the focus does not hear (core FocusIn) that the user's came. Menus keep it.
  void leave_focus();

  /// Moves the pointer to where no window is, else to the bottom right corner.
  void park();

 private:
  bool claim_name();
  bool find();
  void release_all();
  void forget();

  Link& link_;
  std::string name_;
  int pointer_ = 0;
  int keyboard_ = 0;
  XDevice* fake_pointer_ = nullptr;
  XDevice* fake_keyboard_ = nullptr;
};

}  // namespace deskmark::x11_input
