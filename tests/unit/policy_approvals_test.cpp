#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "src/policy/audit.hpp"
#include "src/policy/private_file.hpp"
#include "src/policy/queue.hpp"

namespace deskmark {
namespace {

struct Folder {
  std::string path = "/tmp/deskmark-queue-XXXXXX";
  Folder() { REQUIRE(::mkdtemp(path.data()) != nullptr); }
  ~Folder() { std::filesystem::remove_all(path); }
};

Question question(const std::string& digest) {
  Question q;
  q.client = "client 1";
  q.action = "click";
  q.app = "Calculator";
  q.scope = "background";
  q.words = "click on push button \"=\"";
  q.digest = digest;
  return q;
}

std::string put(const ApprovalQueue& queue, const std::string& digest) {
  const auto done = queue.put(question(digest));
  REQUIRE(done.index() == 0);
  return std::get<0>(done);
}

}  // namespace

TEST_CASE("a grant is good for one repetition of the very same request") {
  const Folder folder;
  const ApprovalQueue queue(folder.path);
  CHECK(queue.list().empty());
  CHECK_FALSE(queue.take("a"));
  const std::string id = put(queue, "a");
  CHECK(put(queue, "a") == id);  // asked again, still the same question
  const std::string other = put(queue, "b");
  REQUIRE(queue.list().size() == 2);
  CHECK(queue.list()[0].words == "click on push button \"=\"");
  struct stat info {};
  REQUIRE(::stat((queue.directory() + "/" + id + ".json").c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0600);
  CHECK_FALSE(queue.take("a"));  // not decided yet
  CHECK_FALSE(queue.decide(id, Verdict::Granted));
  CHECK(queue.decide(id, Verdict::Denied));  // decided already
  CHECK_FALSE(queue.take("c"));
  CHECK(queue.take("a") == Verdict::Granted);
  CHECK_FALSE(queue.take("a"));
  CHECK_FALSE(queue.decide(other, Verdict::Denied));
  CHECK(queue.take("b") == Verdict::Denied);
  CHECK(queue.list().empty());
  for (const char* name : {"", "../a", "nothing", "A", "aaaaaaaaaaaaaaaaaaaaaaaaaaa"})
    CHECK(queue.decide(name, Verdict::Granted));
}

TEST_CASE("a waiting engine hears of the decision, and of nobody") {
  using namespace std::chrono_literals;
  const Folder folder;
  const ApprovalQueue queue(folder.path);
  CHECK_FALSE(queue.watched());
  const std::string id = put(queue, "a");
  CHECK(queue.wait(id, 5ms, {}, {}) == Verdict::Pending);
  {
    const FileLock watcher(queue.watcher_lock(), FileLock::Wait::No);
    CHECK(queue.watched());
  }
  CHECK_FALSE(queue.watched());
  std::jthread person([&] { CHECK_FALSE(queue.decide(id, Verdict::GrantedApp)); });
  CHECK(queue.wait(id, 20s, {}, {}) == Verdict::GrantedApp);
  queue.remove(id);
  CHECK(queue.wait(id, 20s, {}, {}) == Verdict::Gone);
}

TEST_CASE("what is damaged, foreign or too much in a queue grants nothing") {
  const Folder folder;
  const ApprovalQueue queue(folder.path);
  const std::string id = put(queue, "a");
  const std::string path = queue.directory() + "/" + id + ".json";
  REQUIRE_FALSE(queue.decide(id, Verdict::Granted));
  ::chmod(path.c_str(), 0666);
  CHECK_FALSE(queue.take("a"));
  ::chmod(path.c_str(), 0600);
  std::ofstream(path) << R"({"verdict":"granted"})";
  CHECK_FALSE(queue.take("a"));
  CHECK(queue.verdict(id) == Verdict::Gone);
  for (std::size_t i = queue.list().size(); i < ApprovalQueue::kMost; ++i) put(queue, std::to_string(i));
  CHECK(queue.put(question("one more")).index() == 1);
  CHECK(ApprovalQueue("").put(question("a")).index() == 1);
  CHECK_FALSE(ApprovalQueue("").take("a"));
}

TEST_CASE("the audit appends whole lines to private files and keeps few") {
  const Folder folder;
  const AuditLog log(folder.path + "/state/audit.jsonl", 100, 2);
  const std::string line(40, 'x');
  for (int i = 0; i < 9; ++i) REQUIRE_FALSE(log.append(std::to_string(i) + line));
  struct stat info {};
  REQUIRE(::stat(log.path().c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0600);
  CHECK(info.st_size <= 100);
  CHECK(std::filesystem::exists(log.path() + ".1"));
  CHECK(std::filesystem::exists(log.path() + ".2"));
  CHECK_FALSE(std::filesystem::exists(log.path() + ".3"));
  const auto kept = log.tail(100);
  REQUIRE(kept.size() == 5);
  CHECK(kept.front() == "4" + line);
  CHECK(kept.back() == "8" + line);
  CHECK(log.tail(2).front() == "7" + line);
}

TEST_CASE("an audit that cannot be written says so") {
  const Folder folder;
  const AuditLog log(folder.path + "/audit.jsonl", 1000, 1);
  std::filesystem::create_symlink("/dev/null", log.path());
  CHECK(log.append("x"));
  std::filesystem::remove(log.path());
  { std::ofstream(log.path()) << "old\n"; }
  ::chmod(log.path().c_str(), 0644);
  CHECK(log.append("x"));
  CHECK(AuditLog("", 1000, 1).append("x"));
  CHECK(AuditLog("/proc/nowhere/audit.jsonl", 1000, 1).append("x"));
}

}  // namespace deskmark
