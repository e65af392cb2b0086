// The formats in which networks are described. A new one is a GraphFormat in a file of its own, and a line
// here.
#pragma once

#include <array>

#include "topology/graph/formats/graph_file.hpp"

namespace orrery::core {

extern const GraphFormat ns3_topology_format;    // ns3_topology.cpp
extern const GraphFormat htsim_topology_format;  // htsim_topology.cpp
extern const GraphFormat nccl_topology_format;   // nccl_topology.cpp
extern const GraphFormat yaml_graph_format;      // yaml_graph.cpp

inline constexpr std::array graph_formats{&ns3_topology_format, &htsim_topology_format, &nccl_topology_format,
                                          &yaml_graph_format};

}  // namespace orrery::core
