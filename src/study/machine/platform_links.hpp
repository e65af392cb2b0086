// Finds the library and the links of a platform, for collectives by themselves.
#pragma once

#include "base/files/file_loader.hpp"
#include "base/input/input_node.hpp"
#include "collective/library/collective_library.hpp"

namespace orrery::core {

// The machine on which a collective runs.
struct LibraryMachine {
  LibraryConstants constants;
  ClusterLinks links;
};

// `platform` is the name of one that comes with the program, the path of a file, or a map of its keys. Throws
// InputError.
LibraryMachine links_of_platform(const InputNode& platform, const FileLoader& load);

}  // namespace orrery::core
