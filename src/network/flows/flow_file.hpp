// Reads flows from a file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/input/keys.hpp"
#include "network/flows/connection_matrix.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

// Reads one of three formats: a connection matrix of htsim; a CSV whose first line names the columns
// `source,destination,bytes` and any of `start_us`, `channel`, `after` and `priority`; or ns-3's flow file,
// which has the number of flows, and for each of them source, destination, priority, port, bytes and the
// start in seconds. Throws InputError, also where flows wait for one another in a circle. Failures that stand
// in a matrix are put into `failures`. If that is null, they are refused.
std::vector<Flow> read_flow_file(std::string_view text, const std::string& file,
                                 std::vector<MatrixFailure>* failures = nullptr);

// Returns whether a file names the ends of flows by the numbers of nodes in the network's file, as ns-3 does.
bool names_nodes(std::string_view text);

// Puts the numbers of NPUs in the place of those of nodes, where the network's file numbers nodes otherwise.
// Throws InputError where such a node is no NPU.
void find_npus(std::vector<Flow>& flows, const Topology& topology);

// Returns the columns of the CSV.
std::vector<KeyPath> flow_file_keys();

}  // namespace orrery::core
