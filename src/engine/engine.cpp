#include "src/engine.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <thread>
#include <utility>

#include "input/x11/open.hpp"
#include "perception/atspi/source.hpp"
#include "perception/ocr/tesseract.hpp"
#include "perception/x11/screen.hpp"
#include "src/engine/act.hpp"
#include "src/engine/capture.hpp"
#include "src/engine/client.hpp"
#include "src/engine/guard.hpp"
#include "src/engine/keep.hpp"
#include "src/engine/observe.hpp"
#include "src/engine/receipt.hpp"
#include "src/engine/replies.hpp"
#include "src/policy/exclude.hpp"
#include "src/policy/profile.hpp"

namespace deskmark {
namespace {

using std::chrono::milliseconds;

/// Reading the list of applications may cost at most this: names are a nicety, windows are not.
constexpr milliseconds kAppsBudget{1000};
constexpr milliseconds kPerByte{15};

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

/// Something reached the desktop, for all that is known.
bool was_sent(const Reply& reply) {
  const std::string effect = reply.body.value("effect", "");
  return !effect.empty() && effect != "refused";
}

}  // namespace

struct Engine::Impl {
  explicit Impl(EngineOptions o)
      : options(std::move(o)),
        guard(options),
        pictures(guard.desk().empty() ? "" : guard.desk() + "/pictures", options.keep_pictures),
        excluded(std::make_shared<Exclusions>(options.exclude_apps)),
        bus(open_atspi_bus()),
        accessibles(without(excluded, open_atspi(bus))),
        objects(open_atspi_sink(bus)),
        ocr(make_tesseract_source({options.languages, {}, 0, 4000})) {}

  EngineOptions options;
  Guard guard;
  PictureStore pictures;
  std::shared_ptr<Exclusions> excluded;
  std::mutex opening;
  std::unique_ptr<ScreenSource> screen;
  std::shared_ptr<atspi::BusThread> bus;
  std::unique_ptr<AccessibleSource> accessibles;
  std::unique_ptr<AccessibleSink> objects;
  std::unique_ptr<InputSink> input;  ///< opened with the first action
  std::unique_ptr<TextSource> ocr;   ///< loads its languages on the first text to read

  /// Opens the display on first use and again after it was lost.
  std::optional<Failure> need_screen() {
    const std::lock_guard lock(opening);
    if (screen) return std::nullopt;
    auto opened = open_x11(options.display);
    if (!opened) return failure_of(opened.error);
    screen = without(excluded, std::move(*opened.value));
    return std::nullopt;
  }

  [[nodiscard]] Sources sources() const { return {screen.get(), accessibles.get(), ocr.get()}; }

  /// Opens pointer and keyboard with the first action; without them actions go through the accessible tree alone.
  void need_input() {
    const std::lock_guard lock(opening);
    if (input) return;
    auto opened = open_x11_input(options.display);
    if (opened) input = std::move(*opened.value);
  }

  [[nodiscard]] Sinks sinks() const {
    Sinks sinks{objects.get(), input.get(), {}};
    sinks.pacing.human_like = options.human_like;
    sinks.pacing.key_delay = milliseconds{options.key_delay_ms};
    if (options.motion_steps > 0) sinks.pacing.motion_steps = options.motion_steps;
    return sinks;
  }

  std::vector<AccessibleApp> applications(const Deadline& deadline) {
    if (!accessibles) return {};
    auto read = accessibles->applications(deadline.at_most(kAppsBudget));
    return read ? std::move(*read.value) : std::vector<AccessibleApp>{};
  }

  Reply run_capture(Client& client, const Request& request, const Deadline& deadline);
  Reply run_lists(const Request& request, const Deadline& deadline);
  Reply run_action(Client& client, const Request& request, const Deadline& deadline);
  Reply run_wait(const Request& request, const std::stop_token& stop, const Progress& progress);
  Reply run_focus(Client& client, const Request& request, const Deadline& deadline);
  Outcome raise(const Target& target, const WindowList& before, const Deadline& deadline);
  std::optional<Failure> wrong_app(const Snapshot& acted_on, const std::string& app, const Deadline& deadline);
  void add_capture(Reply& reply, Client& client, const Request& request,
                   const std::shared_ptr<const Snapshot>& acted_on, const Deadline& deadline);
  Reply run(Client& client, const Request& request, const std::stop_token& stop, const Progress& progress);
  /// Everything between the arguments and run(): profile, lease, policy. `entry` gets what the audit needs.
  Reply guarded(Client& client, const nlohmann::json& arguments, const std::stop_token& stop, const Progress& progress,
                Guard::Entry& entry);
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
  if (!options.dry_run) need_input();
  const auto acted_on = acting_on(client, request);
  std::optional<Failure> refusal;
  if (request.app && acted_on) refusal = wrong_app(*acted_on, *request.app, deadline);
  if (refusal)
    reply.body = failure_reply(std::string{action_word(request.action)}, *refusal);
  else
    reply.body = action_reply(request, act(sources(), sinks(), request, options.dry_run, client, deadline));
  if (request.capture_after) add_capture(reply, client, request, acted_on, deadline);
  return reply;
}

/// After refusals too: the client sees what is there now.
void Engine::Impl::add_capture(Reply& reply, Client& client, const Request& request,
                               const std::shared_ptr<const Snapshot>& acted_on, const Deadline& deadline) {
  Request again;
  again.action = Action::Capture;
  again.mode = request.mode ? request.mode : acted_on ? std::optional<Mode>{acted_on->mode} : std::nullopt;
  if (acted_on && acted_on->target.kind == TargetKind::Screen)
    again.app = "screen";
  else if (acted_on)
    again.window_id = acted_on->target.window.id;
  Reply after = run_capture(client, again, deadline);
  reply.body["capture"] = std::move(after.body);
  reply.picture_mime = std::move(after.picture_mime);
  reply.picture = std::move(after.picture);
}

std::optional<Failure> Engine::Impl::wrong_app(const Snapshot& acted_on, const std::string& app,
                                               const Deadline& deadline) {
  const auto mismatch = [&](const std::string& is) {
    return Failure{Code::InputTargetMismatch, "app: the action goes to " + is + ", not to \"" + app +
                                                  "\": capture that one first, or use focus_app."};
  };
  if (acted_on.target.kind == TargetKind::Screen)
    return app == "screen" ? std::nullopt : std::optional{mismatch("a pixel of the screen")};
  if (is_app(acted_on.target.window, applications(deadline), app)) return std::nullopt;
  return mismatch(acted_on.target.app);
}

Reply Engine::Impl::run_focus(Client& client, const Request& request, const Deadline& deadline) {
  Reply reply;
  const std::string action{action_word(request.action)};
  const auto fail = [&](const Failure& failure) {
    reply.body = failure_reply(action, failure);
    return reply;
  };
  if (auto failure = need_screen()) return fail(*failure);
  need_input();
  auto list = screen->windows(deadline);
  if (!list) return fail(failure_of(list.error));
  auto chosen = choose_target({request.app, std::nullopt, std::nullopt}, *list.value, applications(deadline));
  if (const auto* failure = std::get_if<TargetFailure>(&chosen)) {
    fail(failure->failure);
    for (const std::string& c : failure->candidates) reply.body["candidates"].push_back(valid_utf8(c));
    return reply;
  }
  const Target& target = std::get<Target>(chosen);
  if (target.kind == TargetKind::Screen)
    return fail({Code::InvalidRequest, "app: expected an application; the screen takes no input of its own."});
  Outcome outcome;
  outcome.effect = "confirmed";
  outcome.message = "Input goes to " + target.app + " (\"" + target.window.title + "\") from now on.";
  outcome.evidence.push_back({"target", std::nullopt, target.window.title});
  if (request.raise_window && options.dry_run) {
    outcome.effect = "planned";
    outcome.message = "Nothing was sent. The window would be raised.";
  } else if (request.raise_window) {
    outcome = raise(target, *list.value, deadline);
  }
  if (outcome.effect != "refused" && !options.dry_run) client.focus(target);
  reply.body = action_reply(request, outcome);
  return reply;
}

Outcome Engine::Impl::raise(const Target& target, const WindowList& before, const Deadline& deadline) {
  Outcome outcome;
  const auto active = [](const WindowList& list) {
    const auto it = std::find_if(list.windows.begin(), list.windows.end(), [](const Window& w) { return w.focused; });
    return it == list.windows.end() ? 0U : it->id;
  };
  const Delivered done =
      input ? input->activate(target.window, true, deadline)
            : nothing_sent("background_unavailable", "Windows cannot be raised here: the display takes no input.");
  if (done.sent == Sent::Nothing) {
    outcome.effect = "refused";
    outcome.code = code_from_word(done.code).value_or(Code::BackgroundUnavailable);
    outcome.message = done.message;
    return outcome;
  }
  outcome.route = "foreground_input";
  const Deadline until = deadline.at_most(milliseconds{1500});
  do {
    auto list = screen->windows(deadline);
    if (list && active(*list.value) == target.window.id) {
      outcome.effect = "confirmed";
      outcome.message = "The window has the focus; input goes to it from now on.";
      outcome.evidence.push_back({"focused", active(before) == target.window.id ? "yes" : "no", "yes"});
      return outcome;
    }
    std::this_thread::sleep_for(milliseconds{20});
  } while (!until.passed());
  outcome.effect = "suspected_noop";
  outcome.message = "The window manager was asked to raise the window, but it did not become the active one.";
  outcome.recommended = "foreground";
  return outcome;
}

Reply Engine::Impl::run(Client& client, const Request& request, const std::stop_token& stop, const Progress& progress) {
  // Keys take time: typing gets more with the length of the text.
  const auto typing = request.action == Action::Type && request.text
                          ? kPerByte * static_cast<int>(std::min<std::size_t>(request.text->size(), 40'000))
                          : milliseconds{0};
  const Deadline deadline = Deadline::in(milliseconds{options.timeout_ms} + typing, stop);
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
    case Action::FocusApp: {
      Reply reply = run_focus(client, request, deadline);
      if (request.capture_after) add_capture(reply, client, request, client.focused(), deadline);
      return reply;
    }
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

std::string Engine::remembered(const Client& client) { return client_to_text(client); }
bool Engine::recall(Client& client, const std::string& text) { return client_from_text(client, text); }

std::shared_ptr<Engine::Client> Engine::new_client() { return std::make_shared<Client>(); }

Reply Engine::Impl::guarded(Client& client, const nlohmann::json& arguments, const std::stop_token& stop,
                            const Progress& progress, Guard::Entry& entry) {
  Reply reply;
  const auto refused = [&](const Failure& failure) {
    reply = {};
    reply.body = failure_reply(action_of(arguments), failure);
    return reply;
  };
  if (const auto denied = denied_by_profile(arguments, allowed_actions(options))) return refused(*denied);
  // A look at what is there now, also after a refusal; not while a person holds the desktop.
  const auto look = [&](const Request& asked, const std::shared_ptr<const Snapshot>& about, const Guard::Turn& turn) {
    if (turn.lost()) return;
    add_capture(reply, client, asked, about, Deadline::in(milliseconds{options.timeout_ms}, turn.token()));
  };
  auto parsed = parse_request(arguments);
  if (const Failure* failure = std::get_if<Failure>(&parsed)) {
    refused(*failure);
    const auto wanted = arguments.find("capture_after");
    if (failure->code != Code::InvalidRequest && wanted != arguments.end() && *wanted == true)
      look({}, client.newest(), Guard::Turn{guard, stop});
    return reply;
  }
  entry.request = std::move(std::get<Request>(parsed));
  const Request& request = *entry.request;
  entry.about = acting_on(client, request);
  if (request.action == Action::WaitForHuman) {
    reply.body = guard.wait_for_human(request, stop, progress);
    if (request.capture_after && reply.body.value("ok", false)) {
      const Guard::Turn turn(guard, stop);
      client.lease_epoch = turn.epoch();
      Request again;
      again.mode = request.mode;
      Reply after = run_capture(client, again, Deadline::in(milliseconds{options.timeout_ms}, turn.token()));
      if (turn.lost()) return refused(*turn.lost());
      reply.body["capture"] = std::move(after.body);
      reply.picture_mime = std::move(after.picture_mime);
      reply.picture = std::move(after.picture);
    }
    return reply;
  }
  const Guard::Turn turn(guard, stop);
  if (const auto held = turn.lost()) return refused(*held);
  if (client.lease_epoch != turn.epoch()) {
    client.disarm();
    client.lease_epoch = turn.epoch();
    entry.about = acting_on(client, request);
  }
  const bool waits = request.action == Action::RequestHandoff;
  if (auto failure = guard.refuse(request, client, *entry.caller, arguments, turn, progress, entry.approved)) {
    const auto lost = turn.lost();
    refused(lost ? *lost : *failure);
    if (request.capture_after) look(request, entry.about, turn);
    return reply;
  }
  if (const auto lost = turn.lost()) return refused(*lost);  // while it waited for approval
  if (waits) {
    reply.body = guard.request_handoff(request);
    return reply;
  }
  reply = run(client, request, turn.token(), progress);
  const bool sent = was_sent(reply);
  if (sent && entry.about) client.typed.sent(request, entry.about->target.window.id);
  if (const auto lost = turn.lost()) {
    client.disarm();
    const bool acted = sent || reply.body.value("code", "") == "outcome_unknown";
    refused(
        {lost->code, lost->message + (acted ? " The result of this action was discarded; it was sent, at least in part."
                                            : " What was read meanwhile was discarded.")});
    if (acted) reply.body["effect"] = "unverifiable";
    return reply;
  }
  return reply;
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): a stop token is a handle, and crosses threads by value
Reply Engine::call(Client& client, const nlohmann::json& arguments, std::stop_token stop, const Progress& progress,
                   const Caller& caller) {
  const std::lock_guard lock(client.busy);
  Reply reply;
  Guard::Entry entry;
  entry.caller = &caller;
  try {
    reply = impl_->guarded(client, arguments, stop, progress, entry);
    if (entry.request) add_request_warnings(reply.body, *entry.request);
    impl_->pictures.keep(reply, reply.body.contains("capture") ? reply.body["capture"] : reply.body);
  } catch (const std::exception& fault) {
    client.disarm();
    reply = {};
    reply.body =
        failure_reply(action_of(arguments), {Code::Internal, std::string{"Unexpected fault: "} + fault.what()});
  }
  try {
    impl_->guard.audit(entry, reply);
  } catch (const std::exception& fault) {
    reply.body["warnings"].push_back({{"code", "audit_failed"}, {"message", fault.what()}});
  }
  return reply;
}

}  // namespace deskmark
