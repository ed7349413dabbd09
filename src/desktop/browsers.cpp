#include "src/desktop/browsers.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "src/desktop/environment.hpp"
#include "src/desktop/process.hpp"

namespace deskmark::desktop {
namespace {

constexpr std::array kBrowsers = {"chromium",       "chromium-browser",
                                  "google-chrome",  "google-chrome-stable",
                                  "brave-browser",  "microsoft-edge-stable",
                                  "vivaldi",        "opera",
                                  "microsoft-edge", "electron",
                                  "code",           "codium"};

}  // namespace

void write_browser_wrappers(const Place& place, const std::string& path) {
  for (const char* name : kBrowsers) {
    const std::string program = find_program(name, path, "/");
    if (program.empty()) continue;
    const std::string wrapper = place.bin() + "/" + name;
    {
      std::ofstream file(wrapper);
      file << "#!/bin/sh\nexec " << shell_quoted(program) << " --force-renderer-accessibility \"$@\"\n";
    }
    chmod(wrapper.c_str(), 0700);
  }
}

std::string wrapped(const Place& place, const std::string& program) {
  const std::string wrapper = place.bin() + "/" + std::filesystem::path(program).filename().string();
  return access(wrapper.c_str(), X_OK) == 0 ? wrapper : program;
}

}  // namespace deskmark::desktop
