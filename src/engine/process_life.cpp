#include "src/engine/process_life.hpp"

#include <atomic>

namespace deskmark {
namespace {

std::atomic<bool> lives_on{false};

}  // namespace

void process_lives_on() { lives_on = true; }
bool does_process_live_on() { return lives_on; }

}  // namespace deskmark
