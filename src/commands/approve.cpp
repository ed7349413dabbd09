// deskmark approve: a person at a terminal decides what running engines ask for.
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>

#include "src/commands/command.hpp"
#include "src/commands/interrupt.hpp"
#include "src/engine/replies.hpp"
#include "src/policy/changes.hpp"
#include "src/policy/desk.hpp"
#include "src/policy/private_file.hpp"
#include "src/policy/queue.hpp"

namespace deskmark {
namespace {

struct Approvals {
  EngineOptions options;
  std::string id;
  bool json = false;
  bool for_app = false;
};

const char* word_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::Pending: return "pending";
    case Verdict::Granted: return "granted";
    case Verdict::GrantedApp: return "granted for the application";
    case Verdict::Denied: return "denied";
    case Verdict::Gone: return "gone";
  }
  return "";
}

/// Words come from agents and applications: they must not move the cursor of the terminal.
std::string harmless(const std::string& text) {
  std::string out = valid_utf8(text);
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return out;
}

std::optional<ApprovalQueue> queue_of(Approvals& state) {
  find_display(state.options);
  const std::string directory = desk_directory(state.options.display);
  if (directory.empty()) {
    std::fprintf(
        stderr, "no display: give one with --display, set DISPLAY, or start one: eval \"$(deskmark desktop start)\"\n");
    return std::nullopt;
  }
  return ApprovalQueue(directory);
}

void print(const Question& q) {
  std::printf("%s  %s  [%s%s%s]  %s: %s\n", q.id.c_str(), q.time.c_str(), q.scope.c_str(),
              q.verdict == Verdict::Pending ? "" : ", ", q.verdict == Verdict::Pending ? "" : word_of(q.verdict),
              harmless(q.client).c_str(), harmless(q.words).c_str());
}

int list(Approvals& state) {
  const auto queue = queue_of(state);
  if (!queue) return kNoDisplay;
  OrderedJson out = OrderedJson::array();
  const auto questions = queue->list();
  for (const Question& q : questions) {
    if (state.json) {
      out.push_back({{"id", q.id},
                     {"time", q.time},
                     {"client", valid_utf8(q.client)},
                     {"action", q.action},
                     {"app", valid_utf8(q.app)},
                     {"scope", q.scope},
                     {"words", valid_utf8(q.words)},
                     {"verdict", word_of(q.verdict)}});
    } else {
      print(q);
    }
  }
  if (state.json)
    std::printf("%s\n", out.dump(2).c_str());
  else if (questions.empty())
    std::printf("nothing waits for approval\n");
  return kOk;
}

int decide(Approvals& state, bool grant) {
  const auto queue = queue_of(state);
  if (!queue) return kNoDisplay;
  const Verdict verdict = !grant ? Verdict::Denied : state.for_app ? Verdict::GrantedApp : Verdict::Granted;
  if (const auto problem = queue->decide(state.id, verdict)) {
    std::fprintf(stderr, "%s\n", harmless(*problem).c_str());
    return kNotOk;
  }
  std::printf("%s: %s\n", state.id.c_str(), word_of(verdict));
  return kOk;
}

/// Lines of standard input, until it ends or the token stops.
class Lines {
 public:
  explicit Lines(const std::stop_token& stop)
      : stop_(stop), wake_(::eventfd(0, EFD_CLOEXEC)), on_stop_(stop, [this] {
          const std::uint64_t one = 1;
          [[maybe_unused]] const auto done = ::write(wake_, &one, sizeof one);
        }) {}
  ~Lines() { ::close(wake_); }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  bool next(std::string& line) {
    for (std::size_t end = 0; (end = pending_.find('\n')) == std::string::npos;) {
      std::array<pollfd, 2> fds{{{STDIN_FILENO, POLLIN, 0}, {wake_, POLLIN, 0}}};
      if (::poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR) return false;
      if (stop_.stop_requested()) return false;
      if (!(fds[0].revents & (POLLIN | POLLHUP))) continue;
      std::array<char, 512> chunk{};
      const ssize_t n = ::read(STDIN_FILENO, chunk.data(), chunk.size());
      if (n <= 0 || pending_.size() > 10'000) return false;
      pending_.append(chunk.data(), static_cast<std::size_t>(n));
    }
    const std::size_t end = pending_.find('\n');
    line = pending_.substr(0, end);
    pending_.erase(0, end + 1);
    return true;
  }

 private:
  std::stop_token stop_;
  int wake_;
  std::string pending_;
  std::stop_callback<std::function<void()>> on_stop_;
};

/// Shows questions as they come and takes answers, until its input ends or it is interrupted.
int watch(Approvals& state) {
  const auto queue = queue_of(state);
  if (!queue) return kNoDisplay;
  if (const auto problem = make_private_directory(queue->directory())) {
    std::fprintf(stderr, "%s\n", problem->c_str());
    return kNotOk;
  }
  const Interrupt interrupt;
  const FileLock watching(queue->watcher_lock(), FileLock::Wait::No);
  if (!watching.held()) {
    std::fprintf(stderr, "someone else answers approvals already\n");
    return kNotOk;
  }
  std::printf(
      "Waiting for what needs approval. Answer with: y ID (this once), a ID (this kind, for the application), n ID. "
      "End with Ctrl+D.\n");
  std::fflush(stdout);
  std::set<std::string> shown;
  std::jthread shows([&](const std::stop_token& stop) {
    const Changes changes(queue->directory(), stop);
    while (!stop.stop_requested()) {
      for (const Question& q : queue->list()) {
        if (q.verdict == Verdict::Pending && shown.insert(q.id).second) print(q);
      }
      std::fflush(stdout);
      [[maybe_unused]] const bool changed = changes.wait(60'000);
    }
  });
  Lines lines(interrupt.token());
  for (std::string line; lines.next(line);) {
    if (line.empty()) continue;
    const std::size_t id = line.find_first_not_of(" \t", 1);
    const Verdict verdict = line[0] == 'y'   ? Verdict::Granted
                            : line[0] == 'a' ? Verdict::GrantedApp
                            : line[0] == 'n' ? Verdict::Denied
                                             : Verdict::Gone;
    if (verdict == Verdict::Gone || id == std::string::npos || line[1] != ' ') {
      std::printf("y ID, a ID or n ID\n");
    } else if (const auto problem = queue->decide(line.substr(id), verdict)) {
      std::printf("%s\n", harmless(*problem).c_str());
    } else {
      std::printf("%s: %s\n", line.substr(id).c_str(), word_of(verdict));
    }
    std::fflush(stdout);
  }
  return kOk;
}

}  // namespace

void add_approve_command(CLI::App& app, Chosen& chosen) {
  const auto s = std::make_shared<Approvals>();
  CLI::App* command = app.add_subcommand("approve", "What agents ask to do: shows it and takes answers while it runs");
  command->add_option("--display", s->options.display,
                      "X display (default: $DISPLAY, else a desktop of ours that runs)");
  CLI::App* lists = command->add_subcommand("list", "what waits for approval");
  lists->add_flag("--json", s->json, "print JSON");
  CLI::App* grant = command->add_subcommand("grant", "allow one action");
  grant->add_option("id", s->id, "its name in the list")->required();
  grant->add_flag("--app", s->for_app, "and everything of its scope in the same application, until that deskmark ends");
  CLI::App* deny = command->add_subcommand("deny", "refuse one action");
  deny->add_option("id", s->id, "its name in the list")->required();
  command->require_subcommand(0, 1);
  command->callback([s, lists, grant, deny, &chosen] {
    chosen.run = [s, lists, grant, deny] {
      if (lists->parsed()) return list(*s);
      if (grant->parsed() || deny->parsed()) return decide(*s, grant->parsed());
      return watch(*s);
    };
  });
}

}  // namespace deskmark
