// Excluded applications (a password manager): their windows are neither listed, captured nor touched, and are black in
// a picture of the whole screen. Wraps the reading edge, so that nothing above can forget it.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "perception/sources.hpp"

namespace deskmark {

class Exclusions {
 public:
  /// Names as an application may be called: class, instance, desktop id, executable, accessible name. Any case; `*` and
  /// `?` match as in file names.
  explicit Exclusions(const std::vector<std::string>& names);

  [[nodiscard]] bool none() const { return patterns_.empty(); }
  /// Whether an application goes by this name.
  [[nodiscard]] bool names(const std::string& name) const;
  /// Moves excluded windows of `list.windows` to `list.excluded`: those that match, all others of their processes, and
  /// what these own. Remembers the processes.
  void apply(WindowList& list);
  /// Removes excluded applications; remembers their processes.
  void apply(std::vector<AccessibleApp>& apps);

 private:
  std::vector<std::string> patterns_;  ///< folded
  std::mutex mutex_;
  std::set<int> pids_;
};

/// Where excluded windows may show on the screen: each with room for its frame, less what lies above it. Pure.
[[nodiscard]] std::vector<DeviceRect> hidden_areas(const WindowList& list);
/// `picture` shows `area`; `hidden` becomes black in it.
void black_out(Image& picture, const DeviceRect& area, const std::vector<DeviceRect>& hidden);

/// The sources without the excluded applications.
[[nodiscard]] std::unique_ptr<ScreenSource> without(std::shared_ptr<Exclusions> excluded,
                                                    std::unique_ptr<ScreenSource> screen);
[[nodiscard]] std::unique_ptr<AccessibleSource> without(std::shared_ptr<Exclusions> excluded,
                                                        std::unique_ptr<AccessibleSource> accessibles);

}  // namespace deskmark
