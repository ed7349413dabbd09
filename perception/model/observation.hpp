// Observation: everything one look at the desktop read, as a value. A recorded fixture IS an Observation; perceive,
// draw and plan are functions of it and need no desktop.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "perception/model/accessible.hpp"
#include "perception/model/image.hpp"
#include "perception/model/window.hpp"

namespace deskmark {

/// Something a reader of the reply should know. `code` is a stable snake_case word listed in docs/codes.md.
struct Warning {
  std::string code;
  std::string message;
  friend bool operator==(const Warning&, const Warning&) = default;
};

/// A line of text read from the pixels (OCR) with its words; rectangles in device pixels.
struct TextWord {
  std::string text;
  DeviceRect bounds;
  double confidence = 0;  ///< 0..1
};
struct TextLine {
  std::string text;
  DeviceRect bounds;
  double confidence = 0;  ///< 0..1
  std::vector<TextWord> words;
};

/// Why a window has the tree it has.
enum class TreeStatus : std::uint8_t {
  Read,          ///< the accessible tree of the target was read
  NotAsked,      ///< this capture did not want a tree (vision mode, screen)
  None,          ///< no application on the accessibility bus owns this window
  SwitchedOff,   ///< the application is there but publishes no tree; a warning carries the remedy
  Unresponsive,  ///< the application did not answer within its budget
  NoBus,         ///< the accessibility bus itself cannot be reached
};

/// One native window that is part of the picture, nearest first drawn last.
struct Surface {
  Window window;
  int root = -1;  ///< index in `nodes` of its toplevel accessible, -1: none matched
  /// Where pixels of this window were actually obtained, device pixels; empty: none (stale or unmapped).
  DeviceRect grabbed;
};

struct Observation {
  // What was looked at.
  Window target;    ///< the window asked for; id 0 for the whole screen
  std::string app;  ///< application name shown to people (accessible name of the app, else class, else process)
  Toolkit toolkit = Toolkit::Unknown;
  DeviceRect area;    ///< what the picture shows, device pixels; picture pixel (0,0) is its top-left
  DeviceRect screen;  ///< the whole screen
  // What was read.
  SharedImage pixels;             ///< area.w x area.h unscaled pixels; null in ax mode when nothing needed pixels
  std::vector<Surface> surfaces;  ///< the target and its popups and dialogs in the picture, bottom to top
  std::vector<Accessible> nodes;  ///< preorder: parents before children, siblings in tree order
  std::vector<TextLine> text;     ///< OCR reading, where one was made
  TreeStatus tree = TreeStatus::NotAsked;
  bool complete = true;  ///< false when a budget ran out or an app did not answer: `warnings` say which
  std::vector<Warning> warnings;
};

}  // namespace deskmark
