#include "src/policy/queue.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "src/policy/changes.hpp"
#include "src/policy/private_file.hpp"

namespace deskmark {
namespace {

using nlohmann::json;
constexpr std::size_t kLargest = 65'536;
constexpr std::array<const char*, 4> kVerdicts{"pending", "granted", "granted_app", "denied"};

bool is_id(const std::string& id) {
  return !id.empty() && id.size() <= 16 && std::all_of(id.begin(), id.end(), [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  });
}

struct Field {
  const char* name;
  std::string Question::*member;
};
constexpr std::array<Field, 7> kFields{{{"client", &Question::client},
                                        {"action", &Question::action},
                                        {"app", &Question::app},
                                        {"scope", &Question::scope},
                                        {"words", &Question::words},
                                        {"digest", &Question::digest},
                                        {"time", &Question::time}}};

}  // namespace

std::optional<Question> ApprovalQueue::read(const std::string& id) const {
  if (directory_.empty() || !is_id(id)) return std::nullopt;
  const PrivateText file = read_private_file(path(id), kLargest);
  if (file.missing || !file.problem.empty()) return std::nullopt;
  const json stored = json::parse(file.text, nullptr, false);
  if (!stored.is_object()) return std::nullopt;
  Question question;
  question.id = id;
  for (const Field& field : kFields) {
    const auto value = stored.find(field.name);
    if (value == stored.end() || !value->is_string()) return std::nullopt;
    question.*field.member = value->get<std::string>();
  }
  const auto verdict = stored.find("verdict");
  // A verdict nobody knows is a denial.
  question.verdict = Verdict::Denied;
  for (std::size_t i = 0; verdict != stored.end() && i < kVerdicts.size(); ++i) {
    if (*verdict == kVerdicts[i]) question.verdict = static_cast<Verdict>(i);
  }
  return question;
}

std::optional<std::string> ApprovalQueue::write(const Question& question) const {
  json file;
  for (const Field& field : kFields) file[field.name] = question.*field.member;
  file["verdict"] = kVerdicts[static_cast<std::size_t>(question.verdict)];
  return write_private_file(path(question.id), file.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

std::vector<Question> ApprovalQueue::all() const {
  std::vector<Question> found;
  if (directory_.empty()) return found;
  namespace fs = std::filesystem;
  std::error_code ignored;
  const auto now = fs::file_time_type::clock::now();
  for (const auto& item : fs::directory_iterator(directory_, ignored)) {
    if (item.path().extension() != ".json") continue;
    const auto written = fs::last_write_time(item.path(), ignored);
    if (ignored || now - written > kKept) {
      fs::remove(item.path(), ignored);
      continue;
    }
    if (auto question = read(item.path().stem())) found.push_back(std::move(*question));
  }
  std::sort(found.begin(), found.end(),
            [](const Question& a, const Question& b) { return std::pair(a.time, a.id) < std::pair(b.time, b.id); });
  return found;
}

std::variant<std::string, std::string> ApprovalQueue::put(Question question) const {
  using Result = std::variant<std::string, std::string>;
  const auto problem = [](std::string why) { return Result{std::in_place_index<1>, std::move(why)}; };
  if (directory_.empty()) return problem("there is no desktop");
  if (auto wrong = make_private_directory(directory_)) return problem(*wrong);
  const FileLock locked(lock(), FileLock::Wait::Yes);
  if (!locked.held()) return problem(lock() + " cannot be locked");
  const std::vector<Question> there = all();
  for (const Question& other : there) {
    if (other.digest == question.digest && other.verdict == Verdict::Pending)
      return Result{std::in_place_index<0>, other.id};
  }
  if (there.size() >= kMost) return problem("too many approvals are waiting");
  question.id = random_word(5);
  question.time = utc_now();
  question.verdict = Verdict::Pending;
  if (auto wrong = write(question)) return problem(*wrong);
  return Result{std::in_place_index<0>, question.id};
}

Verdict ApprovalQueue::verdict(const std::string& id) const {
  const auto question = read(id);
  return question ? question->verdict : Verdict::Gone;
}

Verdict ApprovalQueue::wait(const std::string& id, std::chrono::milliseconds limit, const std::stop_token& stop,
                            const std::function<void(double)>& each_second) const {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const Changes changes(directory_, stop);
  for (;;) {
    const Verdict now = verdict(id);
    const auto waited = Clock::now() - start;
    if (now != Verdict::Pending || stop.stop_requested() || waited >= limit) return now;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(limit - waited).count() + 1;
    [[maybe_unused]] const bool changed = changes.wait(static_cast<int>(std::min<std::int64_t>(left, 1000)));
    if (each_second) each_second(std::chrono::duration<double>(Clock::now() - start).count());
  }
}

std::optional<Verdict> ApprovalQueue::take(const std::string& digest) const {
  if (directory_.empty() || ::access(directory_.c_str(), F_OK) != 0) return std::nullopt;
  const FileLock locked(lock(), FileLock::Wait::Yes);
  if (!locked.held()) return std::nullopt;
  for (const Question& question : all()) {
    if (question.digest != digest || question.verdict == Verdict::Pending) continue;
    if (::unlink(path(question.id).c_str()) != 0) return std::nullopt;
    return question.verdict;
  }
  return std::nullopt;
}

void ApprovalQueue::remove(const std::string& id) const {
  if (!directory_.empty() && is_id(id)) ::unlink(path(id).c_str());
}

bool ApprovalQueue::watched() const {
  if (directory_.empty() || ::access(watcher_lock().c_str(), F_OK) != 0) return false;
  return FileLock(watcher_lock(), FileLock::Wait::No).busy();
}

std::vector<Question> ApprovalQueue::list() const { return all(); }

std::optional<std::string> ApprovalQueue::decide(const std::string& id, Verdict verdict) const {
  if (!is_id(id)) return "there is no question " + id;
  if (directory_.empty() || ::access(directory_.c_str(), F_OK) != 0) return "nothing waits for approval";
  const FileLock locked(lock(), FileLock::Wait::Yes);
  if (!locked.held()) return lock() + " cannot be locked";
  auto question = read(id);
  if (!question) return "there is no question " + id + " (any more)";
  if (question->verdict != Verdict::Pending) return "question " + id + " is decided already";
  question->verdict = verdict;
  return write(*question);
}

}  // namespace deskmark
