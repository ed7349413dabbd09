// `deskmark desktop start|status|stop|env|run`: headless desktops from the command line.
#pragma once

#include "src/commands/command.hpp"

namespace deskmark::desktop {

void add_desktop_command(CLI::App& app, Chosen& chosen);

/// Takes the first "--" out of `desktop run [OPTIONS] -- PROGRAM …`: CLI11 2.1 would hand what follows to the parent
/// command.
void drop_separator(int& argc, char** argv);

}  // namespace deskmark::desktop
