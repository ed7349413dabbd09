// Scene: what perceive makes of an Observation: the numbered marks and the readable outline.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perception/model/observation.hpp"

namespace deskmark {

enum class Source : std::uint8_t { Ax, Vision, Ocr };
[[nodiscard]] std::string_view source_name(Source source);  // "ax" "vision" "ocr"

struct Mark {
  int index = 0;  ///< 1..N without gaps, reading order
  Source source = Source::Ax;
  Role role = Role::Unknown;
  std::string role_word;             ///< canonical word shown; for pixel marks the guess
  std::string label;                 ///< <= 120 characters, never password text
  PictureRect bounds;                ///< in the delivered picture, clipped to what is visible
  DeviceRect device;                 ///< the same, device pixels, before the picture was reduced
  std::optional<std::string> value;  ///< what a person would read as its value
  std::vector<std::string> states;   ///< canonical words: focused, checked, selected, expanded, collapsed, pressed, …
  std::vector<std::string> actions;  ///< normalised action words of the object that the mark acts on
  std::optional<double> confidence;  ///< pixel marks only, 0..1
  int node = -1;                     ///< index in Observation::nodes, -1 for pixel marks
  std::uint32_t surface = 0;         ///< Window::id it is drawn on
};

/// One line of the ax outline. The renderer turns these into `tree`.
struct OutlineLine {
  int depth = 0;
  int mark = 0;      ///< number, 0: text that is no mark
  std::string text;  ///< role, label, states and value already put into words
  bool actionable = false;
  bool bulk = false;  ///< running text of a document or terminal: the first to go when a budget cuts
};

struct Scene {
  Mapping mapping;
  int width = 0;  ///< delivered picture, pixels
  int height = 0;
  std::vector<Mark> marks;  ///< at most the element limit
  int total = 0;            ///< marks found before the limit
  std::vector<OutlineLine> outline;
  std::vector<Warning> warnings;  ///< the observation's and perceive's own
  bool complete = true;
};

}  // namespace deskmark
