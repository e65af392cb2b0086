// Implements `orrery compare --measured`: simulated steps beside what a profiler has recorded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/flags/plugin_flags.hpp"

namespace orrery::core {

struct MeasuredFlags {
  std::vector<std::string> measured;  // files, or folders of them
  std::vector<std::string> overrides, runs;
  PluginFlags plugins;
  std::optional<std::int64_t> step;
  std::string output = "results";
};

// Compares each run of experiments and folders of results with the measured ranks. Throws InputError.
ExitCode compare_with_measured_files(const std::vector<std::string>& simulated, const MeasuredFlags& flags,
                                     bool json);

}  // namespace orrery::core
