#include <doctest/doctest.h>

#include "perception/marks/words.hpp"

using namespace deskmark;

TEST_CASE("rich text is read without its tags, what only looks like one stays") {
  CHECK(clean_line("<p style='white-space:pre'>Calculate <b>words</b> &amp; lines</p>") == "Calculate words & lines");
  CHECK(clean_line("<html><body>Save<br>as &lt;name&gt;</body></html>") == "Save as <name>");
  CHECK(clean_line("<Ok>") == "<Ok>");
  CHECK(clean_line("a < b & c") == "a < b & c");
  CHECK(clean_line("<p>unclosed <b") == "unclosed");
}
