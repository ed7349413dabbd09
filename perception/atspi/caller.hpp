// What the readers need of the bus: calls that are answered later, in any number at once. The bus implements it
// (pipeline.hpp); tests answer from a table.
#pragma once

#include <gio/gio.h>

#include <functional>
#include <string>

#include "perception/model/accessible.hpp"

namespace deskmark::atspi {

/// One method call. `arguments` may be floating or null; it is consumed.
struct Call {
  std::string bus;
  std::string path;
  const char* interface = nullptr;
  const char* method = nullptr;
  GVariant* arguments = nullptr;
};

/// Reply body (a tuple), or null: error, hung, gone, dropped at the deadline. Called on the thread that runs the
/// caller.
using OnReply = std::function<void(GVariant* body)>;

class Caller {
 public:
  virtual ~Caller() = default;
  virtual void call(Call call, OnReply on_reply) = 0;
};

constexpr const char* kAccessible = "org.a11y.atspi.Accessible";
constexpr const char* kComponent = "org.a11y.atspi.Component";
constexpr const char* kAction = "org.a11y.atspi.Action";
constexpr const char* kText = "org.a11y.atspi.Text";
constexpr const char* kValue = "org.a11y.atspi.Value";
constexpr const char* kTable = "org.a11y.atspi.Table";
constexpr const char* kApplication = "org.a11y.atspi.Application";
constexpr const char* kProperties = "org.freedesktop.DBus.Properties";
constexpr const char* kRootPath = "/org/a11y/atspi/accessible/root";

/// Properties.Get of one property. (GetAll is never used: it kills Qt programs.)
inline Call get_property(const ObjectRef& ref, const char* interface, const char* name) {
  return {ref.bus, ref.path, kProperties, "Get", g_variant_new("(ss)", interface, name)};
}

}  // namespace deskmark::atspi
