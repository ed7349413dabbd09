// A request in words: what a person is asked, what the audit keeps.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "src/engine/client.hpp"

namespace deskmark {

enum class Detail : std::uint8_t {
  Lengths,  ///< texts, values, labels and titles as their lengths: for the audit
  Labels,   ///< labels and titles as they are, texts as lengths: for the queue, which is a file
  Texts,    ///< the beginning of texts, too: for whoever sent them
};

/// "click on push button "Save" (element 7) in "notes.txt" of mousepad, in the background". `seen` is the capture it is
/// about; may be null.
[[nodiscard]] std::string describe(const Request& request, const Snapshot* seen, Detail detail);

/// The request's properties without anything that was typed, set or read: numbers and enumerated words as they are,
/// texts as "…_length".
[[nodiscard]] nlohmann::ordered_json audited(const Request& request);

}  // namespace deskmark
