// The environment that ties a program to a headless desktop and makes its toolkit publish an accessible tree.
#pragma once

#include <string>
#include <vector>

#include "src/desktop/process.hpp"

namespace deskmark::desktop {

/// What a program needs to run in the desktop at `directory` on display `number`.
[[nodiscard]] Environment desktop_environment(const std::string& directory, int number);
/// Variables that would lead a program away from the desktop or switch its tree off.
[[nodiscard]] const std::vector<std::string>& foreign_variables();

/// The calling process's environment.
[[nodiscard]] Environment own_environment();
/// `base` without the foreign variables, with `desktop` on top.
[[nodiscard]] Environment overlaid(const Environment& base, const Environment& desktop);
/// The same with the mark of membership, for processes that end with the desktop `id`.
[[nodiscard]] Environment member_environment(const Environment& base, const Environment& desktop,
                                             const std::string& id);
[[nodiscard]] std::string lookup(const Environment& environment, const std::string& name);

/// Lines a POSIX shell can eval: unset the foreign variables, export the rest, values in single quotes.
[[nodiscard]] std::string shell_lines(const Environment& desktop);
[[nodiscard]] std::string shell_quoted(const std::string& text);

}  // namespace deskmark::desktop
