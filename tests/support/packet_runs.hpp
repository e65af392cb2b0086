// Runs flows over a network of packets, with the rules of ns-3's back end.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "network/flows/flow_source.hpp"
#include "network/packet/engine/packet_transport.hpp"
#include "topology/topology.hpp"

namespace orrery::core::test {

struct PacketRun {
  std::vector<FlowTimes> flows;
  PacketTotals totals;
  std::vector<LinkUse> links;
  std::vector<SwitchUse> switches;
  std::size_t left = 0;             // packets that are somewhere when all flows have ended
  std::uint64_t longest_queue = 0;  // bytes, of all ports
  std::uint64_t held_bytes = 0;     // in buffers of nodes, a millisecond after the last flow

  std::int64_t end_ns(std::size_t flow) const { return flows[flow].end.whole_ns(); }
  std::int64_t acknowledged_ns(std::size_t flow) const { return flows[flow].acknowledged->whole_ns(); }
  std::int64_t last_ns() const;  // when the last flow is acknowledged
  // Returns what a link has carried, which has carried something.
  const LinkUse& link(const std::string& from, const std::string& to) const;
};

// Hosts behind one switch, with links of 100 Gbit/s and 1 us, as a topology file of ns-3's back end.
std::string ns3_star(int hosts);
// Returns the topology of such a file.
Topology ns3_topology(const std::string& text);
// Flows that start at 0.
Flow packet_flow(int source, int destination, std::uint64_t bytes, Time start = {});

// Is called again and again while flows are under way.
struct PacketLook {
  Time every;
  std::function<void(PacketNetwork& network, Time now)> look;  // none: nobody looks
};

PacketRun run_packets(const Topology& topology, const PacketSettings& settings,
                      const std::vector<Flow>& flows, const PacketLook& look = {});
// `config` is as in a config.txt.
PacketRun run_ns3(const std::string& topology, const std::string& config, const std::vector<Flow>& flows);

}  // namespace orrery::core::test
