// Who is on the accessibility bus: the registry's list, and for each name what never changes about it.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "perception/atspi/pipeline.hpp"
#include "perception/atspi/window_match.hpp"

namespace deskmark::atspi {

struct App {
  ObjectRef root;
  int pid = 0;
  std::string name;
  Toolkit toolkit = Toolkit::Unknown;
  std::string version;
  std::string locale;  ///< of its messages; empty: not told
  int windows = 0;
  bool responsive = true;
  /// Its messages are not known to be English (not told: Qt).
  [[nodiscard]] bool localised() const;
};

class AppList {
 public:
  enum class Ask : char { Identity, Windows };  ///< name and toolkit; also the number of toplevels

  /// Registered applications in the registry's order. Those of `pids` (all, when null) are asked who they are if that
  /// is not known; of the others only the process is told. Empty with `registry_answers` false when the registry does
  /// not.
  std::vector<App> read(Bus& bus, Pipeline& pipeline, const Deadline& deadline, Ask ask, const std::set<int>* pids);
  [[nodiscard]] bool registry_answers() const { return registry_answers_; }

  /// A connection of `pid` is on the bus though it has not registered (a program that is still starting, or busy).
  bool connected_unregistered(Bus& bus, const Deadline& deadline, int pid);

  /// Toplevels of `apps`, with their extents; in the apps' order.
  static std::vector<Toplevel> toplevels(Pipeline& pipeline, const std::vector<App>& apps, const Deadline& deadline);

  /// A name that did not answer gets little patience for a while.
  void note_hung(const std::string& bus);
  void apply_patience(Pipeline& pipeline) const;
  void note_answered(const std::string& bus) { hung_.erase(bus); }

 private:
  std::map<std::string, App> known_;  // by unique name; unique names are never used twice on one bus
  std::map<std::string, int> pids_;   // all names
  std::map<std::string, std::chrono::steady_clock::time_point> hung_;
  std::uint64_t epoch_ = 0;
  bool registry_answers_ = false;
};

}  // namespace deskmark::atspi
