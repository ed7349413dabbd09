#include "perception/marks/outline_lines.hpp"

#include <algorithm>
#include <map>

#include "perception/marks/outline_phrases.hpp"
#include "perception/marks/outline_rules.hpp"
#include "perception/marks/states.hpp"
#include "perception/marks/toolkit_rules.hpp"
#include "perception/marks/words.hpp"

namespace deskmark {
namespace {

/// Longest single line of plain text, characters; a paragraph rarely is longer, a minified file is.
constexpr std::size_t kTextLimit = 1000;

bool is_document(Role role) {
  return role == Role::DocumentWeb || role == Role::DocumentFrame || role == Role::InternalFrame;
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
    find_windows();
    push_children(tree_.first_root(), {-1, 0, -1, false});
    while (!stack_.empty()) {
      Step step = stack_.back();
      stack_.pop_back();
      const Sight& seen = sight(step.node);
      // Hidden by its states: nothing below is drawn either, unless it has a window of its own.
      if (!seen.shown && tree_.parent(step.node) >= 0 && !holds_window(step.node)) continue;
      step.in_page = step.in_page || is_document(tree_.role(step.node));
      switch (write(step)) {
        case Wrote::All: continue;
        case Wrote::Header: ++step.depth; break;
        case Wrote::Nothing: break;
      }
      push_children(tree_.first_child(step.node), step);
    }
    return std::move(lines_);
  }

 private:
  struct Step {
    int node;
    int depth;
    int said;      ///< index in said_ of the words already written around it, -1: none
    bool in_page;  ///< below a document: tree order is reading order
  };
  enum class Wrote {
    Nothing,
    Header,
    All
  };  ///< of a node: no line, a line its children belong under, the whole subtree

  [[nodiscard]] const Sight& sight(int i) const { return sights_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] const Control& control(int c) const { return controls_.all[static_cast<std::size_t>(c)]; }

  void find_windows() {
    const auto& surfaces = tree_.seen().surfaces;
    open_.assign(surfaces.size(), false);
    bool any = false;
    for (const Control& c : controls_.all) {
      if (!c.live) continue;
      any = true;
      open_[static_cast<std::size_t>(sight(c.node).surface)] = true;
    }
    if (!any) open_.assign(surfaces.size(), true);
    for (std::size_t s = 0; s < surfaces.size(); ++s) {
      if (surfaces[s].root >= 0 && surfaces[s].root < tree_.size()) window_at_[surfaces[s].root] = static_cast<int>(s);
    }
  }

  [[nodiscard]] bool holds_window(int i) const {
    return std::any_of(window_at_.begin(), window_at_.end(),
                       [&](const auto& at) { return at.first != i && tree_.inside(at.first, i); });
  }

  void push_children(int first, const Step& parent) {
    const std::vector<int> children = siblings_as_met(tree_, sights_, first, parent.in_page);
    for (auto it = children.rbegin(); it != children.rend(); ++it)
      stack_.push_back({*it, parent.depth, parent.said, parent.in_page});
  }

  void add(int depth, std::string text, int mark = 0, bool bulk = false) {
    OutlineLine line;
    line.depth = depth;
    line.mark = mark;
    line.text = std::move(text);
    line.actionable = mark > 0;
    line.bulk = bulk;
    lines_.push_back(std::move(line));
    joins_.clear();
  }

  /// Remembers words that need not be repeated below.
  void say(const std::string& words, Step& step) {
    if (words.empty()) return;
    said_.emplace_back(words, step.said);
    step.said = static_cast<int>(said_.size()) - 1;
  }

  [[nodiscard]] bool is_said(const std::string& text, int said) const {
    for (int steps = 0; said >= 0 && steps < 6; said = said_[static_cast<std::size_t>(said)].second, ++steps) {
      if (said_[static_cast<std::size_t>(said)].first.find(text) != std::string::npos) return true;
    }
    return false;
  }

  Wrote write(Step& step) {
    const int i = step.node;
    const int own = controls_.of_node[static_cast<std::size_t>(i)];
    const int row = controls_.row[static_cast<std::size_t>(i)];
    // The window of an open menu may be matched with its first item, which is a control like the others.
    const bool marked = own >= 0 && control(own).node == i && number_[static_cast<std::size_t>(own)] > 0;
    if (const auto window = window_at_.find(i); window != window_at_.end() && !marked) {
      return write_window(window->second, step);
    }
    // A row comes before the cells that act by themselves.
    if (row >= 0) {
      write_control(row, step);
      if (own != row && own >= 0 && control(own).node == i) {
        ++step.depth;
        return write_control(own, step);
      }
      return Wrote::Header;
    }
    if (own >= 0 && control(own).node == i) return write_control(own, step);
    if (sight(i).visible.empty()) return Wrote::Nothing;
    return write_text(step);
  }

  Wrote write_window(int surface, Step& step) {
    const Window& window = tree_.seen().surfaces[static_cast<std::size_t>(surface)].window;
    const Accessible& node = tree_.node(step.node);
    std::string title = clean_line(node.name);
    if (title.empty() || (node.toolkit == Toolkit::Gtk4 && is_class_name(title))) title = clean_line(window.title);
    const bool plain = node.role == Role::Frame || node.role == Role::Unknown;
    std::string text{plain ? std::string_view{"window"} : role_name(node.role)};
    if (!title.empty()) text += ' ' + quoted(cut_line(title));
    if (!open_[static_cast<std::size_t>(surface)]) text += " (waits for what is open above it)";
    add(step.depth, std::move(text));
    say(title, step);
    return Wrote::Header;
  }

  Wrote write_control(int c, Step& step) {
    const Control& it = control(c);
    if (it.part == Part::None) return Wrote::Nothing;
    const Wording& words = wordings_.of(c);
    if (!written_[static_cast<std::size_t>(c)]) {
      written_[static_cast<std::size_t>(c)] = true;
      const Accessible& object = tree_.node(it.node);
      const int mark = number_[static_cast<std::size_t>(c)];
      if (mark == 0 && object.role == Role::ScrollBar) return Wrote::All;
      const bool block = it.part == Part::Field && shows_block(object);
      std::string text = control_phrase(control_word(tree_, it), words.label, block ? std::nullopt : words.value,
                                        state_words(tree_, it));
      if (!it.enabled) text += " (disabled)";
      add(step.depth, std::move(text), mark);
      if (block) write_block(object, step.depth + 1);
      if (it.part == Part::Spin) write_steppers(it, step.depth + 1);
    }
    say(words.label, step);
    if (words.value) say(*words.value, step);
    return Wrote::Header;
  }

  void write_steppers(const Control& spin, int depth) {
    for (std::size_t c = 0; c < controls_.all.size(); ++c) {
      const int mark = number_[c];
      if (controls_.all[c].stepper == 0 || controls_.all[c].node != spin.node || mark == 0) continue;
      add(depth,
          control_phrase(control_word(tree_, controls_.all[c]), wordings_.of(static_cast<int>(c)).label, std::nullopt,
                         {}),
          mark);
    }
  }

  [[nodiscard]] static bool shows_block(const Accessible& object) {
    return !is_password(object) && (object.role == Role::Terminal || object.states.has(State::MultiLine));
  }

  void write_block(const Accessible& object, int depth) {
    std::string block = clean_block(object.text);
    for (std::size_t from = 0; from < block.size();) {
      const std::size_t end = std::min(block.find('\n', from), block.size());
      if (end > from) add(depth, "| " + cut_line(block.substr(from, end - from), kTextLimit), 0, true);
      from = end + 1;
    }
  }

  Wrote write_text(Step& step) {
    const int i = step.node;
    const Accessible& node = tree_.node(i);
    if (is_silent(node.role)) return Wrote::Nothing;
    if (is_password(node)) return Wrote::All;
    if (is_label_of_something(i)) return Wrote::Nothing;
    std::string name = clean_line(node.name);
    if ((node.toolkit == Toolkit::Gtk4 && is_class_name(name)) || is_icon_name(name)) name.clear();

    if (shows_amount(node.role) && node.value) {
      add(step.depth, amount_phrase(node, name));
      return Wrote::All;
    }
    if (node.role == Role::Heading) {
      const std::string text = name.empty() ? clean_line(node.text) : name;
      if (text.empty() || is_said(text, step.said)) return Wrote::Nothing;
      add(step.depth, "heading " + quoted(cut_line(text, kTextLimit)));
      say(text, step);
      return Wrote::Nothing;  // what follows a heading is not below it
    }
    if (node.role == Role::TableRow && write_row(step)) return Wrote::All;
    const bool leaf = tree_.first_child(i) < 0;
    if (leaf && !opens_a_section(node.role)) return write_leaf(step);
    const bool header =
        opens_a_section(node.role) || (is_named_group(node.role) && !name.empty() && !is_said(name, step.said));
    if (!header) return write_leaf(step);
    std::string text{role_name(node.role)};
    if (node.role == Role::Panel || node.role == Role::Filler || node.role == Role::Section || node.role == Role::Frame)
      text = "group";
    if (!name.empty()) text += ' ' + quoted(cut_line(name));
    add(step.depth, std::move(text));
    say(name, step);
    return Wrote::Header;
  }

  [[nodiscard]] bool is_label_of_something(int i) const {
    const int c = wordings_.labels(i);
    if (c < 0) return false;
    return wordings_.of(c).label.find(shown_text(tree_.node(i))) != std::string::npos;
  }

  /// A table row without anything to act on is one line.
  bool write_row(const Step& step) {
    for (int k = tree_.enter(step.node); k < tree_.leave(step.node); ++k) {
      if (controls_.of_node[static_cast<std::size_t>(tree_.preorder()[static_cast<std::size_t>(k)])] >= 0) return false;
    }
    std::string text = cells_phrase(tree_, sights_, step.node);
    if (text.empty()) return false;
    add(step.depth, quoted(cut_line(std::move(text), kTextLimit)));
    return true;
  }

  /// Text that is not a control: on a line of its own, or joined to the text before it in the same paragraph.
  Wrote write_leaf(Step& step) {
    const int i = step.node;
    const Accessible& node = tree_.node(i);
    const bool web = is_web(node.toolkit);
    std::string text = shown_text(node);
    if (is_icon_name(text)) text.clear();
    if (tree_.first_child(i) >= 0 && (text.empty() || has_visible_text_below(tree_, sights_, i))) return Wrote::Nothing;
    if (text.empty() && node.role != Role::Image) text = clean_line(node.description);
    if (text.empty() || is_said(text, step.said) || (web && is_ornament(text))) return Wrote::Nothing;
    if (repeats_amount(i, text)) return Wrote::Nothing;

    if (node.role == Role::Image || node.role == Role::Icon || node.role == Role::Animation) {
      add(step.depth, std::string{role_name(node.role)} + ' ' + quoted(cut_line(text)));
      return Wrote::Nothing;
    }
    if (shows_block(node) && node.text.find('\n') != std::string::npos) {
      write_block(node, step.depth);
      return Wrote::Nothing;
    }
    text = cut_line(std::move(text), kTextLimit);
    if (!joins_.empty() && web && joins_parent_ == tree_.parent(i) && lines_.back().depth == step.depth &&
        joins_.size() + text.size() < kTextLimit) {
      joins_ += (is_ornament(text.substr(0, 1)) ? "" : " ") + text;
      lines_.back().text = quoted(joins_);
      return Wrote::Nothing;
    }
    std::string line = quoted(text);
    const bool cell = node.role == Role::TableCell || is_table_header(node.role);
    if (cell) line = std::string{role_name(node.role)} + ' ' + line;
    const std::string about = clean_line(node.description);
    if (node.role == Role::Frame && !about.empty()) line += " (" + cut_line(about) + ")";  // Qt's displays
    if (!sight(i).enabled && node.role == Role::Label && !web) line += " (disabled)";
    add(step.depth, std::move(line), 0, node.role == Role::Paragraph);
    if (!cell) joins_ = text;
    joins_parent_ = tree_.parent(i);
    return Wrote::Nothing;
  }

  /// A slider that draws its number beside itself says it twice.
  [[nodiscard]] bool repeats_amount(int i, const std::string& text) const {
    const int p = tree_.parent(i);
    if (p < 0 || !shows_amount(tree_.role(p)) || !tree_.node(p).value) return false;
    return text.find_first_not_of("0123456789.,-+% ") == std::string::npos;
  }

  const Tree& tree_;
  const std::vector<Sight>& sights_;
  const Controls& controls_;
  const Wordings& wordings_;
  const std::vector<int>& number_;
  std::vector<bool> written_;
  std::vector<bool> open_;        ///< per surface: something on it can be used
  std::map<int, int> window_at_;  ///< toplevel node -> surface
  std::vector<Step> stack_;
  std::vector<OutlineLine> lines_;
  std::vector<std::pair<std::string, int>> said_;
  std::string joins_;  ///< text of the last line while more inline text may follow it
  int joins_parent_ = -1;
};

}  // namespace

std::vector<OutlineLine> outline_lines(const Tree& tree, const std::vector<Sight>& sights, const Controls& controls,
                                       const Wordings& wordings, const std::vector<int>& number) {
  return Liner{tree, sights, controls, wordings, number}.run();
}

}  // namespace deskmark
