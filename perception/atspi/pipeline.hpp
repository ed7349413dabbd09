// Many calls at once, each destination on its own terms: bounded in flight, and given up as a whole when it stops
// answering.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <set>
#include <string>

#include "perception/atspi/bus.hpp"

namespace deskmark::atspi {

class Pipeline : public Caller {
 public:
  /// `patience`: a destination that owes answers and gives none for so long is unresponsive. `window`: calls in flight
  /// to one destination.
  Pipeline(Bus& bus, std::chrono::milliseconds patience, int window = 256);
  ~Pipeline() override;
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  void call(Call call, OnReply on_reply) override;
  /// Another patience for one destination (one that hung a moment ago).
  void set_patience(const std::string& bus, std::chrono::milliseconds patience);
  /// The process behind a destination: while it works (uses processor time) it is met with more patience, up to eight
  /// seconds of silence: a browser that takes in a large page is not hung.
  void set_process(const std::string& bus, int pid);
  /// Until every call is answered (true), or the deadline (false: the rest is dropped unanswered).
  bool run(const Deadline& deadline);

  [[nodiscard]] bool unresponsive(const std::string& bus) const { return hung_.count(bus) > 0; }
  [[nodiscard]] const std::set<std::string>& hung() const { return hung_; }
  /// Calls sent so far.
  [[nodiscard]] int sent() const { return sent_; }

 private:
  struct Queued {
    Call call;
    OnReply on_reply;
  };
  struct Lane {
    std::deque<Queued> waiting;
    std::map<std::uint32_t, OnReply> flying;  // by serial; handlers stay here so that giving up can answer them
    std::uint32_t answered = 0;               // highest serial that was answered
    std::uint32_t probe = 0;                  // serial of the call that tells lost calls from a hung program
    Bus::Clock::time_point progress;
    std::chrono::milliseconds patience;
    int pid = 0;
    double worked = -1;                  // processor time of the process, seconds, when it was last looked at
    Bus::Clock::time_point looked{};     // when that was
    Bus::Clock::time_point silent{};     // since when it owes an answer while it works
    Bus::Clock::time_point next_look{};  // not given up before
  };
  Lane& lane(const std::string& bus);
  void fill(const std::string& bus, Lane& lane);
  void overdue(const std::string& name, Lane& lane);
  bool works(Lane& lane) const;
  /// When its silence has lasted too long.
  static Bus::Clock::time_point due(const Lane& lane) {
    return std::max(lane.progress + lane.patience, lane.next_look);
  }
  void drop();

  Bus& bus_;
  std::chrono::milliseconds patience_;
  std::size_t window_;
  std::map<std::string, Lane> lanes_;  // iterators stay valid while a handler adds a destination
  std::set<std::string> hung_;
  int sent_ = 0;
};

}  // namespace deskmark::atspi
