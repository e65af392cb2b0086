// Says where results come from: what a reader needs to make them again.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/files/input_log.hpp"

namespace orrery::core {

struct Origin {
  std::vector<std::string> command;  // words of the command line, without the program's path
  // Values set on the command line, which have precedence over the files.
  std::vector<std::string> overrides;
  std::vector<InputFile> inputs;           // in the order in which they were read
  std::vector<std::string> seeds;          // seeds of random numbers, each once
  std::vector<std::string> warnings = {};  // warnings that reading the inputs gave
};

// Returns an object with these members and the version. Nothing in it depends on time or place.
nlohmann::json to_json(const Origin& origin);

}  // namespace orrery::core
