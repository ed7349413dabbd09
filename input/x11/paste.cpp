#include "input/x11/paste.hpp"

#include <utility>

#include "input/x11/answers.hpp"
#include "input/x11/front_session.hpp"
#include "input/x11/key_session.hpp"
#include "input/x11/script.hpp"
#include "input/x11/windows.hpp"

namespace deskmark::x11_input {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kTaking{4000};  // for a program to ask for what it shall paste

/// The clipboard is lent as long as this lives.
class Loan {
 public:
  explicit Loan(Clipboard& clipboard) : clipboard_(clipboard) {}
  ~Loan() { clipboard_.give_back(); }
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;

 private:
  Clipboard& clipboard_;
};

}  // namespace

std::optional<Delivered> paste_text(Session& session, const KeyJob& job, const Layout& layout, const std::string& text,
                                    const Deadline& deadline) {
  Link& link = *session.link;
  const XID window = job.window.id;
  const auto pieces = pieces_for_pasting(text);
  const auto terminal = is_terminal(link, window, job.window.pid);
  if (!pieces || pieces->empty() || !terminal) return std::nullopt;
  // Terminals pass ctrl+v on to what runs in them; shift+Insert pastes PRIMARY in some and CLIPBOARD in others.
  const KeyCombo combo = *terminal ? KeyCombo{{Modifier::Shift}, XK_Insert} : KeyCombo{{Modifier::Ctrl}, XK_v};
  Delivered why;
  const auto chord = find_chord(layout, combo, why);
  if (!chord || chord->spare) return std::nullopt;
  Delivered out;
  out.route = "clipboard";
  std::string first;
  for (const Piece& piece : *pieces) {
    out.total += piece.length;
    if (piece.text.empty() && !layout.keysym(piece.key, layout.group())) return std::nullopt;
    if (first.empty()) first = piece.text;
  }
  if (!session.clipboard.lend(first, *terminal, deadline)) return std::nullopt;
  const Loan loan{session.clipboard};

  std::optional<AddedGroup> group;
  const auto make_group = [&] {
    if (chord->added) group.emplace(link, session.agent.keyboards()).map(chord->code, chord->group, combo.keysym);
  };
  const auto press = [&](KeyOut& keys, Delivered& done) {
    const auto tap = [&](const std::vector<unsigned>& codes, unsigned state, unsigned code) {
      done.sent = Sent::Unknown;
      keys.modifiers(codes, state);
      keys.tap(code, milliseconds{0}, deadline);
      keys.modifiers({}, 0);
      link.sync();
    };
    bool lent = true;
    for (const Piece& piece : *pieces) {
      if (link.dead() || deadline.passed()) break;
      if (piece.text.empty()) {
        const auto stroke = *layout.keysym(piece.key, layout.group());
        tap(codes_of(layout, stroke.shift, stroke.level3), state_of(layout, stroke.shift, stroke.level3), stroke.code);
      } else {
        if (!std::exchange(lent, false)) session.clipboard.offer(piece.text);
        tap(chord->codes, chord->state, chord->code);
        if (!session.clipboard.taken_by(window, deadline.at_most(kTaking))) break;
        let_it_read(link, window, milliseconds{1000}, milliseconds{60}, deadline);
      }
      done.completed += piece.length;
    }
    if (done.completed == done.total) {
      done.sent = Sent::All;
      return;
    }
    if (done.sent == Sent::Unknown && done.completed > 0) done.sent = Sent::Part;
    done.code = deadline.cancelled() ? "cancelled" : "timeout";
    done.message = "The program did not take what was to be pasted; " + std::to_string(done.completed) + " of " +
                   std::to_string(done.total) + " characters were.";
  };
  return with_keys(session, job, layout, chord->group, out, deadline, press, make_group);
}

}  // namespace deskmark::x11_input
