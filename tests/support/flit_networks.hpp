// Networks of flits for tests, and flows that run over them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "network/flows/run_flows.hpp"
#include "topology/topology.hpp"

namespace orrery::core::test {

// Reads the text of a network file.
Topology flit_network(const std::string& text);
// A torus of one dimension, whose packets have four flits and whose wires cut each into four phits.
std::string flit_ring(int npus, int vcs, int buffer_flits);

Flow flit_flow(int source, int destination, std::uint64_t bytes, std::optional<std::uint32_t> channel = {});
// Flows of up to 3,000 bytes between random NPUs, which start within the first two microseconds.
std::vector<Flow> random_flit_flows(Random& random, int npus, int count);

FlowsResult run_flits(const Topology& topology, const std::vector<Flow>& flows);

}  // namespace orrery::core::test
