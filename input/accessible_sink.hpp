// The writing edge for accessible objects, as execute sees it. The implementation lives in input/atspi/.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "input/sink.hpp"
#include "perception/model/accessible.hpp"

namespace deskmark {

namespace atspi {
class BusThread;
}

/// What an object of a list says of itself.
struct Option {
  ObjectRef ref;
  ObjectRef parent;
  int index_in_parent = -1;
  Role role = Role::Unknown;
  std::string name;
  bool parent_selects = false;     ///< the parent has the Selection interface
  bool container_selects = false;  ///< the container asked about has it: a combo box chooses its option itself
  std::vector<std::string> actions;
};

/// What one round trip tells of an object: cheap enough to ask again and again.
struct Peek {
  StateSet states;
  std::optional<double> value;
  int text_length = -1;
  int caret = -1;
};

/// A true answer of a program is no proof that anything happened: callers read the effect back. Every call is bounded
/// by its deadline; Sent tells whether it may have reached the program.
class AccessibleSink {
 public:
  virtual ~AccessibleSink() = default;
  /// The object still answers on the bus and is not defunct.
  virtual bool alive(const ObjectRef& object, const Deadline& deadline) = 0;
  /// Carries out the action called `name` (normalised); background_unavailable when it has none
  /// of that name now.
  virtual Delivered do_action(const ObjectRef& object, const std::string& name, const Deadline& deadline) = 0;
  virtual Delivered set_text(const ObjectRef& object, const std::string& text, const Deadline& deadline) = 0;
  /// Inserts at the caret, else at the end; what is selected is replaced, as typing would.
  virtual Delivered insert_text(const ObjectRef& object, const std::string& text, Toolkit toolkit,
                                const Deadline& deadline) = 0;
  virtual Delivered set_number(const ObjectRef& object, double value, const Deadline& deadline) = 0;
  virtual Delivered select_child(const ObjectRef& container, int index, const Deadline& deadline) = 0;
  virtual Delivered focus(const ObjectRef& object, const Deadline& deadline) = 0;
  virtual Delivered place_caret(const ObjectRef& object, int offset, const Deadline& deadline) = 0;
  /// Nothing when the object does not answer.
  virtual std::optional<Peek> peek(const ObjectRef& object, const Deadline& deadline) = 0;
  /// The whole text of a field. Never ask it of a password field.
  virtual std::optional<std::string> text(const ObjectRef& object, const Deadline& deadline) = 0;
  virtual Delivered scroll_to(const ObjectRef& object, const Deadline& deadline) = 0;
  /// What can be chosen in `container`: items below it, also hidden ones, at most `limit`.
  virtual std::vector<Option> options(const ObjectRef& container, int limit, const Deadline& deadline) = 0;
};

std::unique_ptr<AccessibleSink> open_atspi_sink(std::shared_ptr<atspi::BusThread> thread);

}  // namespace deskmark
