// Which window a request means (contract, section Targets). Pure: decided from lists that were read before.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "perception/sources.hpp"
#include "schema/codes.hpp"

namespace deskmark {

struct TargetQuery {
  std::optional<std::string> app;
  std::optional<int> pid;
  std::optional<std::uint32_t> window_id;
  [[nodiscard]] bool empty() const { return !app && !pid && !window_id; }
};

enum class TargetKind : std::uint8_t { Window, Screen };

struct Target {
  TargetKind kind = TargetKind::Window;
  Window window;    ///< id 0 for the screen
  std::string app;  ///< application name to show
};

struct TargetFailure {
  Failure failure;
  std::vector<std::string> candidates;  ///< for ambiguous_target: what `app` could be
};

/// The application name shown for a window: the accessible application's of the same process, else the class, else the
/// process.
[[nodiscard]] std::string app_name(const Window& window, const std::vector<AccessibleApp>& apps);

/// The window is of the application that `app` means: exactly, by a part of its name, or by a part of the title.
[[nodiscard]] bool is_app(const Window& window, const std::vector<AccessibleApp>& apps, const std::string& app);

/// `apps` may be empty when nothing is known of accessibility.
[[nodiscard]] std::variant<Target, TargetFailure> choose_target(const TargetQuery& query, const WindowList& list,
                                                                const std::vector<AccessibleApp>& apps);

/// The windows that belong in the picture of `target`, bottom to top: it, its popups and dialogs, and for a dialog its
/// owners.
[[nodiscard]] std::vector<Window> picture_windows(const Window& target, const WindowList& list);

/// What the picture shows: the client areas of `windows` united, device pixels.
[[nodiscard]] DeviceRect picture_area(const std::vector<Window>& windows);

}  // namespace deskmark
