// The reading edge put together: one look at a target becomes an Observation.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <variant>

#include "perception/sources.hpp"
#include "src/engine/targets.hpp"

namespace deskmark {

struct ObserveOptions {
  bool tree = true;    ///< read the accessible tree
  bool pixels = true;  ///< grab the picture; without one only minimised windows are looked at
  int node_limit = 20'000;
};

/// Where the time of one observation went, milliseconds.
struct ObserveTiming {
  double windows = 0;
  double grab = 0;
  double tree = 0;
  double text = 0;
};

struct Observed {
  Observation observation;
  ObserveTiming timing;
};

/// Sources an observation is read from. `accessibles` and `text` may be null: then there is no tree, no OCR.
struct Sources {
  ScreenSource* screen = nullptr;
  AccessibleSource* accessibles = nullptr;
  TextSource* text = nullptr;
};

[[nodiscard]] std::variant<Observed, Failure> observe(const Sources& sources, const Target& target,
                                                      const WindowList& list, const ObserveOptions& options,
                                                      const Deadline& deadline);

/// Adds to `o` the text its tree does not give, read from its pixels for at most `budget`. What does not fit is said in
/// a warning and goes on in the next capture.
void read_text(TextSource& source, Observation& o, const Deadline& deadline, std::chrono::milliseconds budget);

/// An edge's error as the contract's failure; an unknown word becomes `internal`.
[[nodiscard]] Failure failure_of(const EdgeError& error);

}  // namespace deskmark
