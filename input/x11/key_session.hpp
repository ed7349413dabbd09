// Gives keys a way into a window, and everything back afterwards. Private to x11/.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "input/sink.hpp"
#include "input/x11/key_out.hpp"
#include "input/x11/keyboard.hpp"
#include "input/x11/layout.hpp"
#include "input/x11/session.hpp"

namespace deskmark::x11_input {

using Send = std::function<void(KeyOut&, Delivered&)>;

/// Gives `send` keys that arrive in the window, with `group` of the layout in force. `before`: makes the group.
Delivered with_keys(Session& session, const KeyJob& job, const Layout& layout, int group, Delivered out,
                    const Deadline& deadline, const Send& send, const std::function<void()>& before = {});

/// A combination as keys of a layout.
struct Chord {
  std::vector<unsigned> codes;  ///< modifiers
  unsigned state = 0;           ///< and as in the state of events
  unsigned code = 0;
  int group = 0;
  bool added = false;  ///< `group` has to be made, with AddedGroup
  bool spare = false;  ///< `code` has to be given its meaning first
};

/// In the current group, else in any (ctrl+s under a Cyrillic group), else in a group that is made for it (where there
/// is no Latin one), else on a spare key. Nothing with `why` set:
/// unknown_key, unsupported_modifier.
[[nodiscard]] std::optional<Chord> find_chord(const Layout& layout, const KeyCombo& combo, Delivered& why);

[[nodiscard]] std::vector<unsigned> codes_of(const Layout& layout, bool shift, bool level3,
                                             std::vector<unsigned> more = {});
[[nodiscard]] unsigned state_of(const Layout& layout, bool shift, bool level3);

}  // namespace deskmark::x11_input
