// Reads flows from a file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/input/keys.hpp"
#include "network/flows/connection_matrix.hpp"
#include "network/network_models.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

// Reads one of three formats: a connection matrix of htsim; a CSV whose first line names the columns
// `source,destination,bytes` and any of `start_us`, `channel`, `after` and `priority`; or ns-3's flow file,
// which has the number of flows, and for each of them source, destination, priority, port, bytes and the
// start in seconds. Throws InputError, also where flows wait for one another in a circle. Failures that stand
// in a matrix are put into `failures`. If that is null, they are refused.
std::vector<Flow> read_flow_file(std::string_view text, const std::string& file,
                                 std::vector<MatrixFailure>* failures = nullptr);

// Throws InputError where a flow leads to its source, and where flows wait for one another in a circle.
void check_flows(const std::vector<Flow>& flows);

// Returns whether a file names the ends of flows by the numbers of nodes in the network's file, as ns-3 does.
bool names_nodes(std::string_view text);

// Puts the numbers of NPUs in the place of those of nodes, where the network's file numbers nodes otherwise.
// Throws InputError where such a node is no NPU.
void find_npus(std::vector<Flow>& flows, const Topology& topology);

// What a file says of flows on a network.
struct FlowFile {
  std::vector<Flow> flows;  // between NPUs by their numbers
  std::vector<MatrixFailure> failures;

  // Breaks the links that the file lists, if there are any. Throws InputError where they cannot be broken,
  // also because something else lists failures, which messages call `elsewhere`.
  void break_links(Topology& topology, NetworkModel model, const std::string& elsewhere) const;
};

// Throws InputError as the functions above do.
FlowFile read_flows_on(const Topology& topology, std::string_view text, const std::string& file);

// Returns the columns of the CSV.
std::vector<KeyPath> flow_file_keys();

}  // namespace orrery::core
