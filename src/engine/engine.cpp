#include "src/engine.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <utility>

#include "perception/atspi/source.hpp"
#include "perception/ocr/tesseract.hpp"
#include "perception/x11/screen.hpp"
#include "src/engine/act.hpp"
#include "src/engine/capture.hpp"
#include "src/engine/client.hpp"
#include "src/engine/observe.hpp"
#include "src/engine/replies.hpp"
#include "src/policy/approval.hpp"
#include "src/policy/blocked.hpp"

namespace deskmark {
namespace {

using std::chrono::milliseconds;

/// Reading the list of applications may cost at most this: names are a nicety, windows are not.
constexpr milliseconds kAppsBudget{1000};

OrderedJson done_reply(const std::string& action, const std::string& message) {
  OrderedJson r;
  r["ok"] = true;
  r["action"] = action;
  r["message"] = message;
  return r;
}

void add_request_warnings(OrderedJson& body, const Request& request) {
  if (request.warnings.empty()) return;
  OrderedJson& warnings = body["warnings"];
  if (!warnings.is_array()) warnings = OrderedJson::array();
  for (const std::string& w : request.warnings)
    warnings.push_back({{"code", "ignored_property"}, {"message", valid_utf8(w)}});
}

std::string action_of(const nlohmann::json& arguments) {
  if (arguments.is_object()) {
    const auto it = arguments.find("action");
    if (it != arguments.end() && it->is_string()) return valid_utf8(it->get<std::string>().substr(0, 64));
  }
  return "unknown";
}

/// What is refused before anything is looked at: blocked input first, then missing approval (contract, Rules that are
/// always on).
std::optional<Failure> refused_by_policy(const Request& request, Scope approved) {
  if (request.action == Action::Key && request.keys) {
    const auto combo = parse_keys(*request.keys);
    if (const Failure* failure = std::get_if<Failure>(&combo)) return *failure;
    if (auto failure = blocked_combo(std::get<KeyCombo>(combo))) return failure;
  }
  for (const auto* text : {&request.text, &request.value}) {
    if (!*text) continue;
    if (auto failure = blocked_text(**text)) return failure;
  }
  return check_approval(request, approved);
}

}  // namespace

struct Engine::Impl {
  explicit Impl(EngineOptions o)
      : options(std::move(o)),
        bus(open_atspi_bus()),
        accessibles(open_atspi(bus)),
        objects(open_atspi_sink(bus)),
        ocr(make_tesseract_source({options.languages, {}, 0, 4000})) {}

  EngineOptions options;
  std::mutex opening;
  std::unique_ptr<ScreenSource> screen;
  std::shared_ptr<atspi::BusThread> bus;
  std::unique_ptr<AccessibleSource> accessibles;
  std::unique_ptr<AccessibleSink> objects;
  std::unique_ptr<TextSource> ocr;  ///< loads its languages on the first text to read

  /// Opens the display on first use and again after it was lost.
  std::optional<Failure> need_screen() {
    const std::lock_guard lock(opening);
    if (screen) return std::nullopt;
    auto opened = open_x11(options.display);
    if (!opened) return failure_of(opened.error);
    screen = std::move(*opened.value);
    return std::nullopt;
  }

  [[nodiscard]] Sources sources() const { return {screen.get(), accessibles.get(), ocr.get()}; }

  std::vector<AccessibleApp> applications(const Deadline& deadline) {
    if (!accessibles) return {};
    auto read = accessibles->applications(deadline.at_most(kAppsBudget));
    return read ? std::move(*read.value) : std::vector<AccessibleApp>{};
  }

  Reply run_capture(Client& client, const Request& request, const Deadline& deadline);
  Reply run_lists(const Request& request, const Deadline& deadline);
  Reply run_action(Client& client, const Request& request, const Deadline& deadline);
  Reply run_wait(const Request& request, const std::stop_token& stop, const Progress& progress);
  Reply run(Client& client, const Request& request, const std::stop_token& stop, const Progress& progress);
};

Reply Engine::Impl::run_capture(Client& client, const Request& request, const Deadline& deadline) {
  const auto fail = [&](const Failure& failure) {
    client.disarm();
    Reply reply;
    reply.body = failure_reply("capture", failure);
    return reply;
  };
  if (auto failure = need_screen()) return fail(*failure);
  auto list = screen->windows(deadline);
  if (!list) return fail(failure_of(list.error));

  const TargetQuery query{request.app, request.pid, request.window_id};
  // Accessible names are needed only to find an application by name.
  const std::vector<AccessibleApp> apps = request.app ? applications(deadline) : std::vector<AccessibleApp>{};
  auto chosen = choose_target(query, *list.value, apps);
  if (const auto* failure = std::get_if<TargetFailure>(&chosen)) {
    Reply reply = fail(failure->failure);
    if (!failure->candidates.empty()) {
      OrderedJson candidates = OrderedJson::array();
      for (const std::string& c : failure->candidates) candidates.push_back(valid_utf8(c));
      reply.body["candidates"] = std::move(candidates);
    }
    return reply;
  }
  CaptureSettings settings;
  settings.max_image_dimension = options.max_image_dimension;
  settings.max_image_bytes = options.max_image_bytes;
  settings.max_elements = options.max_elements;
  settings.label_boxes = options.label_boxes;
  return capture(sources(), std::get<Target>(chosen), *list.value, request.mode.value_or(Mode::Som), settings, client,
                 deadline);
}

Reply Engine::Impl::run_lists(const Request& request, const Deadline& deadline) {
  Reply reply;
  const std::string action{action_word(request.action)};
  if (auto failure = need_screen()) {
    reply.body = failure_reply(action, *failure);
    return reply;
  }
  auto list = screen->windows(deadline);
  if (!list) {
    reply.body = failure_reply(action, failure_of(list.error));
    return reply;
  }
  const std::vector<AccessibleApp> apps = applications(deadline);
  reply.body = request.action == Action::ListApps ? apps_reply(*list.value, apps) : windows_reply(*list.value, apps);
  return reply;
}

Reply Engine::Impl::run_wait(const Request& request, const std::stop_token& stop, const Progress& progress) {
  Reply reply;
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  const auto start = std::chrono::steady_clock::now();
  const auto end = start + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                               std::chrono::duration<double>(request.seconds));
  while (std::chrono::steady_clock::now() < end && !stop.stop_requested()) {
    const auto until = std::min(end, std::chrono::steady_clock::now() + std::chrono::seconds{1});
    wake.wait_until(lock, stop, until, [] { return false; });
    const double done = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    // Not at the very end: the answer itself says that, and a client may have forgotten the token by then.
    if (progress && std::chrono::steady_clock::now() + std::chrono::milliseconds{50} < end)
      progress(std::min(done, request.seconds), request.seconds, "waiting");
  }
  if (stop.stop_requested()) {
    reply.body = failure_reply("wait", {Code::Cancelled, "The wait was cancelled."});
    return reply;
  }
  char text[64];
  std::snprintf(text, sizeof text, "Waited %g s.", request.seconds);
  reply.body = done_reply("wait", text);
  return reply;
}

Reply Engine::Impl::run_action(Client& client, const Request& request, const Deadline& deadline) {
  Reply reply;
  if (auto failure = need_screen()) {
    reply.body = failure_reply(std::string{action_word(request.action)}, *failure);
    return reply;
  }
  const auto acted_on = client.newest();
  reply.body = action_reply(request, act(sources(), {objects.get(), nullptr}, request, client, deadline));
  if (!request.capture_after) return reply;
  // After refusals too: the client sees what is there now.
  Request again;
  again.mode = request.mode ? request.mode : acted_on ? std::optional<Mode>{acted_on->mode} : std::nullopt;
  if (acted_on && acted_on->target.kind == TargetKind::Screen)
    again.app = "screen";
  else if (acted_on)
    again.window_id = acted_on->target.window.id;
  Reply after = run_capture(client, again, deadline);
  reply.body["capture"] = std::move(after.body);
  reply.picture_mime = std::move(after.picture_mime);
  reply.picture = std::move(after.picture);
  return reply;
}

Reply Engine::Impl::run(Client& client, const Request& request, const std::stop_token& stop, const Progress& progress) {
  const Deadline deadline = Deadline::in(milliseconds{options.timeout_ms}, stop);
  if (auto failure = refused_by_policy(request, scope_from_word(options.approve).value_or(Scope::None))) {
    Reply reply;
    reply.body = failure_reply(std::string{action_word(request.action)}, *failure);
    return reply;
  }
  switch (request.action) {
    case Action::Capture: return run_capture(client, request, deadline);
    case Action::ListApps:
    case Action::ListWindows: return run_lists(request, deadline);
    case Action::Wait: return run_wait(request, stop, progress);
    case Action::Click:
    case Action::DoubleClick:
    case Action::RightClick:
    case Action::MiddleClick:
    case Action::Drag:
    case Action::Scroll:
    case Action::Type:
    case Action::Key:
    case Action::SetValue: return run_action(client, request, deadline);
    default: {
      Reply reply;
      const std::string action{action_word(request.action)};
      reply.body =
          failure_reply(action, {Code::NotImplemented, "The action " + action + " is not built in this version."});
      return reply;
    }
  }
}

Engine::Engine(EngineOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Engine::~Engine() = default;

std::shared_ptr<Engine::Client> Engine::new_client() { return std::make_shared<Client>(); }

Reply Engine::call(Client& client, const nlohmann::json& arguments, std::stop_token stop, const Progress& progress) {
  const std::lock_guard lock(client.busy);
  Reply reply;
  try {
    const auto parsed = parse_request(arguments);
    if (const Failure* failure = std::get_if<Failure>(&parsed)) {
      reply.body = failure_reply(action_of(arguments), *failure);
      return reply;
    }
    const Request& request = std::get<Request>(parsed);
    reply = impl_->run(client, request, stop, progress);
    add_request_warnings(reply.body, request);
  } catch (const std::exception& fault) {
    client.disarm();
    reply = {};
    reply.body =
        failure_reply(action_of(arguments), {Code::Internal, std::string{"Unexpected fault: "} + fault.what()});
  }
  return reply;
}

}  // namespace deskmark
