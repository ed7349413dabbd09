// Accessible actions, text, value and selection over AT-SPI. Sources: at-spi2-core
// xml/{Action,EditableText,Text,Value,Selection,Component}.xml.
#include <gio/gio.h>

#include <algorithm>
#include <utility>

#include "input/accessible_sink.hpp"
#include "perception/atspi/bus_thread.hpp"
#include "perception/atspi/pipeline.hpp"
#include "perception/atspi/toolkit_rules.hpp"

namespace deskmark {
namespace {

using namespace atspi;
using std::chrono_literals::operator""ms;

constexpr const char* kEditableText = "org.a11y.atspi.EditableText";
constexpr const char* kSelection = "org.a11y.atspi.Selection";
constexpr auto kPatience = 1500ms;  // a program may be busy with the action itself, for instance open a dialog
constexpr int kDepth = 4;           // combo box > popup > list > item

/// What one call answered.
struct Answer {
  bool sent = false;
  bool answered = false;  ///< a reply, not an error or silence
  Variant body;
};

Answer ask(Bus& bus, Call call, const Deadline& deadline) {
  Answer answer;
  const std::string name = call.bus;
  Pipeline pipeline(bus, kPatience);
  pipeline.call(std::move(call), [&answer](GVariant* body) {
    if (!body) return;
    answer.answered = true;
    answer.body.reset(g_variant_ref(body));
  });
  pipeline.run(deadline);
  answer.sent = pipeline.sent() > 0;
  return answer;
}

bool says_true(const Answer& answer) {
  if (!answer.answered || !g_variant_is_of_type(answer.body.get(), G_VARIANT_TYPE("(b)"))) return false;
  gboolean yes = FALSE;
  g_variant_get(answer.body.get(), "(b)", &yes);
  return yes != FALSE;
}

Delivered refused(std::string code, std::string message) {
  Delivered out;
  out.route = "accessibility";
  out.code = std::move(code);
  out.message = std::move(message);
  return out;
}

/// `must_say_true`: false is the program's word that it did nothing.
Delivered delivered(const Answer& answer, bool must_say_true, const std::string& what) {
  Delivered out;
  out.route = "accessibility";
  out.total = 1;
  if (!answer.sent) return refused("accessibility_unavailable", "The accessibility bus took no call.");
  if (!answer.answered) {
    out.sent = Sent::Unknown;
    out.code = "outcome_unknown";
    out.message = "The application did not answer " + what + ".";
    return out;
  }
  if (must_say_true && !says_true(answer)) {
    return refused("background_unavailable", "The application refused " + what + ".");
  }
  out.sent = Sent::All;
  out.completed = 1;
  return out;
}

std::optional<int> action_index(Bus& bus, const ObjectRef& object, const std::string& name, const Deadline& deadline) {
  const Answer count = ask(bus, get_property(object, kAction, "NActions"), deadline);
  const int n = std::clamp(decode_int_property(count.body.get()).value_or(0), 0, 64);
  for (int i = 0; i < n; ++i) {
    const Answer one = ask(bus, {object.bus, object.path, kAction, "GetName", g_variant_new("(i)", i)}, deadline);
    if (normalise_action(decode_text(one.body.get()).value_or("")) == name) return i;
  }
  return std::nullopt;
}

Delivered act(Bus& bus, const ObjectRef& object, const std::string& name, const Deadline& deadline) {
  const auto index = action_index(bus, object, name, deadline);
  if (!index) return refused("background_unavailable", "The object has no action called " + name + " any more.");
  return delivered(ask(bus, {object.bus, object.path, kAction, "DoAction", g_variant_new("(i)", *index)}, deadline),
                   true, "the action " + name);
}

/// The first selection of a text, in characters.
std::optional<std::pair<int, int>> selection_of(Bus& bus, const ObjectRef& object, const Deadline& deadline) {
  const Answer count = ask(bus, {object.bus, object.path, kText, "GetNSelections", nullptr}, deadline);
  if (decode_int(count.body.get()).value_or(0) < 1) return std::nullopt;
  const Answer range = ask(bus, {object.bus, object.path, kText, "GetSelection", g_variant_new("(i)", 0)}, deadline);
  if (!range.answered || !g_variant_is_of_type(range.body.get(), G_VARIANT_TYPE("(ii)"))) return std::nullopt;
  int from = 0;
  int to = 0;
  g_variant_get(range.body.get(), "(ii)", &from, &to);
  if (from > to) std::swap(from, to);
  if (from < 0 || from == to) return std::nullopt;
  return std::pair{from, to};
}

Delivered insert(Bus& bus, const ObjectRef& object, const std::string& text, Toolkit toolkit,
                 const Deadline& deadline) {
  const Answer caret = ask(bus, get_property(object, kText, "CaretOffset"), deadline);
  const Answer count = ask(bus, get_property(object, kText, "CharacterCount"), deadline);
  const int end = decode_int_property(count.body.get()).value_or(0);
  int at = decode_int_property(caret.body.get()).value_or(end);
  if (at < 0 || at > end) at = end;
  const auto selected = selection_of(bus, object, deadline);
  if (selected) {
    const Answer cut = ask(bus,
                           {object.bus, object.path, kEditableText, "DeleteText",
                            g_variant_new("(ii)", selected->first, selected->second)},
                           deadline);
    if (!says_true(cut)) return delivered(cut, true, "to replace the selected text");
    at = selected->first;
  }
  const auto characters = static_cast<gint32>(g_utf8_strlen(text.c_str(), static_cast<gssize>(text.size())));
  // The protocol counts bytes (EditableText.xml), and so does GTK; Qt cuts and pads its string to as many UTF-16 units.
  gint32 length = static_cast<gint32>(text.size());
  if (toolkit == Toolkit::Qt5 || toolkit == Toolkit::Qt6) {
    glong units = 0;
    gunichar2* wide = g_utf8_to_utf16(text.c_str(), static_cast<glong>(text.size()), nullptr, &units, nullptr);
    g_free(wide);
    if (!wide) return refused("background_unavailable", "The text is not UTF-8.");
    length = static_cast<gint32>(units);
  }
  Delivered done = delivered(
      ask(bus, {object.bus, object.path, kEditableText, "InsertText", g_variant_new("(isi)", at, text.c_str(), length)},
          deadline),
      true, "the text");
  // Where typing would leave the caret. Some toolkits move it themselves, some do not.
  if (done.sent == Sent::All)
    ask(bus, {object.bus, object.path, kText, "SetCaretOffset", g_variant_new("(i)", at + characters)}, deadline);
  if (selected && done.sent == Sent::Nothing) done.sent = Sent::Part;
  return done;
}

Peek peek_at(Bus& bus, const ObjectRef& object, bool& alive, const Deadline& deadline) {
  Peek peek;
  Pipeline pipeline(bus, kPatience);
  pipeline.call({object.bus, object.path, kAccessible, "GetState", nullptr}, [&](GVariant* body) {
    const auto set = decode_states(body);
    if (!set) return;
    alive = true;
    peek.states = *set;
  });
  pipeline.call(get_property(object, kValue, "CurrentValue"),
                [&](GVariant* body) { peek.value = decode_double_property(body); });
  pipeline.call(get_property(object, kText, "CharacterCount"),
                [&](GVariant* body) { peek.text_length = decode_int_property(body).value_or(-1); });
  pipeline.call(get_property(object, kText, "CaretOffset"),
                [&](GVariant* body) { peek.caret = decode_int_property(body).value_or(-1); });
  pipeline.run(deadline);
  return peek;
}

bool is_item(Role role) {
  return role == Role::MenuItem || role == Role::ListItem || role == Role::PageTab || role == Role::TreeItem ||
         role == Role::TableRow || role == Role::CheckMenuItem || role == Role::RadioMenuItem ||
         role == Role::TableCell || role == Role::Icon;
}

/// One level of a container: role, name, interfaces and actions of its children, in two pipelined rounds.
struct Below {
  Option option;
  bool selects = false;
};
std::vector<Below> level(Bus& bus, const std::vector<ObjectRef>& parents, const std::vector<bool>& selects, int limit,
                         const Deadline& deadline) {
  std::vector<Below> below;
  Pipeline pipeline(bus, kPatience);
  for (std::size_t p = 0; p < parents.size(); ++p) {
    pipeline.call({parents[p].bus, parents[p].path, kAccessible, "GetChildren", nullptr}, [&, p](GVariant* body) {
      const auto refs = decode_refs(body);
      if (!refs) return;
      for (std::size_t i = 0; i < refs->size() && static_cast<int>(below.size()) < limit; ++i) {
        if (null_ref((*refs)[i])) continue;
        Below one;
        one.option.ref = (*refs)[i];
        one.option.parent = parents[p];
        one.option.index_in_parent = static_cast<int>(i);
        one.option.parent_selects = selects[p];
        below.push_back(std::move(one));
      }
    });
  }
  if (!pipeline.run(deadline)) return {};
  for (Below& one : below) {
    const ObjectRef& ref = one.option.ref;
    pipeline.call({ref.bus, ref.path, kAccessible, "GetRole", nullptr},
                  [&one](GVariant* body) { one.option.role = decode_role(body).value_or(Role::Unknown); });
    pipeline.call(get_property(ref, kAccessible, "Name"),
                  [&one](GVariant* body) { one.option.name = decode_text_property(body).value_or(""); });
    pipeline.call({ref.bus, ref.path, kAccessible, "GetInterfaces", nullptr}, [&one](GVariant* body) {
      if (const auto set = decode_interfaces(body)) one.selects = set->has(Iface::Selection);
    });
    pipeline.call({ref.bus, ref.path, kAction, "GetActions", nullptr}, [&one](GVariant* body) {
      for (const std::string& name : decode_actions(body).value_or(std::vector<std::string>{})) {
        one.option.actions.push_back(normalise_action(name));
      }
    });
  }
  pipeline.run(deadline);
  return below;
}

/// Rows of GTK 3 and 4 have no name of their own: what stands in them is a label, at most a box further down.
void name_by_content(Bus& bus, std::vector<Option>& options, const Deadline& deadline) {
  struct Inside {
    std::size_t option;
    ObjectRef ref;
    std::string name;
    Role role = Role::Unknown;
  };
  std::vector<Inside> above;
  // GTK 4 names every tab "Tab".
  const bool all_alike = options.size() > 1 && std::all_of(options.begin(), options.end(), [&](const Option& o) {
                           return o.name == options.front().name;
                         });
  if (all_alike) {
    for (Option& o : options) o.name.clear();
  }
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (options[i].name.empty()) above.push_back({i, options[i].ref, "", Role::Unknown});
  }
  for (int depth = 0; depth < 3 && !above.empty(); ++depth) {
    std::vector<Inside> inside;
    Pipeline pipeline(bus, kPatience);
    for (const Inside& one : above) {
      pipeline.call({one.ref.bus, one.ref.path, kAccessible, "GetChildren", nullptr},
                    [&inside, option = one.option](GVariant* body) {
                      const auto refs = decode_refs(body);
                      for (std::size_t c = 0; refs && c < refs->size() && c < 8; ++c) {
                        if (!null_ref((*refs)[c])) inside.push_back({option, (*refs)[c], "", Role::Unknown});
                      }
                    });
    }
    if (!pipeline.run(deadline)) return;
    for (Inside& one : inside) {
      pipeline.call({one.ref.bus, one.ref.path, kAccessible, "GetRole", nullptr},
                    [&one](GVariant* body) { one.role = decode_role(body).value_or(Role::Unknown); });
      pipeline.call(get_property(one.ref, kAccessible, "Name"),
                    [&one](GVariant* body) { one.name = decode_text_property(body).value_or(""); });
    }
    pipeline.run(deadline);
    for (const Inside& one : inside) {
      std::string& name = options[one.option].name;
      if (name.empty() && (one.role == Role::Label || one.role == Role::Static)) name = one.name;
    }
    above.clear();
    for (Inside& one : inside) {
      if (options[one.option].name.empty()) above.push_back(std::move(one));
    }
  }
}

std::vector<Option> options_below(Bus& bus, const ObjectRef& container, int limit, const Deadline& deadline) {
  std::vector<Option> found;
  const Answer interfaces = ask(bus, {container.bus, container.path, kAccessible, "GetInterfaces", nullptr}, deadline);
  const auto set = decode_interfaces(interfaces.body.get());
  std::vector<ObjectRef> parents{container};
  const bool own = set && set->has(Iface::Selection);
  std::vector<bool> selects{own};
  for (int depth = 0; depth < kDepth && !parents.empty() && static_cast<int>(found.size()) < limit; ++depth) {
    std::vector<ObjectRef> next;
    std::vector<bool> next_selects;
    for (Below& one : level(bus, parents, selects, limit, deadline)) {
      if (is_item(one.option.role)) {
        one.option.container_selects = own;
        found.push_back(std::move(one.option));
      } else {
        next.push_back(one.option.ref);
        next_selects.push_back(one.selects);
      }
    }
    if (!found.empty()) break;
    parents = std::move(next);
    selects = std::move(next_selects);
  }
  name_by_content(bus, found, deadline);
  return found;
}

class AtspiSink : public AccessibleSink {
 public:
  explicit AtspiSink(std::shared_ptr<BusThread> thread) : thread_(std::move(thread)) {}

  bool alive(const ObjectRef& object, const Deadline& deadline) override {
    return on_bus<bool>(
        deadline,
        [object](Bus& bus, const Deadline& d) {
          const Answer states = ask(bus, {object.bus, object.path, kAccessible, "GetState", nullptr}, d);
          const auto set = decode_states(states.body.get());
          return set && !set->has(State::Defunct);
        },
        false);
  }
  Delivered do_action(const ObjectRef& object, const std::string& name, const Deadline& deadline) override {
    return send(deadline, [object, name](Bus& bus, const Deadline& d) { return act(bus, object, name, d); });
  }
  Delivered set_text(const ObjectRef& object, const std::string& text, const Deadline& deadline) override {
    return send(deadline, [object, text](Bus& bus, const Deadline& d) {
      return delivered(
          ask(bus, {object.bus, object.path, kEditableText, "SetTextContents", g_variant_new("(s)", text.c_str())}, d),
          true, "the text");
    });
  }
  Delivered insert_text(const ObjectRef& object, const std::string& text, Toolkit toolkit,
                        const Deadline& deadline) override {
    return send(deadline,
                [object, text, toolkit](Bus& bus, const Deadline& d) { return insert(bus, object, text, toolkit, d); });
  }
  Delivered set_number(const ObjectRef& object, double value, const Deadline& deadline) override {
    return send(deadline, [object, value](Bus& bus, const Deadline& d) {
      return delivered(ask(bus,
                           {object.bus, object.path, kProperties, "Set",
                            g_variant_new("(ssv)", kValue, "CurrentValue", g_variant_new_double(value))},
                           d),
                       false, "the value");
    });
  }
  Delivered select_child(const ObjectRef& container, int index, const Deadline& deadline) override {
    return send(deadline, [container, index](Bus& bus, const Deadline& d) {
      return delivered(
          ask(bus, {container.bus, container.path, kSelection, "SelectChild", g_variant_new("(i)", index)}, d), true,
          "the selection");
    });
  }
  Delivered focus(const ObjectRef& object, const Deadline& deadline) override {
    return send(deadline, [object](Bus& bus, const Deadline& d) {
      return delivered(ask(bus, {object.bus, object.path, kComponent, "GrabFocus", nullptr}, d), true, "the focus");
    });
  }
  Delivered place_caret(const ObjectRef& object, int offset, const Deadline& deadline) override {
    return send(deadline, [object, offset](Bus& bus, const Deadline& d) {
      return delivered(ask(bus, {object.bus, object.path, kText, "SetCaretOffset", g_variant_new("(i)", offset)}, d),
                       true, "the caret");
    });
  }
  std::optional<Peek> peek(const ObjectRef& object, const Deadline& deadline) override {
    return on_bus<std::optional<Peek>>(
        deadline,
        [object](Bus& bus, const Deadline& d) {
          bool alive = false;
          Peek peek = peek_at(bus, object, alive, d);
          return alive ? std::optional<Peek>{peek} : std::nullopt;
        },
        std::nullopt);
  }
  std::optional<std::string> text(const ObjectRef& object, const Deadline& deadline) override {
    return on_bus<std::optional<std::string>>(
        deadline,
        [object](Bus& bus, const Deadline& d) {
          // GTK 4.8 answers nothing for an end of -1.
          const Answer count = ask(bus, get_property(object, kText, "CharacterCount"), d);
          const int end = decode_int_property(count.body.get()).value_or(-1);
          const Answer whole = ask(bus, {object.bus, object.path, kText, "GetText", g_variant_new("(ii)", 0, end)}, d);
          std::optional<std::string> out;
          if (whole.answered && g_variant_is_of_type(whole.body.get(), G_VARIANT_TYPE("(s)"))) {
            const char* text = nullptr;
            g_variant_get(whole.body.get(), "(&s)", &text);
            out = text;
          }
          return out;
        },
        std::nullopt);
  }
  Delivered scroll_to(const ObjectRef& object, const Deadline& deadline) override {
    return send(deadline, [object](Bus& bus, const Deadline& d) {
      constexpr guint32 kAnywhere = 6;  // ATSPI_SCROLL_ANYWHERE
      return delivered(ask(bus, {object.bus, object.path, kComponent, "ScrollTo", g_variant_new("(u)", kAnywhere)}, d),
                       true, "to scroll there");
    });
  }
  std::vector<Option> options(const ObjectRef& container, int limit, const Deadline& deadline) override {
    return on_bus<std::vector<Option>>(
        deadline, [container, limit](Bus& bus, const Deadline& d) { return options_below(bus, container, limit, d); },
        {});
  }

 private:
  template <class T, class Work>
  T on_bus(const Deadline& deadline, Work work, T otherwise) {
    // Owned by the job as well: it may outlive this call when the deadline passes.
    const auto result = std::make_shared<T>(std::move(otherwise));
    const auto job = [result, work, deadline](Bus& bus) {
      if (!bus.connect(deadline)) *result = work(bus, deadline);
    };
    if (!thread_->run(job, deadline)) return T{};
    return std::move(*result);
  }
  template <class Work>
  Delivered send(const Deadline& deadline, Work work) {
    Delivered late = refused("outcome_unknown", "The accessibility bus did not answer in time.");
    late.sent = Sent::Unknown;
    const auto result =
        std::make_shared<Delivered>(refused("accessibility_unavailable", "The accessibility bus cannot be reached."));
    const auto job = [result, work, deadline](Bus& bus) {
      if (!bus.connect(deadline)) *result = work(bus, deadline);
    };
    return thread_->run(job, deadline) ? std::move(*result) : late;
  }

  std::shared_ptr<BusThread> thread_;
};

}  // namespace

std::unique_ptr<AccessibleSink> open_atspi_sink(std::shared_ptr<atspi::BusThread> thread) {
  return std::make_unique<AtspiSink>(std::move(thread));
}

}  // namespace deskmark
