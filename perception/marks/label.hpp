// The words of a control: its label and what a person would read as its value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perception/marks/controls.hpp"

namespace deskmark {

struct Wording {
  std::string label;  ///< at most kLabelLimit characters, empty when nothing names it
  std::optional<std::string> value;
};

/// Labels and values for one scene. Remembers which texts were used as a label, so that one text beside several
/// controls names only the nearest, and the outline does not repeat them.
class Wordings {
 public:
  Wordings(const Tree& tree, const std::vector<Sight>& sights, const Controls& controls);

  /// Wording of controls.all[c]; never text of a password field.
  [[nodiscard]] const Wording& of(int c) const { return words_[static_cast<std::size_t>(c)]; }
  /// A label from elsewhere (the pixels) for a control that has none.
  void name(int c, const std::string& label) {
    Wording& wording = words_[static_cast<std::size_t>(c)];
    if (wording.label.empty()) wording.label = label;
  }
  /// Control that `node`'s text went to as a label although it lies outside of it (labelled-by, beside), -1: none.
  [[nodiscard]] int labels(int node) const { return labels_[static_cast<std::size_t>(node)]; }

 private:
  std::string label_of(int c);
  std::string row_label(int c) const;
  std::string own_name(int node, Part part) const;
  std::string inner_text(int node, const DeviceRect& within, int c) const;
  std::string from_relation(int c, int node);
  std::string column_name(int cell) const;
  std::string beside(int c);
  std::optional<std::string> value_of(int c) const;
  std::string combo_value(const Control& combo) const;
  bool named_by_value(const Control& combo) const;

  const Tree& tree_;
  const std::vector<Sight>& sights_;
  const Controls& controls_;
  std::vector<Wording> words_;
  std::vector<int> labels_;
};

/// What a text-bearing node shows, one line: its name, else its text. Empty for passwords.
[[nodiscard]] std::string shown_text(const Accessible& node);

}  // namespace deskmark
