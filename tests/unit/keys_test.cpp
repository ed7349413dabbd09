#include "input/keys.hpp"

#include <doctest/doctest.h>
#include <xkbcommon/xkbcommon-keysyms.h>

namespace deskmark {
namespace {

std::string canonical(std::string_view keys) {
  const auto parsed = parse_keys(keys);
  const auto* combo = std::get_if<KeyCombo>(&parsed);
  return combo ? combo->canonical : std::string{code_word(std::get<Failure>(parsed).code)};
}

}  // namespace

TEST_CASE("every spelling of one combination is the same combination") {
  for (const char* keys : {"ctrl+shift+s", "Ctrl-Shift-S", "SHIFT+control+s", "ctrl + shift + s", "ctl+shift+KeyS"}) {
    CAPTURE(keys);
    CHECK(canonical(keys) == "ctrl+shift+s");
  }
}

TEST_CASE("names of one key") {
  CHECK(canonical("Return") == canonical("enter"));
  CHECK(canonical("esc") == "escape");
  CHECK(canonical("PageUp") == canonical("pgup"));
  CHECK(canonical("ArrowLeft") == "left");
  CHECK(canonical("F5") == "f5");
  CHECK(canonical("command+c") == "super+c");
  CHECK(canonical("option+f") == "alt+f");
  CHECK(canonical(" ") == "space");
  CHECK(canonical("shift") == "shift_l");
}

TEST_CASE("separators are keys where a key is expected") {
  CHECK(canonical("ctrl++") == "ctrl+plus");
  CHECK(canonical("ctrl+-") == "ctrl+minus");
  CHECK(canonical("ctrl--") == "ctrl+minus");
  CHECK(canonical("-") == "minus");
  CHECK(canonical("+") == "plus");
  CHECK(canonical("plus") == "plus");
}

TEST_CASE("the order of the parts does not matter") {
  CHECK(canonical("F4+alt") == "alt+f4");
  CHECK(canonical("delete-ctrl-alt") == "alt+ctrl+delete");
  CHECK(canonical("shift+ctrl") == "shift+control_l");
  CHECK(canonical("f5+fn") == "unsupported_modifier");
}

TEST_CASE("letters are not shifted by their case; any script is a key") {
  CHECK(canonical("A") == "a");
  CHECK(canonical("ctrl+ä") == "ctrl+adiaeresis");
  CHECK(canonical("ф") == "cyrillic_ef");
}

TEST_CASE("an unknown name is refused, never a silent no-op") {
  for (const char* keys : {"ctrl+bogus", "bogus", "", "ctrl+", "hyper9+x", "0x41", "ctrl++s"}) {
    CAPTURE(keys);
    CHECK(std::holds_alternative<Failure>(parse_keys(keys)));
  }
  CHECK(canonical("bogus") == "unknown_key");
  CHECK(canonical("fn+f5") == "unsupported_modifier");
}

}  // namespace deskmark
