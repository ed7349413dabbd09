#include "src/policy/config.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "schema/wording.hpp"
#include "src/policy/approval.hpp"
#include "src/policy/profile.hpp"

namespace deskmark {
namespace {

using nlohmann::json;

/// Takes a value into the configuration; returns what was expected instead when it does not fit.
using Taker = std::optional<std::string> (*)(const json& value, Configuration& to);

struct Key {
  std::string_view name;
  Taker take;
};

template <class T>
void set(Configuration& to, T EngineOptions::*member, T value) {
  to.settings.push_back([member, value = std::move(value)](EngineOptions& options) { options.*member = value; });
}

std::optional<long> integer(const json& value, long low, long high) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(high)) return std::nullopt;
  const long number = value.get<long>();
  return number < low || number > high ? std::nullopt : std::optional{number};
}

/// Words of a list, each a text that is not empty.
std::optional<std::vector<std::string>> words(const json& value) {
  if (!value.is_array()) return std::nullopt;
  std::vector<std::string> out;
  for (const json& word : value) {
    if (!word.is_string() || word.get_ref<const std::string&>().empty()) return std::nullopt;
    out.push_back(word.get<std::string>());
  }
  return out;
}

constexpr const char* kScopes = "one of none, background, foreground, all";

std::optional<std::string> take_approve(const json& value, Configuration& to) {
  const auto scope = [](const json& word) {
    return word.is_string() && scope_from_word(word.get<std::string>()).has_value();
  };
  if (scope(value)) {
    set(to, &EngineOptions::approve, value.get<std::string>());
    return std::nullopt;
  }
  const std::string wanted =
      std::string{kScopes} + ", or an object of application names (\"*\": every other) with such a word each";
  if (!value.is_object()) return wanted;
  std::vector<std::pair<std::string, std::string>> apps;
  std::string others = "none";
  for (const auto& [app, word] : value.items()) {
    if (!scope(word) || app.empty()) return wanted;
    if (app == "*")
      others = word.get<std::string>();
    else
      apps.emplace_back(app, word.get<std::string>());
  }
  set(to, &EngineOptions::approve, others);
  set(to, &EngineOptions::approve_apps, apps);
  return std::nullopt;
}

std::optional<std::string> take_profile(const json& value, Configuration& to) {
  const auto actions = value.is_string() ? profile_actions(value.get<std::string>()) : std::nullopt;
  if (!actions) return "one of " + std::string{kProfileNames};
  set(to, &EngineOptions::profile, *actions);
  return std::nullopt;
}

std::optional<std::string> take_allow(const json& value, Configuration& to) {
  const auto list = words(value);
  if (!list) return "a list of actions";
  const auto actions = allow_list(*list);
  if (const auto* problem = std::get_if<std::string>(&actions)) return "a list of actions (" + *problem + ")";
  set(to, &EngineOptions::allow, std::get<ActionSet>(actions));
  return std::nullopt;
}

std::optional<std::string> take_exclude(const json& value, Configuration& to) {
  auto list = words(value);
  if (!list) return "a list of application names";
  std::set<std::string> seen;
  for (const std::string& name : *list) {
    if (!seen.insert(name).second)
      return "a list of application names (" + shown(std::string_view{name}) + " is given twice)";
  }
  set(to, &EngineOptions::exclude_apps, *list);
  return std::nullopt;
}

template <int EngineOptions::*Member, int Low, int High>
std::optional<std::string> take_int(const json& value, Configuration& to) {
  const auto number = integer(value, Low, High);
  if (!number) return "an integer from " + std::to_string(Low) + " to " + std::to_string(High);
  set(to, Member, static_cast<int>(*number));
  return std::nullopt;
}

std::optional<std::string> take_image_bytes(const json& value, Configuration& to) {
  const auto number = integer(value, 0, 1'000'000'000);
  if (!number) return "an integer from 0 to 1000000000";
  set(to, &EngineOptions::max_image_bytes, static_cast<std::size_t>(*number));
  return std::nullopt;
}

std::optional<std::string> take_timeout(const json& value, Configuration& to) {
  const double seconds = value.is_number() ? value.get<double>() : 0;
  if (!(seconds >= 1 && seconds <= 120)) return "a number of seconds from 1 to 120";
  set(to, &EngineOptions::timeout_ms, static_cast<int>(std::lround(seconds * 1000)));
  return std::nullopt;
}

std::optional<std::string> take_languages(const json& value, Configuration& to) {
  const auto list = words(value);
  const std::string wanted = "a list of Tesseract language names, such as [\"eng\", \"deu\"]";
  if (!list || list->empty()) return wanted;
  std::string joined;
  for (const std::string& word : *list) {
    const bool plain =
        std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    if (!plain) return wanted;
    joined += (joined.empty() ? "" : "+") + word;
  }
  set(to, &EngineOptions::languages, joined);
  return std::nullopt;
}

std::optional<std::string> take_display(const json& value, Configuration& to) {
  if (!value.is_string() || value.get_ref<const std::string&>().empty()) return "the name of a display, such as \":0\"";
  set(to, &EngineOptions::display, value.get<std::string>());
  return std::nullopt;
}

std::optional<std::string> take_reply(const json& value, Configuration& to) {
  for (const char* word : {"both", "compact", "structured"}) {
    if (value == word) {
      to.reply = word;
      return std::nullopt;
    }
  }
  return "one of both, compact, structured";
}

std::optional<std::string> take_audit(const json& value, Configuration& to) {
  if (!value.is_boolean()) return "true or false";
  set(to, &EngineOptions::audit, value.get<bool>());
  return std::nullopt;
}

std::optional<std::string> take_audit_bytes(const json& value, Configuration& to) {
  const auto number = integer(value, 10'000, 1'000'000'000);
  if (!number) return "an integer from 10000 to 1000000000";
  set(to, &EngineOptions::audit_bytes, static_cast<std::int64_t>(*number));
  return std::nullopt;
}

constexpr std::array kKeys{
    Key{"allow", take_allow},
    Key{"approval_wait", take_int<&EngineOptions::approval_wait_s, 1, 600>},
    Key{"approve", take_approve},
    Key{"audit", take_audit},
    Key{"audit_bytes", take_audit_bytes},
    Key{"audit_files", take_int<&EngineOptions::audit_files, 0, 100>},
    Key{"display", take_display},
    Key{"exclude_apps", take_exclude},
    Key{"keep_pictures", take_int<&EngineOptions::keep_pictures, 0, 10'000>},
    Key{"languages", take_languages},
    Key{"max_elements", take_int<&EngineOptions::max_elements, 1, 100'000>},
    Key{"max_image_bytes", take_image_bytes},
    Key{"max_image_dimension", take_int<&EngineOptions::max_image_dimension, 0, 32'768>},
    Key{"profile", take_profile},
    Key{"reply", take_reply},
    Key{"timeout", take_timeout},
};

std::string unknown(const std::string& name) {
  std::vector<std::string_view> names;
  for (const Key& key : kKeys) names.push_back(key.name);
  return shown(std::string_view{name}) + ": unknown key; the nearest one is " + std::string{nearest(name, names)};
}

/// Duplicates are legal JSON, and the last one would win unseen.
struct Repeated {
  std::vector<std::set<std::string>> open;
  std::string name;

  bool operator()(int, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::object_start) open.emplace_back();
    if (event == json::parse_event_t::object_end && !open.empty()) open.pop_back();
    if (event == json::parse_event_t::key && !open.empty() && name.empty() &&
        !open.back().insert(parsed.get<std::string>()).second) {
      name = parsed.get<std::string>();
    }
    return true;
  }
};

}  // namespace

std::variant<Configuration, std::string> parse_config(std::string_view text) try {
  Repeated repeated;
  const json file = json::parse(text, std::ref(repeated));
  if (!file.is_object()) return "expected an object of settings, got " + shown(file);
  if (!repeated.name.empty()) return shown(std::string_view{repeated.name}) + ": given twice";
  Configuration configuration;
  for (const auto& [name, value] : file.items()) {
    const auto key = std::find_if(kKeys.begin(), kKeys.end(), [&n = name](const Key& k) { return k.name == n; });
    if (key == kKeys.end()) return unknown(name);
    if (const auto wanted = key->take(value, configuration))
      return name + ": expected " + *wanted + ", got " + shown(value);
  }
  return configuration;
} catch (const json::parse_error& error) {
  return "not JSON (byte " + std::to_string(error.byte) + ")";
} catch (const std::exception& error) {
  return std::string{"cannot be read: "} + error.what();
}

}  // namespace deskmark
