// Lends the clipboard to a text that is pasted, and gives it back. Private to x11/.
#pragma once

#include <memory>
#include <string>

#include "input/x11/link.hpp"

namespace deskmark::x11_input {

/// What was in CLIPBOARD (and PRIMARY) is read before, and served from here afterwards, as long as this lives or until
/// somebody copies something. What was empty is empty again. Nothing of it is logged or written anywhere.
class Clipboard {
 public:
  explicit Clipboard(std::string display);
  /// Hands the old content over to a clipboard manager when there is one; bounded.
  ~Clipboard();
  Clipboard(const Clipboard&) = delete;
  Clipboard& operator=(const Clipboard&) = delete;

  /// Takes CLIPBOARD, and PRIMARY when `primary`, for `text` (UTF-8). False when the present owner does not give its
  /// content completely, in bounded size and time: then everything is as before.
  bool lend(const std::string& text, bool primary, const Deadline& deadline);
  /// Other text of the same loan.
  void offer(const std::string& text);
  /// Waits until the program behind `window` has taken the offered text; false when it did not in time.
  bool taken_by(XID window, const Deadline& deadline);
  /// Ends the loan.
  void give_back();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace deskmark::x11_input
