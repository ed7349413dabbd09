// A command that is one request: engine, request, reply, and what is remembered for the next command.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "src/engine.hpp"

namespace deskmark {

struct Output {
  bool json = false;
  std::string out;          ///< file for the picture
  std::string labels_json;  ///< file for the drawn number boxes
};

/// Carries it out, writes the picture if asked, prints the reply and gives the exit code.
int one_request(EngineOptions options, const nlohmann::json& arguments, const Output& output);

}  // namespace deskmark
