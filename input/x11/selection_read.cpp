#include <algorithm>
#include <climits>

#include "input/x11/selection.hpp"

namespace deskmark::x11_input {
namespace {

// The owner may convert each of its targets when asked; the list it has at hand.
constexpr std::chrono::milliseconds kList{1000};
constexpr std::chrono::milliseconds kOneTarget{3000};

class Reader {
 public:
  Reader(Link& link, Atom selection, std::size_t most, const Deadline& deadline)
      : link_(link),
        selection_(selection),
        left_(most),
        deadline_(deadline),
        property_(link.atom("_DESKMARK_SELECTION")) {}

  std::optional<std::vector<Content>> read() {
    std::vector<Content> out;
    if (link_.dead()) return std::nullopt;
    if (XGetSelectionOwner(link_.x(), selection_) == kNone) return out;
    time_ = link_.now(deadline_);
    std::vector<Atom> targets;
    const auto listed = convert(link_.atom("TARGETS"));
    if (failed_) return std::nullopt;
    if (listed && listed->format == 32) {
      const auto* atoms = reinterpret_cast<const long*>(listed->data.data());
      for (std::size_t i = 0; i < listed->data.size() / sizeof(long); ++i)
        targets.push_back(static_cast<Atom>(atoms[i]));
    } else {
      targets = {link_.atom("UTF8_STRING"), XA_STRING};
    }
    std::sort(targets.begin(), targets.end());
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    for (const Atom target : targets) {
      if (says_nothing(target)) continue;
      auto content = convert(target);
      if (failed_) return std::nullopt;
      if (content) out.push_back(*std::move(content));
    }
    return out;
  }

 private:
  /// Targets about the selection itself, and those that do something to the owner.
  bool says_nothing(Atom target) {
    for (const char* name :
         {"TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "DELETE", "INSERT_SELECTION", "INSERT_PROPERTY"}) {
      if (target == link_.atom(name)) return true;
    }
    return target == kNone;
  }

  /// Empty when the owner refuses this target; failed_ when there is no telling.
  std::optional<Content> convert(Atom target) {
    const Deadline soon = deadline_.at_most(target == link_.atom("TARGETS") ? kList : kOneTarget);
    const XID window = link_.own_window();
    XDeleteProperty(link_.x(), window, property_);
    XConvertSelection(link_.x(), selection_, target, property_, window, time_);
    XFlush(link_.x());
    bool given = false;
    const bool answered = link_.wait(soon, [&](const XEvent& event) {
      const XSelectionEvent& e = event.xselection;
      if (event.type != SelectionNotify || e.requestor != window || e.selection != selection_ || e.target != target)
        return false;
      given = e.property != kNone;
      return true;
    });
    failed_ = !answered;
    if (!given) return std::nullopt;
    Content out;
    out.target = target;
    if (!take(out, false)) return std::nullopt;
    if (out.type == link_.atom("INCR")) {
      out = Content{};
      out.target = target;
      take_parts(out, soon);
    }
    return failed_ ? std::nullopt : std::optional{std::move(out)};
  }

  /// Appends the property and deletes it; false when it is not there or there is too much.
  bool take(Content& out, bool append) {
    Atom type = kNone;
    int format = 0;
    unsigned long count = 0;
    unsigned long more = 0;
    unsigned char* data = nullptr;
    const auto words = static_cast<long>(std::min<std::size_t>(left_ / 4 + 1, INT_MAX / 4));
    if (link_.dead() || XGetWindowProperty(link_.x(), link_.own_window(), property_, 0, words, kTrue, AnyPropertyType,
                                           &type, &format, &count, &more, &data) != kSuccess) {
      failed_ = true;
      return false;
    }
    const std::unique_ptr<unsigned char, XFreed> owned{data};
    if (type == kNone) return false;
    const std::size_t size = count * (format == 32 ? sizeof(long) : static_cast<std::size_t>(format) / 8);
    if (more > 0 || size > left_) {
      failed_ = true;
      return false;
    }
    left_ -= size;
    out.type = type;
    out.format = format;
    if (!append) out.data.clear();
    out.data.insert(out.data.end(), data, data + size);
    part_ = size;
    return true;
  }

  void take_parts(Content& out, const Deadline& soon) {
    const bool whole = link_.wait(soon, [&](const XEvent& event) {
      const XPropertyEvent& e = event.xproperty;
      if (event.type != PropertyNotify || e.window != link_.own_window() || e.atom != property_ ||
          e.state != PropertyNewValue)
        return failed_;
      // Events of what was read already find nothing there.
      return failed_ || (take(out, true) && part_ == 0);
    });
    failed_ = failed_ || !whole;
  }

  Link& link_;
  Atom selection_;
  std::size_t left_;
  const Deadline& deadline_;
  Atom property_;
  Time time_ = CurrentTime;
  std::size_t part_ = 0;
  bool failed_ = false;
};

}  // namespace

std::optional<std::vector<Content>> read_selection(Link& link, Atom selection, std::size_t most,
                                                   const Deadline& deadline) {
  return Reader{link, selection, most, deadline}.read();
}

}  // namespace deskmark::x11_input
