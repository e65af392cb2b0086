// Searches for layouts at the points of a sweep, and prints what was found.
#pragma once

#include <string>
#include <vector>

#include "base/files/file_loader.hpp"
#include "base/input/input_node.hpp"
#include "cli/commands.hpp"
#include "study/search/layout_search.hpp"

namespace orrery::core {

struct SearchOfSweep {
  std::string file, output, store;  // empty: the usual store in the folder `output`
  std::vector<std::string> overrides, plugins;
  bool json = false;
};

// Returns the exit code. `document` is that of the experiment. Throws InputError.
int search_sweep(const SearchOfSweep& asked, const InputNode& document, const InputLog& inputs,
                 const FileLoader& load, const SearchOptions& options, const CommandLine& written);

}  // namespace orrery::core
