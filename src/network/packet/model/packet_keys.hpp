// The keys that describe the packets of a network.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/files/extensions.hpp"
#include "base/input/keys.hpp"
#include "network/packet/settings/packet_settings.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

// Reads a map, such as an experiment's `packets`. Throws InputError.
PacketSettings read_packets(const InputNode& map, const Extensions& extensions = no_extensions);
// Reads the same map from a file, in YAML.
PacketSettings read_packet_file(std::string_view text, const std::string& file,
                                const Extensions& extensions = no_extensions);

// Throws InputError at a key that means nothing on the topology, which has a graph, or by which it cannot
// carry packets. Warns of keys by which it may lose some that are paused in time.
void check_packet_keys(const Topology& topology, const PacketSettings& settings, Warnings& warnings);

// Throws InputError where times of messages or a history of links are to be kept and packets are not
// followed.
void check_what_is_kept(const PacketSettings& settings, bool message_times, bool link_history);

// Returns the keys as paths, which begin with ".".
std::vector<KeyPath> packet_keys();

}  // namespace orrery::core
