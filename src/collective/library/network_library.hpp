// Makes a collective library for a network that the user describes. The first dimension is a node, and the
// second one joins nodes. On a graph, all further dimensions join nodes, too.
#pragma once

#include "collective/library/collective_library.hpp"
#include "collective/plan/system_config.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

// Returns a library that is loaded when a machine is built. If it is a file that is there, the loader's log
// remembers it from now on.
NamedLibrary name_library(const std::string& name_or_file, const SourceLocation& where,
                          const FileLoader& load);

// A GPU has all usable links of a dimension. Throws InputError where the library is named for more than two
// dimensions with links of their own, which the closed forms do not know.
CollectiveLibrary library_on(const Topology& topology, const NamedLibrary& library);

}  // namespace orrery::core
