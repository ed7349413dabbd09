#include "src/engine/guard.hpp"

#include <glib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "src/engine/act.hpp"
#include "src/engine/describe.hpp"
#include "src/engine/replies.hpp"
#include "src/policy/blocked.hpp"
#include "src/policy/desk.hpp"
#include "src/policy/private_file.hpp"

namespace deskmark {
namespace {

std::string folded(const std::string& text) {
  const std::string valid = valid_utf8(text);
  const std::unique_ptr<char, decltype(&g_free)> fold(g_utf8_casefold(valid.c_str(), -1), &g_free);
  return fold.get();
}

std::string display_of(const EngineOptions& options) {
  if (!options.display.empty()) return options.display;
  const char* display = std::getenv("DISPLAY");
  return display ? display : "";
}

Failure held_by_human(const Lease& lease) {
  if (!lease.readable) {
    return {
        Code::HumanHasControl,
        "Who holds the desktop cannot be read, so that a person counts as holding it. A person can put it right with: "
        "deskmark handback"};
  }
  return {Code::HumanHasControl, "A person holds the desktop" +
                                     (lease.reason.empty() ? "" : " (" + valid_utf8(lease.reason) + ")") +
                                     ". Call wait_for_human; nothing else is possible until they hand it back."};
}

/// Names under which an application may be approved.
std::vector<std::string> names_of(const Snapshot& about) {
  const Window& w = about.target.window;
  std::vector<std::string> names;
  for (const std::string& name : {about.target.app, w.wm_class, w.wm_instance, w.desktop_id, w.process}) {
    if (!name.empty()) names.push_back(folded(name));
  }
  return names;
}

const char* word_of(Scope scope) {
  switch (scope) {
    case Scope::None: return "none";
    case Scope::Background: return "background";
    case Scope::Foreground: return "foreground";
    case Scope::All: return "all";
  }
  return "all";
}

nlohmann::ordered_json lease_json(const Lease& lease) {
  return {{"holder", lease.holder == Holder::Human ? "human" : "agent"}, {"epoch", lease.epoch}};
}

}  // namespace

Guard::Guard(const EngineOptions& options)
    : approve_(scope_from_word(options.approve).value_or(Scope::None)),
      approval_wait_(options.approval_wait_s),
      auditing_(options.audit),
      display_(display_of(options)),
      lease_(desk_directory(display_)),
      queue_(lease_.directory()),
      log_(state_directory().empty() ? "" : state_directory() + "/audit.jsonl", options.audit_bytes,
           options.audit_files) {
  for (const auto& [app, word] : options.approve_apps)
    approve_apps_[folded(app)] = scope_from_word(word).value_or(Scope::None);
  // Watched from the first change of hands on, if need be: without the directory nobody has taken the desktop yet.
  if (!lease_.directory().empty() && !make_private_directory(lease_.directory()))
    watch_ = std::make_unique<LeaseWatch>(lease_, [this] { hands_changed(); });
}

Guard::~Guard() = default;

Guard::Turn::Turn(Guard& guard, const std::stop_token& outer)
    : guard_(guard), start_(guard.lease_.read()), outer_(outer, [this] { source_.request_stop(); }) {
  const std::lock_guard lock(guard_.mutex_);
  guard_.turns_.insert(this);
}

Guard::Turn::~Turn() {
  const std::lock_guard lock(guard_.mutex_);
  guard_.turns_.erase(this);
}

std::optional<Failure> Guard::Turn::lost() const {
  const Lease now = guard_.lease_.read();
  if (now.holder == Holder::Human) return held_by_human(now);
  if (now.epoch != start_.epoch)
    return Failure{Code::HumanHasControl, "A person held the desktop meanwhile. Capture again."};
  return std::nullopt;
}

void Guard::hands_changed() {
  if (lease_.read().holder != Holder::Human) return;
  const std::lock_guard lock(mutex_);
  for (Turn* turn : turns_) turn->source_.request_stop();
}

Scope Guard::approved_for(const Snapshot* about) const {
  Scope scope = approve_;
  // On a picture of the whole screen anything may be meant.
  if (!about || about->target.kind == TargetKind::Screen) return scope;
  const std::lock_guard lock(mutex_);
  for (const std::string& name : names_of(*about)) {
    if (const auto own = approve_apps_.find(name); own != approve_apps_.end()) {
      scope = own->second;
      break;
    }
  }
  if (const auto granted = granted_apps_.find(folded(about->target.app)); granted != granted_apps_.end())
    scope = std::max(scope, granted->second);
  return scope;
}

std::optional<Failure> Guard::refuse(const Request& request, const Engine::Client& client, const Caller& caller,
                                     const nlohmann::json& arguments, const Turn& turn, const Progress& progress,
                                     std::string& approved) {
  const auto seen = acting_on(client, request);
  if (auto failure = client.typed.check(request, seen ? seen->target.window.id : 0)) return failure;
  if (request.keys) {
    // What cannot be sent is nobody's question.
    const auto keys = parse_keys(*request.keys);
    if (const Failure* failure = std::get_if<Failure>(&keys)) return *failure;
  }
  const Scope needed = needed_scope(request);
  if (needed == Scope::None) return std::nullopt;
  // Another application that is named is found later: only what holds for all of them is approved for it.
  const bool other_app =
      request.action == Action::FocusApp && seen && request.app && folded(*request.app) != folded(seen->target.app);
  if (needed <= approved_for(other_app ? nullptr : seen.get())) {
    approved = "configuration";
    return std::nullopt;
  }
  if (!seen && request.action != Action::FocusApp) {
    // Nobody can judge what it would do, and nothing would be done.
    approved = "refused";
    return Failure{Code::ApprovalRequired,
                   "The action " + std::string{action_word(request.action)} +
                       " needs approval, which can be given once there is a capture it acts on: "
                       "capture first."};
  }
  return ask(request, seen.get(), needed, caller, arguments, turn, progress, approved);
}

std::optional<Failure> Guard::ask(const Request& request, const Snapshot* about, Scope needed, const Caller& caller,
                                  const nlohmann::json& arguments, const Turn& turn, const Progress& progress,
                                  std::string& approved) {
  const std::string what =
      "The action " + std::string{action_word(request.action)} + " needs approval for \"" + word_of(needed) + "\"";
  const auto refused = [&](const std::string& why) {
    approved = "refused";
    return Failure{Code::ApprovalRequired, what + ", " + why};
  };
  const auto limit = std::chrono::duration_cast<std::chrono::milliseconds>(approval_wait_);
  if (caller.ask) {
    const std::string question = caller.name + " wants to " + describe(request, about, Detail::Texts) + ". Allow it?";
    switch (caller.ask(question, limit, turn.token())) {
      case Answer::Granted: approved = "asked"; return std::nullopt;
      case Answer::Denied: return refused("and the user denied it. Do not try again without asking them.");
      case Answer::NoOne: break;
    }
    if (turn.token().stop_requested()) return Failure{Code::Cancelled, "The request ended before it was approved."};
  }
  Question question;
  question.client = valid_utf8(caller.name);
  question.action = action_word(request.action);
  question.app = about ? valid_utf8(about->target.app) : "";
  question.scope = word_of(needed);
  question.words = describe(request, about, Detail::Labels);
  // The number of a mark means what it was drawn on: the words tell that, the arguments all the rest.
  question.digest =
      sha256_hex(arguments.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n" + question.words);
  const auto decided = [&](Verdict verdict) -> std::optional<std::optional<Failure>> {
    switch (verdict) {
      case Verdict::GrantedApp: {
        const std::lock_guard lock(mutex_);
        if (about && !question.app.empty() && about->target.kind == TargetKind::Window)
          granted_apps_[folded(question.app)] = std::max(granted_apps_[folded(question.app)], needed);
        approved = "granted for the application";
        return std::optional<Failure>{};
      }
      case Verdict::Granted: approved = "granted"; return std::optional<Failure>{};
      case Verdict::Denied: return refused("and a person denied it. Do not try again without asking them.");
      case Verdict::Pending:
      case Verdict::Gone: return std::nullopt;
    }
    return std::nullopt;
  };
  if (const auto before = queue_.take(question.digest)) {
    if (auto done = decided(*before)) return *done;
  }
  const auto put = queue_.put(question);
  if (put.index() == 1) {
    return refused("and there is no one to ask (" + std::get<1>(put) + "): start deskmark with --approve " +
                   word_of(needed) + ".");
  }
  const std::string id = std::get<0>(put);
  if (queue_.watched()) {
    const Verdict verdict = queue_.wait(id, limit, turn.token(), [&](double waited) {
      if (progress) progress(waited, static_cast<double>(approval_wait_.count()), "waiting for approval");
    });
    if (auto done = decided(verdict)) {
      queue_.remove(id);
      return *done;
    }
    if (turn.token().stop_requested()) {
      queue_.remove(id);
      return Failure{Code::Cancelled, "The request ended before it was approved."};
    }
  }
  return refused("which nobody gave. A person can allow this very action with: deskmark approve grant " + id +
                 " (then repeat it), or start deskmark with --approve " + word_of(needed) + ".");
}

nlohmann::ordered_json Guard::request_handoff(const Request& request) const {
  const std::string reason = request.reason.value_or("");
  if (const auto problem = lease_.change(Holder::Human, reason))
    return failure_reply("request_handoff", {Code::Internal, "The desktop cannot be handed over: " + *problem});
  std::fprintf(stderr, "deskmark: the desktop %s is handed to a person; give it back with: deskmark handback\n",
               display_.c_str());
  nlohmann::ordered_json r;
  r["ok"] = true;
  r["action"] = "request_handoff";
  r["message"] = "A person holds the desktop now. Tell them what to do and that \"deskmark handback\" (--display " +
                 display_ + ") gives it back; then call wait_for_human.";
  r["lease"] = lease_json(lease_.read());
  return r;
}

nlohmann::ordered_json Guard::wait_for_human(const Request& request, const std::stop_token& stop,
                                             const Progress& progress) const {
  const auto start = std::chrono::steady_clock::now();
  const auto limit = std::chrono::milliseconds{static_cast<std::int64_t>(request.seconds * 1000)};
  const Waited waited = wait_for_agent(lease_, limit, stop, [&](double seconds) {
    if (progress) progress(std::min(seconds, request.seconds), request.seconds, "a person has the desktop");
  });
  if (waited == Waited::Cancelled)
    return failure_reply("wait_for_human",
                         {Code::Cancelled, "The wait was cancelled; a person still holds the desktop."});
  if (waited == Waited::TimedOut) {
    return failure_reply("wait_for_human", {Code::HumanHasControl,
                                            "A person still holds the desktop. Call wait_for_human again, or stop."});
  }
  char text[96];
  std::snprintf(text, sizeof text, "The desktop is handed back (waited %.1f s). Capture before you act.",
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  nlohmann::ordered_json r;
  r["ok"] = true;
  r["action"] = "wait_for_human";
  r["message"] = text;
  r["lease"] = lease_json(lease_.read());
  return r;
}

void Guard::audit(const Entry& entry, Reply& reply) const {
  if (!auditing_) return;
  const auto word = [&](const char* key) {
    const auto found = reply.body.find(key);
    return found != reply.body.end() ? *found : nlohmann::ordered_json(nullptr);
  };
  nlohmann::ordered_json line;
  line["time"] = utc_now();
  line["client"] = entry.caller && !entry.caller->name.empty() ? valid_utf8(entry.caller->name) : "deskmark";
  line["pid"] = static_cast<int>(::getpid());
  line["display"] = display_;
  line["action"] = word("action");
  // A capture names what it pictured, an action the capture it speaks of.
  if (reply.body.contains("app") && reply.body.contains("window_id")) {
    line["target"] = {{"app", word("app")}, {"window_id", word("window_id")}, {"pid", word("pid")}};
  } else if (entry.about) {
    line["target"] = {{"app", valid_utf8(entry.about->target.app)}, {"window_id", entry.about->target.window.id}};
  }
  if (entry.request) {
    if (!kReadingActions.has(entry.request->action))
      line["plan"] = describe(*entry.request, entry.about.get(), Detail::Lengths);
    line["request"] = audited(*entry.request);
  }
  if (!entry.approved.empty()) line["approval"] = entry.approved;
  line["ok"] = word("ok");
  for (const char* key : {"code", "effect", "route"}) {
    if (reply.body.contains(key)) line[key] = reply.body[key];
  }
  if (const auto warnings = reply.body.find("warnings"); warnings != reply.body.end() && warnings->is_array()) {
    for (const auto& w : *warnings) line["warnings"].push_back(w.value("code", ""));
  }
  line["epoch"] = lease_.read().epoch;
  line["ms"] =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - entry.start).count();
  line["result_sha256"] = sha256_hex(reply.body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  if (!reply.picture.empty()) {
    const auto& pictured = reply.body.contains("capture") ? reply.body["capture"] : reply.body;
    const auto receipt = pictured.find("receipt");
    line["picture"] = {{"mime", reply.picture_mime},
                       {"bytes", reply.picture.size()},
                       {"sha256", receipt != pictured.end() ? receipt->value("sha256", "") : ""}};
  }
  if (const auto problem = log_.append(line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace))) {
    auto& warnings = reply.body["warnings"];
    if (!warnings.is_array()) warnings = nlohmann::ordered_json::array();
    warnings.push_back({{"code", "audit_failed"},
                        {"message", "What was done could not be written to the audit: " + valid_utf8(*problem)}});
  }
}

}  // namespace deskmark
