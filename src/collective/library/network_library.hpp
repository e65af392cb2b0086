// Makes a collective library for a network that the user describes. The first dimension is a node, and the
// second one joins nodes. On a graph, all further dimensions join nodes, too.
#pragma once

#include "collective/library/collective_library.hpp"
#include "topology/topology.hpp"

namespace orrery {

// `name_or_file` is as in find_collective_library(). A GPU has all usable links of a dimension. Throws
// InputError at `where` for more than two dimensions with links of their own, which the closed forms do not
// know.
CollectiveLibrary library_on(const Topology& topology, const std::string& name_or_file,
                             const SourceLocation& where);

}  // namespace orrery
