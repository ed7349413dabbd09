// Whether this process outlives the action it carries out: what must be served afterwards may be kept in it.
#pragma once

namespace deskmark {

/// Said once, by a front door that serves many requests. One-shot commands say nothing.
void process_lives_on();
[[nodiscard]] bool does_process_live_on();

}  // namespace deskmark
