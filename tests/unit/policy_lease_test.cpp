#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>

#include "src/policy/lease.hpp"
#include "src/policy/private_file.hpp"

namespace deskmark {
namespace {

struct Folder {
  std::string path = "/tmp/deskmark-lease-XXXXXX";
  Folder() { REQUIRE(::mkdtemp(path.data()) != nullptr); }
  ~Folder() { std::filesystem::remove_all(path); }
};

void spoil(const LeaseFile& lease, const std::string& content) { std::ofstream(lease.path()) << content; }

}  // namespace

TEST_CASE("a lease changes hands, and each change has a larger epoch") {
  const Folder folder;
  const LeaseFile lease(folder.path + "/desk");
  CHECK(lease.read() == Lease{});
  CHECK_FALSE(lease.change(Holder::Human, "Log in, please"));
  const Lease human = lease.read();
  CHECK(human.holder == Holder::Human);
  CHECK(human.reason == "Log in, please");
  CHECK(human.epoch > 0);
  CHECK(human.readable);
  CHECK_FALSE(lease.change(Holder::Human, "again"));
  CHECK(lease.read() == human);
  CHECK_FALSE(lease.change(Holder::Agent, ""));
  CHECK(lease.read().holder == Holder::Agent);
  CHECK(lease.read().epoch == human.epoch + 1);
  struct stat info {};
  REQUIRE(::stat(lease.path().c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0600);
  // Another process sees the same.
  CHECK(LeaseFile(folder.path + "/desk").read() == lease.read());
}

TEST_CASE("a lease that cannot be read is a person's, until someone decides") {
  const Folder folder;
  const LeaseFile lease(folder.path);
  for (const char* content : {"", "{", "[]", "{}", R"({"holder":"agent"})", R"({"holder":"robot","epoch":1})",
                              R"({"holder":"agent","epoch":-1})", R"({"holder":"agent","epoch":"1"})"}) {
    CAPTURE(content);
    spoil(lease, content);
    CHECK(lease.read().holder == Holder::Human);
    CHECK_FALSE(lease.read().readable);
  }
  const std::uint64_t before = 5;
  spoil(lease, R"({"holder":"agent","epoch":5})");
  CHECK(lease.read().holder == Holder::Agent);
  ::chmod(lease.path().c_str(), 0666);
  CHECK(lease.read().holder == Holder::Human);
  std::filesystem::remove(lease.path());
  CHECK(lease.read().holder == Holder::Human);  // it vanished while a person held it
  std::filesystem::create_symlink("/etc/hostname", lease.path());
  CHECK(lease.read().holder == Holder::Human);
  CHECK_FALSE(lease.change(Holder::Agent, ""));
  CHECK(lease.read().holder == Holder::Agent);
  CHECK(lease.read().epoch > before);
  CHECK_FALSE(std::filesystem::is_symlink(lease.path()));
  CHECK(LeaseFile("").read().holder == Holder::Agent);
}

TEST_CASE("waiting for an agent's turn ends at hand-back, in time, or when cancelled") {
  using namespace std::chrono_literals;
  const Folder folder;
  const LeaseFile lease(folder.path);
  CHECK(wait_for_agent(lease, 10s, {}, {}) == Waited::HandedBack);
  REQUIRE_FALSE(lease.change(Holder::Human, ""));
  CHECK(wait_for_agent(lease, 5ms, {}, {}) == Waited::TimedOut);
  std::stop_source cancel;
  cancel.request_stop();
  CHECK(wait_for_agent(lease, 10s, cancel.get_token(), {}) == Waited::Cancelled);

  const auto start = std::chrono::steady_clock::now();
  std::jthread person([&] { CHECK_FALSE(lease.change(Holder::Agent, "")); });
  CHECK(wait_for_agent(lease, 20s, {}, {}) == Waited::HandedBack);
  CHECK(std::chrono::steady_clock::now() - start < 10s);

  REQUIRE_FALSE(lease.change(Holder::Human, ""));
  std::stop_source later;
  std::jthread canceller([&] { later.request_stop(); });
  CHECK(wait_for_agent(lease, 20s, later.get_token(), {}) == Waited::Cancelled);
}

TEST_CASE("a watch tells of changes and ends at once") {
  const Folder folder;
  const LeaseFile lease(folder.path);
  std::mutex mutex;
  std::condition_variable changed;
  int told = 0;
  {
    const LeaseWatch watch(lease, [&] {
      const std::lock_guard lock(mutex);
      ++told;
      changed.notify_all();
    });
    std::unique_lock lock(mutex);
    // The watch may not be set up yet: hands change until it tells.
    for (int i = 0; i < 1000 && told == 0; ++i) {
      CHECK_FALSE(lease.change(i % 2 == 0 ? Holder::Human : Holder::Agent, ""));
      changed.wait_for(lock, std::chrono::milliseconds{10}, [&] { return told > 0; });
    }
    CHECK(told > 0);
  }
}

TEST_CASE("private files are not read through links and replace them") {
  const Folder folder;
  const std::string path = folder.path + "/file";
  CHECK(read_private_file(path, 100).missing);
  CHECK_FALSE(write_private_file(path, "hello"));
  CHECK(read_private_file(path, 100).text == "hello");
  CHECK(read_private_file(path, 4).problem == "too long");
  std::filesystem::create_symlink(path, folder.path + "/link");
  CHECK_FALSE(read_private_file(folder.path + "/link", 100).problem.empty());
  CHECK_FALSE(write_private_file(folder.path + "/link", "other"));
  CHECK(read_private_file(path, 100).text == "hello");
  CHECK(read_private_file(folder.path + "/link", 100).text == "other");
  CHECK(write_private_file(folder.path + "/missing/file", "x"));
  CHECK(make_private_directory("relative"));
  CHECK(make_private_directory(path));
  const FileLock first(folder.path + "/lock", FileLock::Wait::No);
  CHECK(first.held());
  const FileLock second(folder.path + "/lock", FileLock::Wait::No);
  CHECK(second.busy());
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(utc_now().size() == 24);
}

}  // namespace deskmark
