// Runs of ASTRA-sim 2's files as experiment files.
#pragma once

#include <filesystem>
#include <string>

namespace orrery::core::test {

// Returns the experiment that says what a golden case's system, network and memory files and its flags say,
// under the dialect `astra-sim-2`. Paths in it are relative to the case's folder.
std::string experiment_of_case(const std::filesystem::path& folder);

}  // namespace orrery::core::test
