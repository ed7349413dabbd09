#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "perception/atspi/node_reader.hpp"

namespace deskmark::atspi {
namespace {

/// A button whose actions have translated names, and untranslated ones for who asks one by one. Answers at once.
class TranslatedButton : public Caller {
 public:
  std::map<std::string, int> asked;
  std::vector<std::string> shown{"klicken"};
  std::vector<std::string> names{"click"};

  void call(Call call, OnReply on_reply) override {
    if (call.arguments != nullptr) g_variant_ref_sink(call.arguments);
    ++asked[call.method];
    GVariant* reply = nullptr;
    const std::string method = call.method;
    if (method == "GetActions") {
      GVariantBuilder rows;
      g_variant_builder_init(&rows, G_VARIANT_TYPE("a(sss)"));
      for (const std::string& s : shown) g_variant_builder_add(&rows, "(sss)", s.c_str(), "", "");
      reply = g_variant_new("(a(sss))", &rows);
    } else if (method == "GetName") {
      int i = 0;
      g_variant_get(call.arguments, "(i)", &i);
      reply = g_variant_new("(s)", names.at(static_cast<std::size_t>(i)).c_str());
    }
    if (reply != nullptr) g_variant_ref_sink(reply);
    on_reply(reply);
    if (reply != nullptr) g_variant_unref(reply);
    if (call.arguments != nullptr) g_variant_unref(call.arguments);
  }
};

std::vector<std::string> actions(TranslatedButton& button, Toolkit toolkit) {
  DetailsRequest r;
  r.ref = {":1.1", "/1"};
  r.toolkit = toolkit;
  r.role = Role::PushButton;
  r.interfaces.set(Iface::Action);
  r.name = "Speichern";
  const auto details = std::make_shared<Details>();
  read_details(button, r, nullptr, details);
  return details->fixed.actions;
}

}  // namespace

TEST_CASE("translated action names are asked for again, whatever the program's locale says") {
  TranslatedButton button;
  CHECK(actions(button, Toolkit::Gtk3) == std::vector<std::string>{"click"});
  CHECK(button.asked["GetName"] == 1);
}

TEST_CASE("action names that are what GTK 3 calls them cost one question") {
  TranslatedButton button;
  button.shown = {"click"};
  CHECK(actions(button, Toolkit::Gtk3) == std::vector<std::string>{"click"});
  CHECK(button.asked["GetName"] == 0);
}

TEST_CASE("programs of other toolkits name actions as they like") {
  TranslatedButton button;
  button.shown = {"list.select-all"};
  CHECK(actions(button, Toolkit::Gtk4) == std::vector<std::string>{"list.select-all"});
  CHECK(button.asked["GetName"] == 0);
}

}  // namespace deskmark::atspi
