// What follows from what a window says about itself: its type, its process, whom it belongs to. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perception/model/window.hpp"

namespace deskmark::x11 {

/// The type of a window: the first it lists that says something (`listed`, in its order, from _NET_WM_WINDOW_TYPE),
/// else Dialog for a transient one, else Normal; for a window the window manager does not manage PopupMenu, or Unknown
/// when it is as large as most of the screen (a screen saver, an overlay).
[[nodiscard]] WindowType choose_type(const std::vector<WindowType>& listed, bool override_redirect, bool transient,
                                     const DeviceRect& bounds, const DeviceRect& screen);

/// Menus, combo lists, tooltips and their kind: they belong to a window that is not one of them.
[[nodiscard]] bool is_popup(const Window& window);

/// What ties a window to others.
struct Ties {
  bool says_transient = false;      ///< WM_TRANSIENT_FOR is set, be it to nothing listed or to the root (whole group)
  std::uint32_t transient_for = 0;  ///< as it says
  std::uint32_t leader = 0;         ///< WM_CLIENT_LEADER
  std::uint32_t group = 0;          ///< window group of WM_HINTS
  std::uint32_t maker = 0;          ///< the X client that made it
};

/// Sets `owner` on every window that has one. `ties` lie parallel to `windows`, which are frontmost first. A transient
/// belongs to the window it names; a popup or a group's dialog that names none to the closest kin (same leader or
/// group, else X client, else process), among equals to the focused, else the topmost. Never a cycle.
void assign_owners(std::vector<Window>& windows, const std::vector<Ties>& ties);

/// What is known of the process behind a window.
struct ProcessClues {
  std::optional<int> said;           ///< _NET_WM_PID: what the program says
  std::optional<int> connected;      ///< XRes: the process that connected to the server, as this machine counts
  bool machine_is_this = true;       ///< WM_CLIENT_MACHINE names this machine, or there is none
  bool connected_elsewhere = false;  ///< `connected` runs under another host name (a container on this machine)
};

/// The process of a window on this machine; empty for one that runs elsewhere and only forwards its windows.
[[nodiscard]] std::optional<int> choose_pid(const ProcessClues& clues);

/// True when `machine` (WM_CLIENT_MACHINE) is empty, "localhost" or the host `self`, with or without a domain.
[[nodiscard]] bool names_this_machine(std::string_view machine, std::string_view self);

/// `surface` without the client-side shadow of `left, right, top, bottom` pixels (_GTK_FRAME_EXTENTS); unchanged when
/// the extents are not plausible.
[[nodiscard]] DeviceRect without_shadow(const DeviceRect& surface, const std::vector<std::uint32_t>& extents);

/// Name of a .desktop file without folder and ending.
[[nodiscard]] std::string desktop_id_of_file(std::string_view path);

}  // namespace deskmark::x11
