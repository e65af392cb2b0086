// The platforms that come with the program, for `orrery list platforms`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "workload/training/platform.hpp"

namespace orrery {

struct ListedPlatform {
  std::string word;  // what users call it: "dgx-a100"
  Platform platform;
};

// Returns the platforms in alphabetical order of their words.
std::vector<ListedPlatform> listed_platforms();

std::string platform_list_text(const std::vector<ListedPlatform>& platforms);
nlohmann::json platform_list_to_json(const std::vector<ListedPlatform>& platforms);

}  // namespace orrery
