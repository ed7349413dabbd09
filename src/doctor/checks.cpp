#include "src/doctor/checks.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "input/x11/open.hpp"
#include "perception/atspi/source.hpp"
#include "perception/ocr/languages.hpp"
#include "perception/x11/screen.hpp"
#include "src/desktop/parts.hpp"
#include "src/policy/audit.hpp"
#include "src/policy/config.hpp"
#include "src/policy/desk.hpp"
#include "src/policy/lease.hpp"
#include "src/policy/private_file.hpp"

namespace deskmark::doctor {
namespace {

using std::chrono::milliseconds;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

Check configuration() {
  Check check{"configuration", Status::Ok, "", "", {}};
  const std::string path = config_path();
  const auto read = read_config(path);
  if (const auto* problem = std::get_if<std::string>(&read)) {
    check.status = Status::Missing;
    check.detail = *problem;
    check.remedy = "Correct the file; until then deskmark does not start.";
  } else {
    check.detail = std::get<Configuration>(read).settings.empty() ? "none (" + path + ")" : path;
  }
  return check;
}

/// The display, its pixels and its windows.
void display(Report& report, const EngineOptions& options) {
  Check check{"display", Status::Ok, "", "", {}};
  auto opened = open_x11(options.display);
  if (!opened) {
    check.status = Status::Missing;
    check.detail = opened.error.message;
    check.remedy =
        opened.error.code == "wayland_session"
            ? "Log in to an X11 session, or use a headless desktop: eval \"$(deskmark desktop start)\""
            : "Set DISPLAY (and XAUTHORITY), or start a headless desktop: eval \"$(deskmark desktop start)\"";
    report.checks.push_back(std::move(check));
    return;
  }
  ScreenSource& screen = **opened.value;
  const Deadline deadline = Deadline::in(milliseconds{4000}, {});
  const auto list = screen.windows(deadline);
  if (!list) {
    check.status = Status::Missing;
    check.detail = list.error.message;
    report.checks.push_back(std::move(check));
    return;
  }
  check.detail = report.display + ", " + std::to_string(list.value->screen.w) + "x" +
                 std::to_string(list.value->screen.h) + ", " + std::to_string(list.value->outputs.size()) +
                 " output(s), " + std::to_string(list.value->windows.size()) + " window(s)";
  report.checks.push_back(std::move(check));

  Check pixels{"pixels", Status::Ok, "the screen can be grabbed", "", {}};
  const auto grab = screen.grab_screen(list.value->screen, deadline);
  if (!grab) {
    pixels.status = Status::Missing;
    pixels.detail = grab.error.message;
    pixels.remedy = "The X server must have the extensions MIT-SHM and Composite.";
  }
  report.checks.push_back(std::move(pixels));

  Check manager{"window_manager", Status::Ok, "an EWMH window manager runs", "", {}};
  if (!list.value->window_manager) {
    manager = {"window_manager",
               Status::Degraded,
               "none runs: there is no active window, and nothing can be raised",
               "Start a window manager in the session.",
               {{"openbox", "openbox", "openbox"}}};
  }
  report.checks.push_back(std::move(manager));
}

Check accessibility() {
  Check check{"accessibility", Status::Ok, "", "", {}};
  const auto source = open_atspi();
  const auto apps = source->applications(Deadline::in(milliseconds{3000}, {}));
  if (!apps) {
    check.status = Status::Missing;
    check.detail = apps.error.message.empty() ? "the accessibility bus cannot be reached" : apps.error.message;
    check.remedy = "Install at-spi2-core, and start deskmark in the session (DBUS_SESSION_BUS_ADDRESS must be set).";
    check.packages = {{"at-spi2-core", "at-spi2-core", "at-spi2-core"}};
    return check;
  }
  std::size_t windows = 0;
  for (const AccessibleApp& app : *apps.value) windows += app.windows > 0 ? 1 : 0;
  check.detail =
      std::to_string(apps.value->size()) + " application(s) on the bus, " + std::to_string(windows) + " with windows";
  if (apps.value->empty()) {
    check.status = Status::Degraded;
    check.remedy =
        "If programs run here, switch accessibility on and start them again: gsettings set "
        "org.gnome.desktop.interface toolkit-accessibility true; for Qt: QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1; for "
        "Chromium and Electron: --force-renderer-accessibility";
  }
  return check;
}

Check text(const EngineOptions& options) {
  Check check{"text", Status::Ok, "", "", {}};
  const ocr::Languages languages = ocr::find_languages(options.languages, "");
  if (languages.tessdata.empty() || languages.usable.empty()) {
    check.status = Status::Missing;
    check.detail = "no data for reading text from pixels (" + options.languages + ")";
    check.remedy = "Windows without accessibility have no text until it is installed.";
    check.packages = {
        {"tesseract-ocr tesseract-ocr-eng", "tesseract tesseract-langpack-eng", "tesseract tesseract-data-eng"}};
  } else if (!languages.missing.empty()) {
    check.status = Status::Degraded;
    check.detail = "languages without data:";
    for (const std::string& name : languages.missing) {
      check.detail += " " + name;
      check.packages.push_back({ocr::language_package(name), "tesseract-langpack-" + name, "tesseract-data-" + name});
    }
  } else {
    check.detail = "Tesseract data in " + languages.tessdata;
  }
  return check;
}

Check input(const EngineOptions& options) {
  Check check{"input", Status::Ok, "pointer and keyboard can be driven", "", {}};
  const auto opened = open_x11_input(options.display);
  if (!opened) {
    check.status = Status::Missing;
    check.detail = opened.error.message;
    check.remedy = "The X server must have the extensions XTEST and XInput 2.";
  }
  return check;
}

Check headless() {
  Check check{"headless", Status::Ok, "a headless desktop can be started", "", {}};
  const desktop::Programs programs = desktop::find_programs("");
  if (programs.problem.empty() || (!programs.display.empty() && !programs.bus.empty() &&
                                   !programs.accessibility.empty() && !programs.windows.empty()))
    return check;
  check.status = Status::Degraded;
  check.detail = "deskmark desktop start is not possible";
  check.remedy = "Needed only for desktops without a screen.";
  if (programs.display.empty()) check.packages.push_back({"xvfb", "xorg-x11-server-Xvfb", "xorg-server-xvfb"});
  if (programs.bus.empty()) check.packages.push_back({"dbus", "dbus-daemon", "dbus"});
  if (programs.accessibility.empty()) check.packages.push_back({"at-spi2-core", "at-spi2-core", "at-spi2-core"});
  if (programs.windows.empty()) check.packages.push_back({"openbox", "openbox", "openbox"});
  return check;
}

Check lease(const EngineOptions& options) {
  Check check{"lease", Status::Ok, "an agent holds the desktop", "", {}};
  const std::string directory = desk_directory(options.display);
  const Lease now = LeaseFile(directory).read();
  if (directory.empty()) {
    check.status = Status::Degraded;
    check.detail = "no runtime directory: hand-off is not possible";
    check.remedy = "Set XDG_RUNTIME_DIR to a private directory.";
  } else if (!now.readable) {
    check.status = Status::Missing;
    check.detail = directory + "/lease.json cannot be read: a person counts as holding the desktop";
    check.remedy = "deskmark handback";
  } else if (now.holder == Holder::Human) {
    check.status = Status::Degraded;
    check.detail = "a person holds the desktop since " + now.since;
    check.remedy = "deskmark handback";
  }
  return check;
}

Check audit(const EngineOptions& options) {
  Check check{"audit", Status::Ok, "", "", {}};
  const std::string directory = state_directory();
  if (!options.audit) {
    check.status = Status::Degraded;
    check.detail = "switched off";
  } else if (directory.empty()) {
    check.status = Status::Degraded;
    check.detail = "no place for it";
    check.remedy = "Set HOME or XDG_STATE_HOME.";
  } else if (const auto problem = make_private_directory(directory)) {
    check.status = Status::Degraded;
    check.detail = *problem;
    check.remedy = "Make the directory yours: chmod 700 '" + directory + "'";
  } else {
    check.detail = directory + "/audit.jsonl";
  }
  return check;
}

}  // namespace

const char* status_word(Status status) {
  switch (status) {
    case Status::Ok: return "ok";
    case Status::Degraded: return "degraded";
    case Status::Missing: return "missing";
  }
  return "missing";
}

const Check* Report::find(const std::string& name) const {
  const auto found = std::find_if(checks.begin(), checks.end(), [&](const Check& c) { return c.name == name; });
  return found == checks.end() ? nullptr : &*found;
}

Report examine(const EngineOptions& options) {
  Report report;
  report.display = options.display.empty() ? variable("DISPLAY") : options.display;
  report.checks.push_back(configuration());
  display(report, options);
  const bool shown = report.find("display")->status == Status::Ok;
  report.checks.push_back(accessibility());
  report.checks.push_back(text(options));
  if (shown) report.checks.push_back(input(options));
  report.checks.push_back(headless());
  report.checks.push_back(lease(options));
  report.checks.push_back(audit(options));
  report.capabilities = capabilities_of(report, options);
  return report;
}

}  // namespace deskmark::doctor
