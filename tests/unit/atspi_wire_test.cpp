#include <doctest/doctest.h>

#include <cmath>

#include "perception/atspi/wire.hpp"

namespace deskmark::atspi {
namespace {

Variant parse(const char* text) {
  GError* error = nullptr;
  GVariant* v = g_variant_parse(nullptr, text, nullptr, nullptr, &error);
  if (error != nullptr) FAIL(error->message);
  return Variant(v);
}

}  // namespace

TEST_CASE("replies of the right type decode") {
  CHECK(decode_rect(parse("((1, 2, 3, 4),)").get()) == RawRect{1, 2, 3, 4});
  CHECK(decode_states(parse("([uint32 1, 2],)").get()) == StateSet(1 | (std::uint64_t{2} << 32)));
  CHECK(decode_role(parse("(uint32 43,)").get()) == Role::PushButton);
  CHECK(decode_int_property(parse("(<7>,)").get()) == 7);
  CHECK(decode_int_property(parse("(<uint32 4294967295>,)").get()) == G_MAXINT32);
  CHECK(decode_text_property(parse("(<'x'>,)").get()) == "x");
  CHECK(decode_refs(parse("([(':1.1', objectpath '/a')],)").get())->at(0) == ObjectRef{":1.1", "/a"});
  CHECK(
      decode_labelled_by(parse("([(uint32 2, [(':1.1', objectpath '/a')]), (3, [(':1.1', '/b')])],)").get())->size() ==
      1);
  CHECK(decode_actions(parse("([('click', '', '')],)").get())->at(0) == "click");
}

TEST_CASE("replies of another type are nothing, never a fault") {
  for (const char* text : {"()", "(1,)", "('x',)", "(<1>,)", "([1],)", "((1, 2),)", "(@a(so) [],)", "(uint32 7, 2)"}) {
    const Variant v = parse(text);
    CHECK_FALSE(decode_rect(v.get()));
    CHECK_FALSE(decode_states(v.get()));
    CHECK_FALSE(decode_interfaces(v.get()));
    CHECK_FALSE(decode_attributes(v.get()));
    CHECK_FALSE(decode_cache(v.get()));
    CHECK_FALSE(decode_text_property(v.get()));
    CHECK_FALSE(decode_labelled_by(v.get()));
  }
  CHECK_FALSE(decode_rect(nullptr));
  CHECK_FALSE(
      decode_double_property(Variant(g_variant_ref_sink(g_variant_new("(v)", g_variant_new_double(NAN)))).get()));
  CHECK(decode_role(parse("(uint32 70000,)").get()) == Role::Unknown);
}

TEST_CASE("long names are cut on a character") {
  std::string text(4095, 'a');
  text += "é";
  CHECK(clipped(text.c_str()).size() == 4095);
}

}  // namespace deskmark::atspi
