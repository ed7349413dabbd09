// Choosing an option by its label: where the object tells its options, and by opening it where it does not.
#pragma once

#include "src/engine/execute.hpp"

namespace deskmark {

/// Through the tree, without opening anything. no_such_option lists the options; background_unavailable when the object
/// tells none.
[[nodiscard]] Delivered choose(AccessibleSink& sink, const ChooseOption& step, const Deadline& deadline);
/// Opens the object, waits for the option to be shown, clicks it; closes again (Escape) when there is none of that
/// label.
[[nodiscard]] Delivered open_and_choose(const Actor& actor, const OpenAndChoose& step);
/// Focuses the object and moves its choice by Home and Down; seen by the caller to have worked.
[[nodiscard]] Delivered keys_to_option(const Actor& actor, const KeysToOption& step);
/// Clicks the option among the marks of the last look.
[[nodiscard]] Delivered click_option(const Actor& actor, const ClickOption& step);

}  // namespace deskmark
