// Contents of X selections: read from their owner completely, and served to others (ICCCM 2). Private to x11/.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "input/x11/link.hpp"

namespace deskmark::x11_input {

/// One target of a selection, as Xlib gives properties (items of format 32 are longs).
struct Content {
  Atom target = kNone;
  Atom type = kNone;
  int format = 8;
  std::vector<unsigned char> data;
};

/// All that the owner of `selection` offers; empty without an owner. Nothing when the owner does not answer in time or
/// it is more than `most` bytes.
[[nodiscard]] std::optional<std::vector<Content>> read_selection(Link& link, Atom selection, std::size_t most,
                                                                 const Deadline& deadline);

/// A text in the targets that programs ask for; hidden from the history of clipboard managers that know how.
[[nodiscard]] std::vector<Content> text_contents(Link& link, const std::string& text);

/// Answers what others ask of selections that `link` owns.
class SelectionServer {
 public:
  explicit SelectionServer(Link& link) : link_(link) {}

  /// Becomes the owner (again), also to give new contents to a selection owned already. False when the server refuses.
  bool own(Atom selection, std::vector<Content> contents, const Deadline& deadline);
  /// Leaves the selection without an owner, unless another has it.
  void drop(Atom selection);
  [[nodiscard]] bool owns(Atom selection) const { return offers_.contains(selection); }
  [[nodiscard]] const std::vector<Content>& contents(Atom selection) const { return offers_.at(selection).contents; }
  [[nodiscard]] bool owns_any() const { return !offers_.empty(); }

  void handle(const XEvent& event);
  /// A client has been given a text, wholly; `window` is one of its windows.
  [[nodiscard]] bool gave_text_to(XID window) const;
  /// How many requests there were.
  [[nodiscard]] std::size_t asked() const { return asked_; }
  void forget_takers() { takers_.clear(); }

 private:
  struct Offer {
    Time since = CurrentTime;
    std::vector<Content> contents;
  };
  struct Sending {  ///< by INCR
    XID requestor = kNone;
    Atom property = kNone;
    Content content;
    std::size_t sent = 0;
    bool text = false;
    bool last = false;
  };
  void answer(const XSelectionRequestEvent& request);
  bool convert(const Offer& offer, XID requestor, Atom target, Atom property);
  bool convert_many(const Offer& offer, XID requestor, Atom property);
  void send_more(XID requestor, Atom property);
  [[nodiscard]] bool is_text(Atom target) const;

  Link& link_;
  std::map<Atom, Offer> offers_;
  std::deque<Sending> sending_;
  std::vector<XID> takers_;
  std::size_t asked_ = 0;
};

}  // namespace deskmark::x11_input
