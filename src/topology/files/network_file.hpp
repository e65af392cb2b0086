// Reads ASTRA-sim 1.0's network file (JSON).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/input/keys.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

// Arrays of the command line that replace those of the file. An empty one leaves the file's array as it is.
struct NetworkOverrides {
  std::vector<int> units_count, links_count;
  std::vector<double> link_bandwidth, link_latency;  // GiB/s, ns

  bool empty() const {
    return units_count.empty() && links_count.empty() && link_bandwidth.empty() && link_latency.empty();
  }
};

// Throws InputError. The topology that is returned has passed check_topology().
Topology read_network_file(std::string_view text, const std::string& file, const NetworkOverrides& overrides,
                           Warnings& warnings);

// Returns every key that is understood.
std::vector<KeyPath> network_file_keys();

}  // namespace orrery::core
