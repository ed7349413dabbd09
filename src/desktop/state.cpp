#include "src/desktop/state.hpp"

#include <fstream>
#include <iterator>

namespace deskmark::desktop {

using Json = nlohmann::ordered_json;

Json to_json(const DesktopState& state) {
  Json parts = Json::array();
  for (const auto& part : state.parts) {
    Json entry{{"name", part.name}, {"program", part.program}, {"state", part.state}, {"restarts", part.restarts}};
    if (part.pid > 0) entry["pid"] = part.pid;
    if (!part.message.empty()) entry["message"] = part.message;
    parts.push_back(std::move(entry));
  }
  Json apps = Json::array();
  for (const auto& app : state.apps) {
    Json entry{{"pid", app.pid}, {"command", app.command}, {"running", app.running}, {"log", app.log}};
    if (!app.running) entry["ended"] = app.ended;
    apps.push_back(std::move(entry));
  }
  Json environment = Json::object();
  for (const auto& [name, value] : state.environment) environment[name] = value;
  return {{"display", state.display()}, {"state", state.state},     {"size", {state.size.width, state.size.height}},
          {"pid", state.supervisor},    {"started", state.started}, {"id", state.id},
          {"parts", std::move(parts)},  {"apps", std::move(apps)},  {"env", std::move(environment)}};
}

std::optional<DesktopState> parse_state(const std::string& text) try {
  const Json json = Json::parse(text);
  DesktopState state;
  state.number = std::stoi(json.at("display").get<std::string>().substr(1));
  state.state = json.at("state");
  state.size = {json.at("size").at(0), json.at("size").at(1)};
  state.supervisor = json.at("pid");
  state.started = json.at("started");
  state.id = json.at("id");
  for (const auto& entry : json.at("parts")) {
    state.parts.push_back({entry.at("name"), entry.at("program"), entry.value("pid", 0), entry.at("state"),
                           entry.at("restarts"), entry.value("message", "")});
  }
  for (const auto& entry : json.at("apps")) {
    state.apps.push_back(
        {entry.at("pid"), entry.at("command"), entry.at("running"), entry.value("ended", ""), entry.at("log")});
  }
  for (const auto& [name, value] : json.at("env").items()) state.environment.emplace_back(name, value);
  return state;
} catch (const std::exception&) {
  return std::nullopt;
}

std::optional<DesktopState> read_state(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return parse_state({std::istreambuf_iterator<char>(file), {}});
}

}  // namespace deskmark::desktop
