// Runs flows over a network.
#pragma once

#include <vector>

#include "base/progress.hpp"
#include "network/flows/flow_source.hpp"
#include "network/link_use.hpp"
#include "network/network_setup.hpp"

namespace orrery::core {

struct FlowsResult {
  std::vector<FlowTimes> flows;      // in the order of the flows
  std::vector<std::uint32_t> order;  // flows, in the order in which they ended or were acknowledged
  std::vector<LinkUse> links;        // links that have carried something, the busiest first
  LinkHistory link_history;          // if the network's setup asks for it
  std::vector<SwitchUse> switches;   // switches that have held something, the fullest first
  std::vector<PacketLatencies> latencies;
  Time end;
};

// Throws InputError where a flow names an NPU that does not exist, and where no route leads to its
// destination.
FlowsResult run_flows(const std::vector<Flow>& flows, const Topology& topology, const NetworkSetup& network,
                      const ProgressListener& progress = {});

}  // namespace orrery::core
