#include "perception/atspi/node_reader.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace deskmark::atspi {
namespace {

constexpr int kTextLimit = 4000;  // characters of one object's text that are read

bool web(Toolkit t) { return t == Toolkit::Chromium || t == Toolkit::Firefox || t == Toolkit::WebKit; }

/// Roles that only hold others together: nothing is done to them.
bool passive(Role role) {
  switch (role) {
    case Role::Filler:
    case Role::Separator:
    case Role::Application:
    case Role::Frame:
    case Role::Window:
    case Role::Dialog:
    case Role::Viewport:
    case Role::ScrollPane:
    case Role::SplitPane:
    case Role::LayeredPane:
    case Role::RootPane:
    case Role::GlassPane:
    case Role::MenuBar:
    case Role::StatusBar:
    case Role::ToolBar:
    case Role::Alert:
    case Role::Grouping:
    case Role::DesktopFrame:
    case Role::InternalFrame:
    case Role::TitleBar: return true;
    default: return false;
  }
}

bool has_range(Role role) {
  switch (role) {
    case Role::Slider:
    case Role::SpinButton:
    case Role::ProgressBar:
    case Role::ScrollBar:
    case Role::LevelBar:
    case Role::Dial:
    case Role::Rating: return true;
    default: return false;
  }
}

bool textual(Role role) {
  switch (role) {
    case Role::Text:
    case Role::Entry:
    case Role::Terminal:
    case Role::Paragraph:
    case Role::DocumentText:
    case Role::DocumentFrame:
    case Role::DocumentEmail:
    case Role::SpinButton:
    case Role::Editbar:
    case Role::Autocomplete:
    case Role::DateEditor:
    case Role::Comment:
    case Role::BlockQuote: return true;
    default: return false;
  }
}

bool wants_actions(const DetailsRequest& r) {
  if (!r.interfaces.has(Iface::Action) || passive(r.role)) return false;
  // A label's actions are those of any text (copy, select all, menu); a panel's in GTK are none.
  const bool gtk = r.toolkit == Toolkit::Gtk3 || r.toolkit == Toolkit::Gtk4;
  if (gtk && (r.role == Role::Label || r.role == Role::Panel || r.role == Role::Image))
    return r.states.has(State::Focusable);
  return !(web(r.toolkit) && r.role == Role::Static);
}

/// The toolkit gives fields for secrets a role of their own, always.
bool marks_secrets(Toolkit t) { return t != Toolkit::Gtk4 && t != Toolkit::Other && t != Toolkit::Unknown; }

bool wants_text(const DetailsRequest& r) {
  if (!r.want_text || !r.interfaces.has(Iface::Text) || is_secret(r.role, r.name)) return false;
  if (r.interfaces.has(Iface::EditableText) || r.states.has(State::Editable)) {
    return marks_secrets(r.toolkit) || !sounds_secret(r.name);
  }
  // In pages the text is in the leaves, which have it as their name.
  if (web(r.toolkit)) return r.name.empty() && r.child_count == 0;
  return textual(r.role) || (r.name.empty() && r.child_count == 0 && !passive(r.role));
}

bool secret_attributes(const std::map<std::string, std::string>& attributes) {
  for (const auto& [key, value] : attributes) {
    if ((key == "text-input-type" || key == "input-purpose" || key == "type") && sounds_secret(value)) return true;
    if (key == "placeholder-text" && sounds_secret(value)) return true;
  }
  return false;
}

/// Asks for text once it is known that it may be asked for.
struct TextReader : std::enable_shared_from_this<TextReader> {
  TextReader(Caller& c, DetailsRequest r, std::shared_ptr<Details> d)
      : caller(c), request(std::move(r)), details(std::move(d)) {}

  Caller& caller;
  DetailsRequest request;
  std::shared_ptr<Details> details;
  int waiting = 0;
  bool hidden = false;
  int run_end = -1;
  int first = -1;
  int last = -1;

  void start() {
    waiting = 1;
    const auto self = shared_from_this();
    ++waiting;
    caller.call(get_property(request.ref, kText, "CharacterCount"), [self](GVariant* body) {
      self->details->text_length = std::max(0, decode_int_property(body).value_or(0));
      self->arrived();
    });
    if (request.states.has(State::Editable) || request.role == Role::Terminal) {
      ++waiting;
      caller.call(get_property(request.ref, kText, "CaretOffset"), [self](GVariant* body) {
        self->details->caret = std::max(-1, decode_int_property(body).value_or(-1));
        self->arrived();
      });
    }
    if (one_line_gtk4()) {
      // GTK 4 hands out the text of an entry that shows dots. What gives it away: its attribute run is counted in the
      // dots that are drawn and ends before the text does.
      ++waiting;
      caller.call({request.ref.bus, request.ref.path, kText, "GetAttributes", g_variant_new("(i)", 0)},
                  [self](GVariant* body) {
                    if (body != nullptr && g_variant_is_of_type(body, G_VARIANT_TYPE("(a{ss}ii)")) != FALSE) {
                      g_variant_get_child(body, 2, "i", &self->run_end);
                    }
                    self->arrived();
                  });
    }
    if (!details->fixed.detailed && !marks_secrets(request.toolkit)) {
      ++waiting;  // placeholder and input type; the same is asked for the node, but that answer may come later
      caller.call({request.ref.bus, request.ref.path, kAccessible, "GetAttributes", nullptr}, [self](GVariant* body) {
        if (const auto attributes = decode_attributes(body)) self->hidden = secret_attributes(*attributes);
        self->arrived();
      });
    } else if (secret_attributes(details->fixed.attributes)) {
      hidden = true;
    }
    arrived();
  }

  [[nodiscard]] bool one_line_gtk4() const {
    return request.toolkit == Toolkit::Gtk4 && request.interfaces.has(Iface::EditableText) &&
           !request.states.has(State::MultiLine);
  }

  void arrived() {
    if (--waiting > 0) return;
    if (one_line_gtk4() && run_end >= 0 && run_end < details->text_length) hidden = true;
    if (hidden) {
      details->secret = true;
      details->text_length = 0;
      details->caret = -1;
      return;
    }
    if (details->text_length <= 0) return;
    if (details->text_length <= kTextLimit) return fetch(0, details->text_length);
    locate();
  }

  /// Which part of a long text is in view.
  void locate() {
    if (request.toolkit == Toolkit::Gtk4 || request.visible.w <= 0) return around_caret();  // GTK 4 never answers
    const auto self = shared_from_this();
    waiting = 2;
    const RawRect& v = request.visible;
    const auto ask = [&](int x, int y, int* into) {
      caller.call({request.ref.bus, request.ref.path, kText, "GetOffsetAtPoint", g_variant_new("(iiu)", x, y, 0U)},
                  [self, into](GVariant* body) {
                    *into = decode_int(body).value_or(-1);
                    if (--self->waiting == 0) self->located();
                  });
    };
    ask(v.x + 2, v.y + 2, &first);
    ask(v.x + v.w - 3, v.y + v.h - 3, &last);
  }

  void located() {
    if (first < 0 || last < 0 || first >= details->text_length || last <= first) {
      if (first < 0 || first >= details->text_length) return around_caret();
      last = first + kTextLimit;
    }
    fetch(first, std::min({details->text_length, last + 1, first + kTextLimit}));
  }

  void around_caret() {
    const int middle = std::clamp(details->caret, 0, details->text_length);
    const int from = std::max(0, std::min(middle - kTextLimit / 2, details->text_length - kTextLimit));
    fetch(from, std::min(details->text_length, from + kTextLimit));
  }

  void fetch(int from, int to) {
    const std::shared_ptr<Details> into = details;
    caller.call({request.ref.bus, request.ref.path, kText, "GetText", g_variant_new("(ii)", from, to)},
                [into](GVariant* body) { into->text = decode_text(body).value_or(""); });
  }
};

/// GetName(index) is never translated; GetActions of ATK programs is.
void read_action_names(Caller& caller, const ObjectRef& ref, int count, const std::shared_ptr<Details>& details) {
  details->fixed.actions.assign(static_cast<std::size_t>(count), std::string());
  for (int i = 0; i < count; ++i) {
    caller.call({ref.bus, ref.path, kAction, "GetName", g_variant_new("(i)", i)}, [details, i](GVariant* reply) {
      details->fixed.actions[static_cast<std::size_t>(i)] = normalise_action(decode_text(reply).value_or(""));
    });
  }
}

/// What GTK 3 calls the actions of its widgets. Another word may be a translated one: the language a program speaks
/// need not be that of its locale ($LANGUAGE).
bool gtk3_action(const std::string& name) {
  static constexpr std::array<std::string_view, 12> kNames{"click",    "press", "release", "toggle",
                                                           "activate", "jump",  "edit",    "expand-or-contract",
                                                           "menu",     "popup", "select",  "open"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

void read_actions(Caller& caller, const DetailsRequest& r, const std::shared_ptr<Details>& details) {
  static constexpr int kMost = 32;
  Caller* const again = &caller;
  if (!r.names_localised && !web(r.toolkit)) {  // (Chromium's GetActions answers empty names)
    const ObjectRef ref = r.ref;
    const bool gtk3 = r.toolkit == Toolkit::Gtk3;
    caller.call({r.ref.bus, r.ref.path, kAction, "GetActions", nullptr}, [again, ref, gtk3, details](GVariant* body) {
      bool known = true;
      for (const std::string& name : decode_actions(body).value_or(std::vector<std::string>{})) {
        details->fixed.actions.push_back(normalise_action(name));
        known = known && gtk3_action(details->fixed.actions.back());
      }
      if (gtk3 && !known)
        read_action_names(*again, ref, std::min(static_cast<int>(details->fixed.actions.size()), kMost), details);
    });
    return;
  }
  const ObjectRef ref = r.ref;
  caller.call(get_property(r.ref, kAction, "NActions"), [again, ref, details](GVariant* body) {
    read_action_names(*again, ref, std::clamp(decode_int_property(body).value_or(0), 0, kMost), details);
  });
}

void read_value(Caller& caller, const DetailsRequest& r, const std::shared_ptr<Details>& details) {
  details->value.emplace();
  const auto ask = [&](const char* name, double ValueRange::*field) {
    caller.call(get_property(r.ref, kValue, name), [details, field](GVariant* body) {
      const auto number = decode_double_property(body);
      if (number && details->value) (*details->value).*field = *number;
      if (!number && field == &ValueRange::current) details->value.reset();
    });
  };
  ask("CurrentValue", &ValueRange::current);
  ask("MinimumValue", &ValueRange::minimum);
  ask("MaximumValue", &ValueRange::maximum);
  if (r.role == Role::Slider || r.role == Role::SpinButton) ask("MinimumIncrement", &ValueRange::increment);
}

void read_fixed(Caller& caller, const DetailsRequest& r, const std::shared_ptr<Details>& details) {
  if (wants_actions(r)) read_actions(caller, r, details);
  const bool editable = r.interfaces.has(Iface::EditableText) || r.states.has(State::Editable);
  const bool operable =
      !passive(r.role) && (r.states.has(State::Focusable) || r.states.has(State::Selectable) || editable ||
                           has_range(r.role) || (r.interfaces.has(Iface::Action) && r.role != Role::Panel));
  if (!operable) return;
  if (r.name.empty() || clean_name(r.toolkit, r.role, r.name).empty()) {
    caller.call(get_property(r.ref, kAccessible, "Description"),
                [details](GVariant* body) { details->fixed.description = decode_text_property(body).value_or(""); });
    caller.call({r.ref.bus, r.ref.path, kAccessible, "GetRelationSet", nullptr}, [details](GVariant* body) {
      details->fixed.labelled_by = decode_labelled_by(body).value_or(std::vector<ObjectRef>{});
    });
    caller.call(get_property(r.ref, kAccessible, "AccessibleId"),
                [details](GVariant* body) { details->fixed.accessible_id = decode_text_property(body).value_or(""); });
  }
  if (editable || web(r.toolkit)) {
    caller.call({r.ref.bus, r.ref.path, kAccessible, "GetAttributes", nullptr}, [details](GVariant* body) {
      static constexpr std::array<std::string_view, 13> kept = {
          "placeholder-text", "placeholder",     "tag",   "xml-roles", "text-input-type", "class",  "id",
          "haspopup",         "roledescription", "level", "checkable", "input-purpose",   "display"};
      for (auto& [key, value] : decode_attributes(body).value_or(std::map<std::string, std::string>{})) {
        if (std::find(kept.begin(), kept.end(), key) != kept.end()) details->fixed.attributes.emplace(key, value);
      }
    });
  }
}

}  // namespace

bool sounds_secret(const std::string& words) {
  std::string lower(words);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  static constexpr std::array<std::string_view, 12> said = {"password",     "passwort",   "kennwort",   "passphrase",
                                                            "mot de passe", "contraseña", "senha",      "wachtwoord",
                                                            "пароль",       "密码",       "パスワード", "hasło"};
  return std::any_of(said.begin(), said.end(), [&](std::string_view w) { return lower.find(w) != std::string::npos; });
}

void read_details(Caller& caller, const DetailsRequest& request, const Remembered* known,
                  const std::shared_ptr<Details>& details) {
  if (known != nullptr && known->detailed) {
    details->fixed = *known;
  } else {
    details->fixed.name = request.name;
    details->fixed.role = request.role;
    details->fixed.interfaces = request.interfaces;
    read_fixed(caller, request, details);
  }
  if (request.interfaces.has(Iface::Value) && has_range(request.role)) read_value(caller, request, details);
  if (wants_text(request)) std::make_shared<TextReader>(caller, request, details)->start();
}

}  // namespace deskmark::atspi
