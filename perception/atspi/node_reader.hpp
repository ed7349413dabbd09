// What is worth asking an object beyond its place in the tree: actions, value, text, what labels it. Decides by role,
// interfaces and toolkit, and asks through the caller; the answers land in the node.
#pragma once

#include <functional>
#include <memory>

#include "perception/atspi/caller.hpp"
#include "perception/atspi/node_memory.hpp"
#include "perception/atspi/toolkit_rules.hpp"

namespace deskmark::atspi {

/// The details of one object while they come in. Kept alive by the calls under way.
struct Details {
  Remembered fixed;
  std::optional<ValueRange> value;
  std::string text;
  int text_length = 0;
  int caret = -1;
  bool secret = false;  ///< shows dots though its role does not say so; its text was left alone
};

struct DetailsRequest {
  ObjectRef ref;
  Toolkit toolkit = Toolkit::Unknown;
  Role role = Role::Unknown;
  StateSet states;
  IfaceSet interfaces;
  std::string name;  ///< as read
  int child_count = 0;
  RawRect visible;  ///< the part that can be seen, in the object's own coordinates; for the visible part of long text
  bool want_text = true;
  bool names_localised = false;  ///< the program runs in another language: GetActions would answer in it
};

/// Asks what is worth asking into `details`; what `known` has is not asked again. All answers are in when the caller
/// has run out of calls.
void read_details(Caller& caller, const DetailsRequest& request, const Remembered* known,
                  const std::shared_ptr<Details>& details);

/// The object may hold a secret by what it says of itself (role, attributes, name): its text is left alone.
[[nodiscard]] bool sounds_secret(const std::string& words);

}  // namespace deskmark::atspi
