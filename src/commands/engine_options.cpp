#include "src/commands/command.hpp"

#include <cstdlib>

#include "src/desktop/find.hpp"

namespace deskmark {

void add_engine_options(CLI::App& command, EngineOptions& options) {
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
      .add_option("--approve", options.approve, "what may be done without asking: none, background, foreground, all")
      ->check(CLI::IsMember({"none", "background", "foreground", "all"}))
      ->envname("DESKMARK_APPROVE");
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
