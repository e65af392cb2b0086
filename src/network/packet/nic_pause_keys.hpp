// The keys that describe NICs which take nothing in now and then.
#pragma once

#include <vector>

#include "base/keys.hpp"
#include "network/packet/packet_settings.hpp"

namespace orrery {

// Reads a map, such as `nic-pauses` of an experiment's `packets`. Throws InputError.
void read_nic_pauses(const InputNode& map, NicPauseSettings& pauses);

// Paths begin with ".".
std::vector<KeyPath> nic_pause_keys();

}  // namespace orrery
