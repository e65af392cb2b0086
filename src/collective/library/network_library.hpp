// A collective library on a network of one's own: the first dimension is a node, the second joins nodes; so
// do all others of a graph.
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
