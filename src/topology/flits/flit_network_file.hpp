// Reads the network file of ASTRA-sim 1.0's backend that simulates packets flit by flit ("Garnet"): pairs of
// a key with its colon and a value, such as `num-npus: 12`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/input/keys.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

// Returns whether the text has keys that only such a file has.
bool is_flit_network_file(std::string_view text);

// Returns a topology whose `flits` is the network. It has a dimension for each dimension of rings or
// packages. Throws InputError, and warns of keys that are not known.
Topology read_flit_network_file(std::string_view text, const std::string& file, Warnings& warnings);

// Returns every key that is understood.
std::vector<KeyPath> flit_network_file_keys();

}  // namespace orrery::core
