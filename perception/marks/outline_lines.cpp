#include "perception/marks/outline_lines.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "perception/marks/reading_order.hpp"
#include "perception/marks/states.hpp"
#include "perception/marks/toolkit_rules.hpp"
#include "perception/marks/words.hpp"

namespace deskmark {
namespace {

/// Longest single line of plain text, characters; a paragraph rarely is longer, a minified file is.
constexpr std::size_t kTextLimit = 1000;

bool is_heading(Role role) { return role == Role::Heading; }

/// Containers that are worth a line of their own even without a name.
bool is_landmark_role(Role role) {
  switch (role) {
    case Role::Dialog:
    case Role::Alert:
    case Role::Frame:
    case Role::Window:
    case Role::InternalFrame:
    case Role::Notification:
    case Role::FileChooser:
    case Role::ColorChooser:
    case Role::FontChooser:
    case Role::Menu:
    case Role::PopupMenu: return true;
    default: return false;
  }
}

/// Containers whose name, if they have one, is drawn or tells what their contents are.
bool is_named_group(Role role) {
  switch (role) {
    case Role::Panel:
    case Role::Filler:
    case Role::Grouping:
    case Role::Form:
    case Role::Landmark:
    case Role::List:
    case Role::ListBox:
    case Role::Table:
    case Role::TreeTable:
    case Role::Tree:
    case Role::ToolBar:
    case Role::Article:
    case Role::Section:
    case Role::DocumentWeb:
    case Role::DocumentText:
    case Role::DocumentFrame:
    case Role::StatusBar:
    case Role::DocumentSpreadsheet:
    case Role::DocumentPresentation:
    case Role::DocumentEmail:
    case Role::InfoBar:
    case Role::Chart:
    case Role::Embedded: return true;
    default: return is_landmark_role(role);
  }
}

bool shows_value(Role role) {
  return role == Role::ProgressBar || role == Role::LevelBar || role == Role::Slider || role == Role::Dial;
}

bool is_quiet(Role role) {
  switch (role) {
    case Role::Separator:
    case Role::ScrollBar:
    case Role::ScrollPane:
    case Role::Viewport:
    case Role::TitleBar:
    case Role::Ruler: return true;
    default: return false;
  }
}

class Liner {
 public:
  Liner(const Tree& tree, const std::vector<Sight>& sights, const Controls& controls, const Wordings& wordings,
        const std::vector<int>& number)
      : tree_(tree),
        sights_(sights),
        controls_(controls),
        wordings_(wordings),
        number_(number),
        written_(controls.all.size(), false) {}

  std::vector<OutlineLine> run() {
    find_locked_surfaces();
    struct Step {
      int node;
      int depth;
      int group;  ///< index in titles_ of the words already said around it
    };
    std::vector<Step> stack;
    const auto push_children = [&](int first, int depth, int group) {
      const std::vector<int> children = ordered(first);
      for (auto it = children.rbegin(); it != children.rend(); ++it) stack.push_back({*it, depth, group});
    };
    push_children(tree_.first_root(), 0, -1);
    while (!stack.empty()) {
      const Step step = stack.back();
      stack.pop_back();
      const Sight& sight = sights_[static_cast<std::size_t>(step.node)];
      if (!sight.shown && sight.surface >= 0 && tree_.parent(step.node) >= 0) {
        // Hidden by its states: nothing below is drawn either, unless it has a window of its own.
        if (!opens_elsewhere(step.node)) continue;
      }
      int depth = step.depth;
      int group = step.group;
      if (write(step.node, depth, group)) ++depth;
      push_children(tree_.first_child(step.node), depth, group);
    }
    pixel_text();
    return std::move(lines_);
  }

 private:
  [[nodiscard]] const Sight& sight(int i) const { return sights_[static_cast<std::size_t>(i)]; }

  void find_locked_surfaces() {
    const auto& surfaces = tree_.seen().surfaces;
    free_.assign(surfaces.size(), false);
    bool any = false;
    for (std::size_t c = 0; c < controls_.all.size(); ++c) {
      if (!controls_.all[c].live) continue;
      any = true;
      free_[static_cast<std::size_t>(sight(controls_.all[c].node).surface)] = true;
    }
    if (!any) free_.assign(surfaces.size(), true);
    for (std::size_t s = 0; s < surfaces.size(); ++s) {
      if (surfaces[s].root >= 0 && surfaces[s].root < tree_.size()) root_of_[surfaces[s].root] = static_cast<int>(s);
    }
  }

  bool opens_elsewhere(int i) const {
    for (const auto& [root, s] : root_of_) {
      if (root != i && tree_.inside(root, i)) return true;
    }
    return false;
  }

  /// Siblings as a person meets them. Widget toolkits add children in any order; web pages are in reading order
  /// already, and their inline text must not be shuffled.
  [[nodiscard]] std::vector<int> ordered(int first) const {
    std::vector<int> children;
    for (int c = first; c >= 0; c = tree_.next_sibling(c)) children.push_back(c);
    if (children.size() < 2 || is_web(tree_.node(first).toolkit) || tree_.parent(first) < 0) return children;
    std::vector<DeviceRect> rects;
    std::vector<int> placed;
    std::vector<int> rest;
    for (const int c : children) {
      if (sight(c).visible.empty()) {
        rest.push_back(c);
        continue;
      }
      placed.push_back(c);
      rects.push_back(sight(c).visible);
    }
    if (!rest.empty() && !placed.empty() && rest.size() > placed.size())
      return children;  // mostly objects without a place
    std::vector<int> out;
    out.reserve(children.size());
    for (const int k : reading_order(rects)) out.push_back(placed[static_cast<std::size_t>(k)]);
    out.insert(out.end(), rest.begin(), rest.end());
    return out;
  }

  void add(int depth, std::string text, int mark, bool bulk = false) {
    OutlineLine line;
    line.depth = depth;
    line.mark = mark;
    line.text = std::move(text);
    line.actionable = mark > 0;
    line.bulk = bulk;
    lines_.push_back(std::move(line));
    joinable_ = false;
  }

  /// Writes the line of `i` if it has one; true when its children belong under that line.
  bool write(int i, int depth, int& group) {
    const Sight& seen = sight(i);
    const auto root = root_of_.find(i);
    if (root != root_of_.end()) return write_window(i, root->second, depth, group);
    const int own = controls_.of_node[static_cast<std::size_t>(i)];
    if (own >= 0 && (controls_.all[static_cast<std::size_t>(own)].node == i ||
                     !controls_.all[static_cast<std::size_t>(own)].cells.empty())) {
      return write_control(own, i, depth, group);
    }
    if (seen.visible.empty()) return false;
    return write_text(i, depth, group);
  }

  bool write_window(int i, int surface, int depth, int& group) {
    const Window& window = tree_.seen().surfaces[static_cast<std::size_t>(surface)].window;
    const Accessible& node = tree_.node(i);
    std::string title = clean_line(node.name);
    if (title.empty() || (node.toolkit == Toolkit::Gtk4 && is_class_name(title))) title = clean_line(window.title);
    std::string text{node.role == Role::Frame || node.role == Role::Unknown ? std::string_view{"window"}
                                                                            : role_name(node.role)};
    if (!title.empty()) text += ' ' + quoted(cut_line(title));
    if (!free_[static_cast<std::size_t>(surface)]) text += " (waits for what is open above it)";
    add(depth, text, 0);
    group = said(title, group);
    return true;
  }

  bool write_control(int c, int node, int depth, int& group) {
    const Control& control = controls_.all[static_cast<std::size_t>(c)];
    if (written_[static_cast<std::size_t>(c)] || control.part == Part::None) return false;
    written_[static_cast<std::size_t>(c)] = true;
    const Wording& words = wordings_.of(c);
    const Accessible& object = tree_.node(control.node);
    const int mark = number_[static_cast<std::size_t>(c)];
    const bool block = control.part == Part::Field && shows_block(object);
    if (mark == 0 && object.role == Role::ScrollBar) return false;
    std::string text = control_phrase(control_word(tree_, control), words.label, block ? std::nullopt : words.value,
                                      state_words(tree_, control));
    if (!control.enabled) text += " (disabled)";
    add(depth, std::move(text), mark);
    if (block) write_block(object, depth + 1);
    group = said(words.label, group);
    if (words.value) group = said(*words.value, group);
    (void)node;
    return true;
  }

  [[nodiscard]] static bool shows_block(const Accessible& object) {
    if (is_password(object)) return false;
    return object.role == Role::Terminal || object.states.has(State::MultiLine);
  }

  void write_block(const Accessible& object, int depth) {
    std::string block = clean_block(object.text);
    while (!block.empty()) {
      const std::size_t end = std::min(block.find('\n'), block.size());
      std::string line = block.substr(0, end);
      block.erase(0, std::min(end + 1, block.size()));
      if (!line.empty()) add(depth, "| " + cut_line(std::move(line), kTextLimit), 0, true);
    }
  }

  /// Remembers words that need not be repeated below; returns the new group.
  int said(const std::string& words, int group) {
    if (words.empty()) return group;
    titles_.push_back({words, group});
    return static_cast<int>(titles_.size()) - 1;
  }

  [[nodiscard]] bool is_said(const std::string& text, int group) const {
    for (int g = group, steps = 0; g >= 0 && steps < 6; g = titles_[static_cast<std::size_t>(g)].second, ++steps) {
      const std::string& words = titles_[static_cast<std::size_t>(g)].first;
      if (words.find(text) != std::string::npos) return true;
      // A label that had to be cut still says what is left of it.
    }
    return false;
  }

  bool write_text(int i, int depth, int& group) {
    const Accessible& node = tree_.node(i);
    if (is_quiet(node.role) || is_password(node)) return false;
    if (wordings_.labels(i) >= 0) {
      const std::string text = shown_text(node);
      if (wordings_.of(wordings_.labels(i)).label.find(text) != std::string::npos) return false;
    }
    const bool leaf = tree_.first_child(i) < 0;
    std::string name = clean_line(node.name);
    if (node.toolkit == Toolkit::Gtk4 && is_class_name(name)) name.clear();
    if (is_icon_name(name)) name.clear();

    if (shows_value(node.role) && node.value) {
      std::string text{role_name(node.role)};
      if (!name.empty()) text += ' ' + quoted(cut_line(name));
      const double span = node.value->maximum - node.value->minimum;
      const std::string_view valuetext = attribute(node, "valuetext");
      if (!valuetext.empty())
        text += " = " + quoted(clean_line(valuetext));
      else if (span > 0)
        text += " = " + number_word(std::round((node.value->current - node.value->minimum) / span * 100)) + "%";
      add(depth, std::move(text), 0);
      return false;
    }
    if (is_heading(node.role)) {
      const std::string text = name.empty() ? clean_line(node.text) : name;
      if (text.empty() || is_said(text, group)) return false;
      add(depth, "heading " + quoted(cut_line(text, kTextLimit)), 0);
      group = said(text, group);
      return false;  // what follows a heading is not inside it
    }
    if (!leaf || is_landmark_role(node.role)) {
      const bool container = is_named_group(node.role) && (!name.empty() || is_landmark_role(node.role));
      if (!container || (!name.empty() && is_said(name, group) && !is_landmark_role(node.role)))
        return leaf_like(i, depth, group);
      std::string text{role_name(node.role)};
      if (node.role == Role::Panel || node.role == Role::Filler || node.role == Role::Section) text = "group";
      if (!name.empty()) text += ' ' + quoted(cut_line(name));
      add(depth, std::move(text), 0);
      group = said(name, group);
      return true;
    }
    return leaf_like(i, depth, group);
  }

  /// Text that is not a control: on a line of its own, or joined to the text before it on the same line of a page.
  bool leaf_like(int i, int depth, int group) {
    const Accessible& node = tree_.node(i);
    const bool leaf = tree_.first_child(i) < 0;
    std::string text = shown_text(node);
    if (is_icon_name(text)) text.clear();
    if (!leaf) {
      // Text of a container is drawn by its children where it has any.
      if (text.empty() || has_visible_text_below(i)) return false;
    }
    if (node.role == Role::Image || node.role == Role::Icon) {
      if (text.empty() || is_said(text, group)) return false;
      add(depth, "image " + quoted(cut_line(text)), 0);
      return false;
    }
    if (text.empty() || is_said(text, group)) return false;
    if (shows_block(node) && text.size() > kLabelLimit && node.text.find('\n') != std::string::npos) {
      write_block(node, depth);
      return false;
    }
    const bool disabled = !sight(i).enabled && node.role == Role::Label && !is_web(node.toolkit);
    text = cut_line(std::move(text), kTextLimit);
    if (joinable_ && is_web(node.toolkit) && tree_.parent(i) == joined_parent_ && lines_.back().depth == depth &&
        lines_.back().text.size() + text.size() < kTextLimit) {
      lines_.back().text += ' ' + text;
      return false;
    }
    const bool cell = node.role == Role::TableCell || is_table_header(node.role);
    add(depth,
        (cell ? std::string{role_name(node.role)} + ' ' + quoted(text) : quoted(text)) +
            (disabled ? " (disabled)" : ""),
        0, node.role == Role::Paragraph);
    joinable_ = !cell;
    joined_parent_ = tree_.parent(i);
    return false;
  }

  bool has_visible_text_below(int i) const {
    int looked = 0;
    for (int k = tree_.enter(i) + 1; k < tree_.leave(i) && looked < 64; ++k, ++looked) {
      const int d = tree_.preorder()[static_cast<std::size_t>(k)];
      if (!sight(d).visible.empty() && !shown_text(tree_.node(d)).empty()) return true;
    }
    return false;
  }

  /// Text that was read from the pixels where no tree explains them.
  void pixel_text() {
    for (const TextLine& line : tree_.seen().text) {
      const std::string text = clean_line(line.text);
      if (text.empty() || explained(line.bounds)) continue;
      add(0, quoted(cut_line(text, kTextLimit)), 0, true);
    }
  }

  [[nodiscard]] bool explained(const DeviceRect& bounds) const {
    const auto& surfaces = tree_.seen().surfaces;
    for (std::size_t s = surfaces.size(); s-- > 0;) {
      if (surfaces[s].window.bounds.contains(bounds.center())) return surfaces[s].root >= 0;
    }
    return false;
  }

  const Tree& tree_;
  const std::vector<Sight>& sights_;
  const Controls& controls_;
  const Wordings& wordings_;
  const std::vector<int>& number_;
  std::vector<bool> written_;
  std::vector<bool> free_;
  std::map<int, int> root_of_;
  std::vector<OutlineLine> lines_;
  std::vector<std::pair<std::string, int>> titles_;
  bool joinable_ = false;
  int joined_parent_ = -1;
};

}  // namespace

std::string control_word(const Tree& tree, const Control& control) {
  if (!control.cells.empty()) return "row";
  return std::string{role_name(tree.role(control.node))};
}

std::string control_phrase(std::string_view role, std::string_view label, const std::optional<std::string>& value,
                           const std::vector<std::string>& states) {
  std::string text{role};
  text += ' ' + quoted(label);
  if (value) text += " = " + quoted(*value);
  if (!states.empty()) {
    text += " [";
    for (std::size_t k = 0; k < states.size(); ++k) text += (k > 0 ? ", " : "") + states[k];
    text += ']';
  }
  return text;
}

std::vector<OutlineLine> outline_lines(const Tree& tree, const std::vector<Sight>& sights, const Controls& controls,
                                       const Wordings& wordings, const std::vector<int>& number) {
  return Liner{tree, sights, controls, wordings, number}.run();
}

}  // namespace deskmark
