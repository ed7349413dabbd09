#include "src/commands/command.hpp"

#include <cstdlib>
#include <utility>

#include "src/desktop/find.hpp"
#include "src/policy/approval.hpp"
#include "src/policy/profile.hpp"

namespace deskmark {
namespace {

/// `--approve` replaces what the configuration approves.
void take_approvals(EngineOptions& options, const std::vector<std::string>& words) {
  options.approve = "none";
  options.approve_apps.clear();
  bool general = false;
  for (const std::string& word : words) {
    const std::size_t split = word.rfind('=');
    const std::string scope = split == std::string::npos ? word : word.substr(split + 1);
    if (!scope_from_word(scope) || split == 0)
      throw CLI::ValidationError("--approve", "expected none, background, foreground, all or APP=SCOPE, got " + word);
    if (split != std::string::npos) {
      options.approve_apps.emplace_back(word.substr(0, split), scope);
    } else if (std::exchange(general, true)) {
      throw CLI::ValidationError("--approve", "given twice without an application");
    } else {
      options.approve = scope;
    }
  }
}

}  // namespace

const std::variant<Configuration, std::string>& configured() {
  static const auto read = read_config(config_path());
  return read;
}

void add_engine_options(CLI::App& command, EngineOptions& options) {
  // Flags win over the file. A file that cannot be understood stops commands that would follow it, and only those.
  if (const auto* configuration = std::get_if<Configuration>(&configured())) {
    for (const auto& apply : configuration->settings) apply(options);
  } else {
    command.preparse_callback(
        [](std::size_t) { throw CLI::ValidationError("configuration", std::get<std::string>(configured())); });
  }
  command.add_option("--display", options.display,
                     "X display to use (default: $DISPLAY, else a desktop of ours that runs)");
  command
      .add_option("--max-image-dimension", options.max_image_dimension,
                  "longer side of a delivered picture in pixels; 0: no limit")
      ->check(CLI::Range(0, 32768));
  command.add_option("--max-image-bytes", options.max_image_bytes, "larger PNG pictures become JPEG; 0: no limit");
  command.add_option("--max-elements", options.max_elements, "marks at most in one capture")
      ->check(CLI::Range(1, 100000));
  command
      .add_option_function<double>(
          "--timeout", [&options](double seconds) { options.timeout_ms = static_cast<int>(seconds * 1000); },
          "deadline of one request in seconds (1..120, default 30)")
      ->check(CLI::Range(1.0, 120.0));
  command.add_option("--lang", options.languages,
                     "languages of text read from pixels, Tesseract names joined by '+' (eng+deu)");
  command
      .add_option_function<std::vector<std::string>>(
          "--approve", [&options](const std::vector<std::string>& words) { take_approvals(options, words); },
          "what may be done without asking: none, background, foreground, all; APP=SCOPE for one application")
      ->allow_extra_args(false)
      ->envname("DESKMARK_APPROVE");
  command.add_option_function<std::string>(
      "--profile",
      [&options](const std::string& name) {
        const auto actions = profile_actions(name);
        if (!actions) throw CLI::ValidationError("--profile", "expected one of " + std::string{kProfileNames});
        options.profile = *actions;
      },
      "actions there are at all: " + std::string{kProfileNames});
  command
      .add_option_function<std::vector<std::string>>(
          "--allow",
          [&options](const std::vector<std::string>& words) {
            const auto actions = allow_list(words);
            if (const auto* problem = std::get_if<std::string>(&actions))
              throw CLI::ValidationError("--allow", *problem);
            options.allow = std::get<ActionSet>(actions);
          },
          "of these only the ones listed: click,type,…")
      ->allow_extra_args(false)
      ->delimiter(',');
  command
      .add_option_function<std::vector<std::string>>(
          "--exclude-app",
          [&options](const std::vector<std::string>& names) {
            options.exclude_apps.insert(options.exclude_apps.end(), names.begin(), names.end());
          },
          "application that is neither listed, captured nor touched (besides those of the configuration); repeatable")
      ->allow_extra_args(false);
  command
      .add_option("--approval-wait", options.approval_wait_s,
                  "seconds an action waits for a person who answers approvals (default 120)")
      ->check(CLI::Range(1, 600));
  command
      .add_option("--keep-pictures", options.keep_pictures,
                  "leave delivered pictures as private files, at most this many (screenshot_path; default 0)")
      ->check(CLI::Range(0, 10'000));
  command.parse_complete_callback([&options] {
    if (allowed_actions(options).empty()) throw CLI::ValidationError("--allow", "the profile allows none of these");
  });
  command.add_flag("--human-motion", options.human_like, "the pointer moves on an eased path with a little jitter");
  command.add_option("--motion-steps", options.motion_steps, "steps of a pointer path; 0: the default")
      ->check(CLI::Range(0, 200));
  command.add_option("--key-delay", options.key_delay_ms, "milliseconds between typed keys")
      ->check(CLI::Range(0, 1000));
}

void find_display(EngineOptions& options) {
  if (!options.display.empty()) {
    // A display that was named is the one that is meant, also when it does not answer. Of an own desktop the buses are
    // known, too.
    setenv("DISPLAY", options.display.c_str(), 1);
    if (const auto own = desktop::find_desktop(options.display)) {
      for (const auto& [name, value] : own->environment) setenv(name.c_str(), value.c_str(), 1);
    }
    return;
  }
  const auto choice = desktop::use_display();
  // Nothing answers: the engine tries the named display again with each request and says what it tried.
  if (choice.from != desktop::DisplayChoice::From::None) options.display = choice.display;
}

int exit_code(const nlohmann::ordered_json& reply) {
  if (reply.value("ok", false)) return kOk;
  const std::string code = reply.value("code", "");
  if (code == "display_unavailable" || code == "accessibility_unavailable" || code == "wayland_session")
    return kNoDisplay;
  if (code == "policy_denied" || code == "approval_required" || code == "human_has_control" ||
      code == "blocked_key_combo" || code == "blocked_text") {
    return kDenied;
  }
  return kNotOk;
}

}  // namespace deskmark
