// What a program that is not on the accessibility bus is made with, by what it has loaded: whether it could publish a
// tree at all, and what it would have to be started with. Reads /proc of that one process; never decides by its name.
#pragma once

#include <string>
#include <string_view>

#include "perception/model/accessible.hpp"

namespace deskmark::atspi {

struct ProcessHint {
  Toolkit toolkit = Toolkit::Unknown;  ///< Unknown: nothing known that has accessibility
  bool switched_on = false;            ///< it was started so that it publishes a tree; it may just not have got there
  double age = 1e9;                    ///< seconds since it started; huge when unknown
};

/// Toolkit by the mapped files of a process (the text of /proc/PID/maps).
[[nodiscard]] Toolkit toolkit_from_maps(std::string_view maps);
/// The command line or environment (NUL-separated) switches accessibility on, or nothing has to (GTK 3).
[[nodiscard]] bool switched_on(Toolkit toolkit, std::string_view command_line, std::string_view environment);
/// What to start such a program with, as the end of a sentence; empty when there is nothing to say.
[[nodiscard]] std::string switch_on_remedy(Toolkit toolkit);

[[nodiscard]] ProcessHint inspect_process(int pid);
[[nodiscard]] double process_age(int pid);
/// Its main thread runs or waits for a processor.
[[nodiscard]] bool process_runs(int pid);
/// Processor time it has used so far, seconds, all threads; negative when unknown.
[[nodiscard]] double process_time(int pid);

}  // namespace deskmark::atspi
