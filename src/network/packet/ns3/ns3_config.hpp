// Reads the config.txt of ns-3's back end of ASTRA-sim.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "network/packet/ns3/ns3_outputs.hpp"
#include "network/packet/settings/packet_settings.hpp"
#include "topology/graph/network_graph.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

struct Ns3Config {
  struct LinkDown {  // both directions are cut
    Time at;
    std::uint32_t a = 0, b = 0;  // nodes, as ns-3 numbers them
    SourceLocation where;
  };

  PacketSettings packets;
  Ns3Outputs outputs;
  Ns3Outputs::File topology;   // its path is empty where none is named
  std::vector<LinkDown> cuts;  // at most one
};

// Reads keys and their values, in tokens. What stands behind a brace is a remark to the end of its line.
// Words that are no keys are skipped, with a warning. Throws InputError for values that mean nothing, and for
// settings under which no flow ever ends.
Ns3Config read_ns3_config(std::string_view text, const std::string& file, Warnings& warnings);

// Adds the cuts to the changes of the topology's links. Throws InputError for links that do not exist.
void cut_links(const Ns3Config& config, Topology& topology);

}  // namespace orrery::core
