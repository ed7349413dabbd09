// The probe: a plain window of a process of its own, which says what reaches it. `deskmark doctor --live` drives it.
#pragma once

namespace deskmark::doctor {

/// The window's colour, 0xRRGGBB: what a capture of it must show.
inline constexpr unsigned kProbeColour = 0x2f6db5;

/// Opens the window on $DISPLAY and prints a line per event until standard input ends: "window ID", "button N",
/// "release N", "motion", "key KEYSYM" (decimal). Returns the exit code.
int run_probe();

}  // namespace deskmark::doctor
