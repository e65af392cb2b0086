// The network that the flags of ASTRA-sim 2 with its ns-3 back end describe: a config.txt, which names the
// file of the topology, and a file with the sizes of the logical dimensions.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/file_loader.hpp"
#include "network/packet/settings/packet_settings.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

struct NetworkOfFlags {
  Topology topology;
  std::shared_ptr<const PacketSettings> packets;  // null: the file says nothing about them
};

// Reads the file of --network-configuration, of whatever format. `logical` is the file of
// --logical-topology-configuration, which gives a graph its dimensions; empty: none. Throws InputError.
NetworkOfFlags read_network_of_flags(const std::string& file, const std::string& logical, Warnings& warnings,
                                     const FileLoader& load);

}  // namespace orrery::core
